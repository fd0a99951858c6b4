// SPDX-License-Identifier: Apache-2.0
import Design
import Pixels
import Typography

/// The letter or the row that a running focus has reached, shown large over the list for a moment. Moments in milliseconds.
struct FocusSign {
    private static let stay = 900

    private var words = ""
    private var until = -1

    mutating func show(_ words: String, at moment: Int) { (self.words, until) = (words, moment + FocusSign.stay) }

    /// Returns when the sign disappears; nil if it is not shown.
    func end(after moment: Int) -> Int? { moment < until ? until : nil }

    /// Returns where the sign stands; nil if it is not shown.
    func place(_ stage: Stage, in content: PixelRect, at moment: Int) -> PixelRect? {
        if moment >= until { return nil }
        let height = stage.lineHeight(.largeTitle) + 2 * stage.pixels(Spacing.medium)
        let wide = stage.set(words, .largeTitle, width: content.width).width + 2 * stage.pixels(Spacing.large)
        return content.middle(width: min(content.width, max(height, wide)), height: min(content.height, height))
    }

    func draw(_ picture: Picture, in place: PixelRect) {
        picture.canvas.fill(place, radius: picture.stage.pixels(Radius.card), with: picture.theme.solid(0))
        picture.write(words, .largeTitle, in: place, picture.theme.text, align: .center)
    }
}
