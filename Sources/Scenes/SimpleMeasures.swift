// SPDX-License-Identifier: Apache-2.0
import Design
import Pixels
import Typography

/// The sizes on the large and simple screens. The height of a text means its line height. It is at least 12 mm if the panel's density is
/// known, and otherwise as high as the room allows.
struct SimpleMeasures: Equatable {
    /// The style of the playing title and of books.
    let title: TypeStyle
    /// The style of titles that are too long for `title`.
    let smallTitle: TypeStyle
    /// The style of all other words.
    let words: TypeStyle
    /// The line heights of title and words, in pixels.
    let titleLine: Int
    let wordsLine: Int
    /// The gap between things, and the margin.
    let gap: Int
    /// The least height of a button, in pixels; 0 if the panel's density is unknown.
    let leastButton: Int
    /// The least height of a line, in pixels; 0 if the panel's density is unknown.
    let leastLine: Int
    /// True if there is room for a title and three buttons only.
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
        // Rounding must not go below the least height.
        wordsLine = Int(min((most * part).rounded(.up), max(least, (min(most, wanted) * part).rounded())))
        title = SimpleMeasures.style(titleLine, .bold, stage)
        smallTitle = SimpleMeasures.style(wordsLine, .bold, stage)
        words = SimpleMeasures.style(wordsLine, .semibold, stage)
        gap = max(stage.pixels(Spacing.small), Int(side * SimpleMetrics.gapPart))
        leastButton = Int((SimpleMetrics.buttonMillimetres * density).rounded(.up))
        leastLine = Int(least)
    }

    /// Returns the style for lines of this height, in pixels.
    static func style(_ line: Int, _ weight: FontWeight, _ stage: Stage) -> TypeStyle {
        let height = Float(line) / (stage.scale.factor * stage.scale.textSize)
        return TypeStyle(height / SimpleMetrics.leading, height, weight)
    }

    /// Sets a text in the largest letters that show all of it, or in the smallest with an ellipsis.
    func fitting(_ text: String, _ stage: Stage, width: Int, height: Int) -> TextLayout {
        func set(_ part: Float) -> TextLayout {
            // A low panel has no room for the least line, so the title may be as small as other words.
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

    /// Returns the least width of a title, as a multiple of its letter size.
    func least(_ style: Int, _ times: Float) -> Int { Int(Float(style) / SimpleMetrics.leading * times) }
}
