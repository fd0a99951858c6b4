// SPDX-License-Identifier: Apache-2.0
import Design
import Pixels
import Typography

/// The sizes on the large and simple screens. A line's height is what is meant by a text's: 12 mm of it where the panel says how large it
/// is, and everywhere as much of the height as can be given away.
struct SimpleMeasures: Equatable {
    /// Of what plays, and of books.
    let title: TypeStyle
    /// Of those that have no room in the former.
    let smallTitle: TypeStyle
    /// Of all else.
    let words: TypeStyle
    /// Lines of the former two, in pixels.
    let titleLine: Int
    let wordsLine: Int
    /// Between things, and around them.
    let gap: Int
    /// 0 where the panel does not say how large it is.
    let leastButton: Int
    /// No line is lower, in pixels; 0 as before.
    let leastLine: Int
    /// There is room for a title and three buttons, and for nothing else.
    let isTiny: Bool

    init(_ stage: Stage) {
        let scale = stage.scale
        let side = Float(min(stage.width, stage.height))
        let density = scale.pixelsPerMillimetre ?? 0
        isTiny = scale.points(min(stage.width, stage.height)) < SimpleMetrics.tinySide
        let least = (SimpleMetrics.lineMillimetres * density).rounded(.up)
        let most = side * SimpleMetrics.mostTitlePart
        let wanted = isTiny ? most : side * SimpleMetrics.titlePart * max(1, scale.textSize)
        titleLine = Int(min(most, max(least, wanted)))
        let part = SimpleMetrics.wordsPart
        // Rounding takes nothing away from what is to be so high at least.
        wordsLine = Int(min((most * part).rounded(.up), max(least, (min(most, wanted) * part).rounded())))
        title = SimpleMeasures.style(titleLine, .bold, stage)
        smallTitle = SimpleMeasures.style(wordsLine, .bold, stage)
        words = SimpleMeasures.style(wordsLine, .semibold, stage)
        gap = max(stage.pixels(Spacing.small), Int(side * SimpleMetrics.gapPart))
        leastButton = Int((SimpleMetrics.buttonMillimetres * density).rounded(.up))
        leastLine = Int(least)
    }

    /// Letters for lines so many pixels high.
    static func style(_ line: Int, _ weight: FontWeight, _ stage: Stage) -> TypeStyle {
        let height = Float(line) / (stage.scale.factor * stage.scale.textSize)
        return TypeStyle(height / SimpleMetrics.leading, height, weight)
    }

    /// The largest letters in which all of a text is seen; the smallest, with an ellipsis, where those are none.
    func fitting(_ text: String, _ stage: Stage, width: Int, height: Int) -> TextLayout {
        func set(_ part: Float) -> TextLayout {
            // A low panel has no room for the least line: the other words are as small there.
            let line = max(min(leastLine, wordsLine), Int(Float(titleLine) * part))
            return stage.set(
                text, SimpleMeasures.style(line, .bold, stage), width: width, lines: max(1, height / line))
        }
        var found = set(1)
        for part in SimpleMetrics.titleSteps where found.isTruncated || found.height > height { found = set(part) }
        return found
    }

    /// Returns the width of a button with this word, in pixels.
    func width(of word: String, _ stage: Stage) -> Int {
        max(leastButton, stage.set(word, words, width: stage.width).width + 2 * gap)
    }

    /// Returns the least width of a title, as a multiple of its letters' size.
    func least(_ style: Int, _ times: Float) -> Int { Int(Float(style) / SimpleMetrics.leading * times) }
}
