// SPDX-License-Identifier: Apache-2.0
import Design
import Pixels
import Typography

/// A word in a capsule.
struct Pill {
    let text: String

    /// Returns a pill with the first text that fits, or the last text. Returns nil without texts.
    static func fitting(_ texts: [String], width: Int, _ stage: Stage) -> Pill? {
        guard let last = texts.last else { return nil }
        return texts.lazy.map { Pill(text: $0) }.first { $0.width(stage) <= width } ?? Pill(text: last)
    }

    func width(_ stage: Stage) -> Int {
        stage.set(text, .pill, width: stage.width).width + 2 * stage.pixels(Spacing.related)
    }

    /// Returns the height that its words need, at least the designed one.
    static func height(_ stage: Stage) -> Int { max(stage.pixels(Metrics.pillHeight), stage.lineHeight(.pill)) }

    /// - Parameter solid: opaque colors; nil for the theme's translucent ones.
    func draw(_ picture: Picture, _ frame: PixelRect, solid: (fill: Color, ink: Color)? = nil) {
        picture.canvas.fill(frame, radius: frame.height / 2, with: solid?.fill ?? picture.theme.pill)
        picture.write(
            text, .pill, in: frame, solid?.ink ?? picture.theme.text, align: .center, on: solid?.fill)
    }

    /// Returns colors that stand out on a cover.
    static func onCover(_ theme: Theme) -> (fill: Color, ink: Color) { (theme.solidPill, theme.solidPillText) }
}
