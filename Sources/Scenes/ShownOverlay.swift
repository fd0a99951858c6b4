// SPDX-License-Identifier: Apache-2.0
import Design
import Pixels

/// An overlay that appears, stays and disappears. Moments in milliseconds.
struct ShownOverlay {
    /// The overlay; nil for none.
    private(set) var overlay: Overlay?
    /// The room between the bars of the screen beneath.
    var room = PixelRect.zero
    /// The opacity of the overlay.
    private var coming = Reversible(Motion.overlay)
    private var cameAt = 0
    /// The progress of the motion relative to the opacity at the moment of its reversal.
    private var wayBack: Float = 1
    private var leavesAt: Int?

    mutating func put(_ overlay: Overlay, in room: PixelRect, at moment: Int) {
        self.overlay = overlay
        self.room = room
        coming.set(false)
        coming.turn(true, at: moment)
        cameAt = moment
        leavesAt = overlay.stay.map { moment + $0 }
    }

    /// Changes the text without a new entrance.
    mutating func turn(into overlay: Overlay) { self.overlay = overlay }

    mutating func takeAway(_ stage: Stage, at moment: Int) {
        if coming.target { wayBack = way(stage, at: moment) / max(0.01, coming.part(at: moment)) }
        coming.turn(false, at: moment)
        leavesAt = nil
    }

    /// Starts the exit when the time is over, and removes the overlay at the end.
    mutating func goOn(_ stage: Stage, at moment: Int) {
        if let leavesAt, moment >= leavesAt { takeAway(stage, at: moment) }
        if !coming.target && coming.part(at: moment) <= 0 { overlay = nil }
    }

    var isModal: Bool { overlay?.isModal ?? false }
    /// True if it has a button, such as for undo.
    var hasButton: Bool { coming.target && overlay?.hasButton ?? false }
    /// True if it waits for an answer.
    var isAsking: Bool { isModal && coming.target }

    /// True while an alarm rings.
    var isRinging: Bool {
        if case .ringing = overlay { return coming.target }
        return false
    }

    /// Returns whether it covers an element of the screen beneath: covered elements do not exist for hands.
    func hides(_ frame: PixelRect, _ stage: Stage) -> Bool {
        guard let overlay, case .toast(let toast) = overlay, toast.kind == .playing || toast.button != nil else {
            return false
        }
        return overlay.frame(stage, in: room).contains(x: frame.midX, y: frame.midY)
    }

    /// Returns its visible part, 0…1.
    func part(at moment: Int) -> Float { coming.part(at: moment) }

    /// Returns the progress of its motion, 0…1 and for a moment a little beyond. It springs in, and leaves from where it is.
    func way(_ stage: Stage, at moment: Int) -> Float {
        if !coming.target { return wayBack * coming.part(at: moment) }
        return isSpringing(stage, at: moment) ? Spring.entrance.value(at: Float(moment - cameAt) / 1000) : 1
    }

    private func isSpringing(_ stage: Stage, at moment: Int) -> Bool {
        guard let overlay, overlay.moves, coming.target, !stage.comfort.reducesMotion else { return false }
        return moment < cameAt + Int(Spring.entrance.settled() * 1000)
    }

    /// Returns true until it has arrived. While it leaves, one more frame removes it from the screen.
    func isMoving(_ stage: Stage, at moment: Int) -> Bool {
        coming.isMoving(at: moment) || isSpringing(stage, at: moment) || overlay != nil && !coming.target
    }

    /// Returns when it leaves by itself; nil for never.
    func leaves(after moment: Int) -> Int? { leavesAt.map { max(moment, $0) } }
}
