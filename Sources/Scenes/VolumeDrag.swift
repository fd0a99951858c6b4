// SPDX-License-Identifier: Apache-2.0
import Design
import Pixels

/// A finger that goes up or down on the cover, and the bar that says how loud it is by then: at the cover's edge, until a while after the finger
/// has gone. Moments in milliseconds.
struct VolumeDrag {
    /// In percent, as far as the finger has come; nil without one.
    private var held: Float?
    private var shown = 0
    private var until: Int?
    /// It looks otherwise than when it was last drawn.
    private(set) var isDirty = false

    var isHeld: Bool { held != nil }

    /// Goes on from the volume that the speaker has. Returns the percent that is wanted by now; nil if that is no other.
    /// - Parameters:
    ///   - distance: down, in pixels.
    ///   - height: that all of the volume stands for.
    mutating func move(by distance: Int, over height: Int, from percent: Int) -> Int? {
        let before = held ?? Float(percent)
        let now = min(100, max(0, before - Float(distance) * 100 / Float(max(1, height))))
        (held, until) = (now, nil)
        isDirty = true
        let isOther = Int(now.rounded()) != Int(before.rounded())
        shown = Int(now.rounded())
        return isOther ? shown : nil
    }

    /// The finger has gone. Returns whether there was one.
    mutating func drop(at moment: Int) -> Bool {
        guard isHeld else { return false }
        (held, until) = (nil, moment + Int(Motion.volumeBar * 1000))
        return true
    }

    /// When it goes; nil if it does not by itself.
    func ends(after moment: Int) -> Int? { until.map { max(moment, $0) } }

    private func isShown(at moment: Int) -> Bool { isHeld || until.map { moment < $0 } ?? false }

    /// Returns its place on a cover; nil if it is not seen.
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
