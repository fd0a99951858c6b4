// SPDX-License-Identifier: Apache-2.0
import Design
import Pixels
import Text

/// The heart that bounces when something becomes a favorite: on its button, or large on the artwork after a double tap.
struct HeartBurst {
    private var start = Int.min / 2
    private var isSmall = true

    mutating func begin(at moment: Int, isSmall: Bool) {
        start = moment
        self.isSmall = isSmall
    }

    func isMoving(at moment: Int) -> Bool { moment < start + Int(Motion.heart * 1000) + 20 }

    /// Returns where the heart is seen; nil when it is over.
    func place(_ stage: Stage, heart: PixelRect, artwork: PixelRect, at moment: Int) -> PixelRect? {
        if moment >= start + Int(Motion.heart * 1000) || moment < start || stage.comfort.reducesMotion { return nil }
        if isSmall { return heart }
        let side = min(stage.pixels(Metrics.burst) * 3 / 2, min(artwork.width, artwork.height))
        return artwork.middle(width: side, height: side)
    }

    func draw(_ picture: Picture, in place: PixelRect, at moment: Int) {
        let time = Float(moment - start) / 1000
        let size = Spring.like.value(at: time)
        let theme = picture.theme
        if isSmall {
            picture.draw(
                .heartFilled, in: place,
                points: Metrics.symbol * (Metrics.bounceLeast + Metrics.bounceMost * swing(time)), theme.favourite)
            return
        }
        // The heart springs in, and fades during the last third of its time.
        let rest = min(1, (Motion.heart - time) / (Motion.heart / 3))
        picture.draw(
            .heartFilled, in: place, points: Metrics.burst * (Metrics.burstStart + (1 - Metrics.burstStart) * size),
            theme.burst.opacity(max(0, rest)))
    }

    /// Returns the swing up and back: 0 … 1 … 0, and a little beyond.
    private func swing(_ time: Float) -> Float {
        let value = Spring.like.value(at: time)
        return 4 * value * (1 - min(1, value)) + min(1, value) * 0.57
    }
}

/// The sign that the transcript waits for the hand, with the way back.
struct FollowPill {
    let area: PixelRect

    private static var label: String { translated("Back to now") }
    private static var words: String { label + " ↓" }

    func frame(_ stage: Stage) -> PixelRect {
        var room = area
        _ = room.cutBottom(stage.pixels(Spacing.small))
        return room.bottom(Pill.height(stage)).middle(width: min(area.width, Pill(text: FollowPill.words).width(stage)))
    }

    func draw(_ picture: Picture) {
        let frame = frame(picture.stage)
        Pill(text: FollowPill.words).draw(picture, frame, solid: Pill.onCover(picture.theme))
        picture.add(
            frame.middle(height: max(frame.height, picture.stage.pixels(Metrics.target))), FollowPill.label,
            hint: translated("goes back to what is spoken"), action: .dismiss)
    }
}
