// SPDX-License-Identifier: Apache-2.0
import Design
import Pixels

/// A vertical drag on the cover that sets the volume. A bar at the cover's edge shows the volume until a while after the drag. Moments in
/// milliseconds.
struct VolumeDrag {
    /// The volume that the finger has reached, in percent; nil without a finger.
    private var held: Float?
    private var shown = 0
    private var until: Int?
    /// True if the bar must be redrawn.
    private(set) var isDirty = false

    var isHeld: Bool { held != nil }

    /// Changes the volume, beginning with the speaker's. Returns the new percent; nil if it is unchanged.
    /// - Parameters:
    ///   - distance: the way downward, in pixels.
    ///   - height: the height for the whole range of the volume, in pixels.
    mutating func move(by distance: Int, over height: Int, from percent: Int) -> Int? {
        let before = held ?? Float(percent)
        let now = min(100, max(0, before - Float(distance) * 100 / Float(max(1, height))))
        (held, until) = (now, nil)
        isDirty = true
        let isOther = Int(now.rounded()) != Int(before.rounded())
        shown = Int(now.rounded())
        return isOther ? shown : nil
    }

    /// Ends the drag. Returns true if there was one.
    mutating func drop(at moment: Int) -> Bool {
        guard isHeld else { return false }
        (held, until) = (nil, moment + Int(Motion.volumeBar * 1000))
        return true
    }

    /// Returns when the bar disappears; nil if it does not by itself.
    func ends(after moment: Int) -> Int? { until.map { max(moment, $0) } }

    private func isShown(at moment: Int) -> Bool { isHeld || until.map { moment < $0 } ?? false }

    /// Returns the bar's place on a cover; nil if it is hidden.
    mutating func place(_ stage: Stage, _ cover: PixelRect, at moment: Int) -> PixelRect? {
        isDirty = false
        if !isShown(at: moment) {
            until = nil
            return nil
        }
        let inset = stage.pixels(Spacing.related)
        let room = cover.inset(by: inset)
        return room.right(stage.pixels(Metrics.volumeBar)).middle(
            height: min(room.height, stage.pixels(Metrics.volumeBarMost)))
    }

    func draw(_ picture: Picture, in place: PixelRect) {
        let (stage, theme) = (picture.stage, picture.theme)
        picture.canvas.fill(place, radius: place.width / 2, with: theme.solidPill)
        var room = place.inset(x: 0, y: stage.pixels(Spacing.small))
        let sign = stage.pixels(Metrics.buttonSymbol)
        picture.draw(
            .speaker, in: room.cutBottom(sign, gap: stage.pixels(Spacing.mini)), points: Metrics.buttonSymbol,
            theme.solidPillText)
        let bar = room.middle(width: stage.pixels(Metrics.progressHeight))
        picture.canvas.fill(bar, radius: bar.width / 2, with: theme.solidPillText.opacity(Metrics.nightEdge))
        let done = bar.bottom(bar.height * shown / 100)
        picture.canvas.fill(done, radius: min(bar.width, done.height) / 2, with: theme.solidPillText)
    }
}
