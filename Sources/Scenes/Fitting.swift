// SPDX-License-Identifier: Apache-2.0
import Design
import Pixels
import Typography

extension Stage {
    /// Sets a text in the first of the styles in which all of it has room, and cuts it only in the last.
    /// - Parameters:
    ///   - box: the room for the text, in pixels.
    ///   - mostLines: the most lines, however high the box is.
    func fit(
        _ text: String, _ styles: [TypeStyle], width: Int, height: Int, mostLines: Int = 8
    ) -> (set: TextLayout, style: TypeStyle) {
        for style in styles.dropLast() {
            let lines = min(mostLines, height / lineHeight(style))
            if lines < 1 { continue }
            let set = set(text, style, width: width, lines: lines)
            if !set.isTruncated && !set.hasTornWord { return (set, style) }
        }
        let last = styles.last ?? .body
        return (set(text, last, width: width, lines: max(1, min(mostLines, height / lineHeight(last)))), last)
    }

    /// Returns the first form that fits as a whole. It tries every way in the listener's text size, then in smaller letters, down to a
    /// little below the design. If none fits, it returns the last.
    /// - Parameter make: makes a form with letters scaled by this factor.
    func fitted<Way, Form: LetteredForm>(_ ways: [Way], _ make: (Float, Way) -> Form) -> Form {
        var form = make(1, ways[0])
        _ = letters { part in
            for way in ways where !form.isWhole { form = make(part, way) }
            return form.isWhole
        }
        return form
    }

    /// Returns the scale of letters at which each text fits in one line.
    func letters(_ texts: [String], _ style: TypeStyle, width: Int) -> Float {
        letters { part in texts.allSatisfy { !set($0, style.scaled(by: part), width: width).isTruncated } }
    }

    /// Returns the largest scale that fits, or the smallest if none does.
    private func letters(_ areWhole: (Float) -> Bool) -> Float {
        let least = Metrics.leastLetters / max(1, scale.textSize)
        var part: Float = 1
        while !areWhole(part) && part * Metrics.letterStep >= least { part *= Metrics.letterStep }
        return part
    }
}

/// A form that may be too large for its panel.
protocol LetteredForm {
    /// True if everything is visible, with whole words.
    var isWhole: Bool { get }
}
