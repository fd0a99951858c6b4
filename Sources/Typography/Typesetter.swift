// SPDX-License-Identifier: Apache-2.0
import FriBidi
import HarfBuzz
import Posix

/// Sets text in lines of glyphs: fonts, directions, shaping, line breaks, and the ellipsis of a long text. One thread.
public final class Typesetter {
    /// Characters of one font, script and direction, with their glyphs from left to right.
    private struct Run {
        var font: Int
        var script: UInt32
        var level: Int8
        var range: Range<Int>
        var glyphs: [ShapedFont.Glyph] = []
    }

    public let fonts: FontBook
    private var bidi: BidiLibrary?
    private var lacksBidi = false
    /// The number of texts shaped so far.
    public private(set) var textsShaped = 0

    public init(_ fonts: FontBook) { self.fonts = fonts }

    /// Sets a text.
    /// - Parameters:
    ///   - width: the width of the lines, in pixels.
    ///   - limit: the greatest number of lines.
    public func set(_ text: String, _ style: TextStyle, width: Int, lines limit: Int = 1) -> TextLayout {
        set(Typesetter.characters(text), style, width: width, lines: limit, nil)
    }

    /// Sets a text on the lines of the same text in a heavier weight, so that nothing moves while one fades into the other. Each letter
    /// takes the heavier one's place, which is much cheaper than shaping. If a font joins or changes letters, only the lines are the same.
    /// - Parameters:
    ///   - width: the width of the lines, in pixels.
    ///   - limit: the greatest number of lines.
    public func set(
        _ text: String, _ style: TextStyle, over heavier: TextLayout, width: Int, lines limit: Int
    ) -> TextLayout {
        let characters = Typesetter.characters(text)
        return lighter(characters, style, heavier) ?? set(characters, style, width: width, lines: limit, heavier)
    }

    private func lighter(_ text: [UInt32], _ style: TextStyle, _ heavier: TextLayout) -> TextLayout? {
        if style.size != heavier.style.size || style.lineHeight != heavier.style.lineHeight { return nil }
        var layout = heavier
        layout.style = style
        var isPaired = false
        for (index, glyph) in heavier.glyphs.enumerated() {
            var other = fonts.other(glyph.font, glyph.index, style.weight)
            if other == nil && !isPaired {
                fonts.pair(text + [Typesetter.ellipsis, Typesetter.hyphen], heavier.style.weight, with: style.weight)
                isPaired = true
                other = fonts.other(glyph.font, glyph.index, style.weight)
            }
            guard let other else { return nil }
            layout.glyphs[index].font = other.font
            layout.glyphs[index].index = other.glyph
        }
        return layout
    }

    /// The most characters to set, more than any screen shows.
    private static let mostCharacters = 8192

    /// Returns the characters to set, in the same number. A stranger's text must not control the layout: an invisible word joiner replaces
    /// each mark of embedding or isolation. (Some hundred isolates make libfribidi 1.0.8 of Debian 12 write into freed memory.)
    private static func characters(_ text: String) -> [UInt32] {
        var characters: [UInt32] = []
        characters.reserveCapacity(min(text.utf8.count, mostCharacters))
        for scalar in text.unicodeScalars {
            if characters.count == mostCharacters { break }
            if (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value) {
                characters.append(0x2060)
                continue
            }
            // Line breaks of the text are dropped: titles have none, and those of sentences belong to other panels.
            characters.append(
                scalar.value < 0x20 || scalar.value == 0x2028 || scalar.value == 0x2029 ? 0x20 : scalar.value)
        }
        return characters
    }

    private func set(
        _ text: [UInt32], _ style: TextStyle, width: Int, lines limit: Int, _ heavier: TextLayout?
    ) -> TextLayout {
        var layout = TextLayout(style: style)
        layout.characterCount = text.count
        guard let first = fonts.first(style.weight) else { return layout }
        layout.baseline = baseline(fonts.fonts[first], style)
        if text.isEmpty || limit < 1 { return layout }
        let (levels, isRightToLeft) = self.levels(text)
        layout.isRightToLeft = isRightToLeft
        var runs = self.runs(text, levels, style.weight)
        textsShaped += 1
        for index in runs.indices { shape(&runs[index], text, style) }
        let widths = clusterWidths(text.count, runs, style)
        let room = width << 6
        var start = 0
        while start < text.count && layout.lines.count < limit {
            while start < text.count && LineBreaks.isSpace(text[start]) { start += 1 }
            if start == text.count { break }
            let isLast = layout.lines.count == limit - 1
            var end = lineEnd(text, widths, from: start, room: room)
            if let heavier, !isLast, layout.lines.count < heavier.lines.count {
                end = max(start + 1, min(text.count, heavier.lines[layout.lines.count].characters.upperBound))
            }
            if isLast && end < text.count && hasMore(text, from: end) {
                truncate(text, widths, runs, from: start, room: room, &layout)
                return layout
            }
            if isTorn(text, at: end, from: start) {
                layout.hasTornWord = true
                let hyphen = sign(Typesetter.hyphen, &layout)
                if heavier == nil { end = self.end(widths, start..<end, room: room - self.width(hyphen, style)) }
                append(runs, start..<end, style, &layout, sign: hyphen)
            } else {
                append(runs, trimmed(text, start..<end), style, &layout)
            }
            start = end
        }
        return layout
    }

    // MARK: Directions, fonts and scripts

    private func levels(_ text: [UInt32]) -> ([Int8], Bool) {
        var needs = false
        for character in text where character >= 0x590 {
            // These ranges include all right-to-left scripts.
            if character <= 0x8FF || character >= 0xFB1D && character <= 0xFEFF
                || character >= 0x10800 && character <= 0x1EFFF
                || character >= 0x200F && character <= 0x202E || character >= 0x2066 && character <= 0x2069
            {
                needs = true
                break
            }
        }
        if needs && bidi == nil && !lacksBidi {
            bidi = try? BidiLibrary()
            lacksBidi = bidi == nil
        }
        guard needs, let bidi else { return ([Int8](repeating: 0, count: text.count), false) }
        let (whole, isRightToLeft) = bidi.levels(of: text)
        if Typesetter.partEnd(text, from: 0) == text.count { return (whole, isRightToLeft) }
        // Joined texts, such as "11 min · …", have separate directions: a number belongs to its own words.
        var levels: [Int8] = []
        levels.reserveCapacity(text.count)
        var parts = 0
        while levels.count < text.count {
            let start = levels.count
            parts += 1
            let end = parts < Typesetter.mostParts ? Typesetter.partEnd(text, from: start) : text.count
            if end > start {
                let (own, isOpposite) = bidi.levels(of: Array(text[start..<end]))
                let base: Int8 = isRightToLeft && !isOpposite ? 2 : 0
                for level in own { levels.append(min(level, Typesetter.highestLevel) + base) }
            }
            for _ in end..<min(text.count, end + 3) { levels.append(isRightToLeft ? 1 : 0) }
        }
        return (levels, isRightToLeft)
    }

    /// FriBidi's limit, minus the level added for a part.
    private static let highestLevel: Int8 = 120
    /// The most parts of a text; the last one contains the rest.
    private static let mostParts = 16

    /// Returns the place of the next " · " or " — ", or the text's end.
    private static func partEnd(_ text: [UInt32], from start: Int) -> Int {
        for index in start..<max(start, text.count - 2)
        where text[index] == 0x20 && text[index + 2] == 0x20 && (text[index + 1] == 0xB7 || text[index + 1] == 0x2014) {
            return index
        }
        return text.count
    }

    /// Returns true if the character combines with the one before, in any font.
    private func joins(_ character: UInt32) -> Bool {
        if character < 0x300 { return false }
        switch character {
        case 0x200C, 0x200D, 0x20E3, 0xFE00...0xFE0F, 0x1F3FB...0x1F3FF, 0xE0020...0xE007F: return true
        default: return fonts.harfBuzz.isMark(character)
        }
    }

    private func runs(_ text: [UInt32], _ levels: [Int8], _ weight: FontWeight) -> [Run] {
        var runs: [Run] = []
        for (index, character) in text.enumerated() {
            let isPicture = index + 1 < text.count && text[index + 1] == 0xFE0F
            let script = character < 0x80 ? 0 : fonts.harfBuzz.script(of: character)
            let last = runs.count - 1
            let isLetter = character < 0x80 && (character | 0x20) >= 0x61 && (character | 0x20) <= 0x7A
            let own = isLetter ? Typesetter.latin : HarfBuzzLibrary.isCommon(script) ? 0 : script
            if last >= 0, levels[index] == runs[last].level,
                // After a joiner comes the joined character.
                joins(character) || text[index - 1] == 0x200D
            {
                runs[last].range = runs[last].range.lowerBound..<index + 1
                continue
            }
            // A space takes the font around it: another font would split words that are shaped as one run. A picture font's space is too
            // wide.
            let isSpace = LineBreaks.isSpace(character)
            let font =
                isSpace && last >= 0 && !fonts.fonts[runs[last].font].isColored
                ? runs[last].font : fonts.font(for: character, weight, isPicture: isPicture) ?? 0
            if last >= 0, levels[index] == runs[last].level, font == runs[last].font,
                own == 0 || runs[last].script == 0 || own == runs[last].script
            {
                if runs[last].script == 0 { runs[last].script = own }
                runs[last].range = runs[last].range.lowerBound..<index + 1
            } else {
                runs.append(Run(font: font, script: own, level: levels[index], range: index..<index + 1))
            }
        }
        return runs
    }

    private static let latin: UInt32 = 0x4C61_746E
    private static let ellipsis: UInt32 = 0x2026
    private static let hyphen: UInt32 = 0x2D

    private func shape(_ run: inout Run, _ text: [UInt32], _ style: TextStyle) {
        run.glyphs = fonts.fonts[run.font].shaped.shape(
            text, run.range, script: run.script, isRightToLeft: run.level & 1 != 0, digitsAlike: style.digitsAlike)
    }

    // MARK: Widths and lines

    /// Returns the width of the cluster that begins with each character, in 64ths of a pixel; -1 if none begins there.
    private func clusterWidths(_ count: Int, _ runs: [Run], _ style: TextStyle) -> [Int] {
        var widths = [Int](repeating: -1, count: count)
        for run in runs {
            let units = fonts.fonts[run.font].unitsPerSize
            for glyph in run.glyphs {
                let width = scaled(glyph.advance, units, style) + tracking(run, glyph, style)
                widths[glyph.cluster] = max(0, widths[glyph.cluster]) + width
            }
        }
        return widths
    }

    private func scaled(_ units: Int, _ unitsPerSize: Int, _ style: TextStyle) -> Int {
        let product = units * style.size
        return (product + (product < 0 ? -1 : 1) * unitsPerSize / 2) / unitsPerSize
    }

    /// Joined letters get no tracking.
    private func tracking(_ run: Run, _ glyph: ShapedFont.Glyph, _ style: TextStyle) -> Int {
        if glyph.advance == 0 || run.script != Typesetter.latin && run.script != 0 { return 0 }
        return style.tracking * style.size / 1000
    }

    /// Returns the end of the line that begins at `start`, which is the next line's start.
    private func lineEnd(_ text: [UInt32], _ widths: [Int], from start: Int, room: Int) -> Int {
        var width = 0
        var lastBreak = start
        var index = start
        while index < text.count {
            if index > start, widths[index] >= 0, LineBreaks.allowed(after: text[index - 1], before: text[index]) {
                lastBreak = index
            }
            width += max(0, widths[index])
            // Spaces may extend beyond the line.
            if width > room && !LineBreaks.isSpace(text[index]) && index > start && widths[index] > 0 {
                return lastBreak > start ? lastBreak : index
            }
            index += 1
        }
        return text.count
    }

    private func hasMore(_ text: [UInt32], from index: Int) -> Bool {
        for character in text[index...] where !LineBreaks.isSpace(character) { return true }
        return false
    }

    private func trimmed(_ text: [UInt32], _ range: Range<Int>) -> Range<Int> {
        var end = range.upperBound
        while end > range.lowerBound && LineBreaks.isSpace(text[end - 1]) { end -= 1 }
        return range.lowerBound..<end
    }

    /// Returns true if a line's end there divides a left-to-right word of separate letters.
    private func isTorn(_ text: [UInt32], at end: Int, from start: Int) -> Bool {
        if end >= text.count || end - start < 2 || LineBreaks.allowed(after: text[end - 1], before: text[end]) {
            return false
        }
        return LineBreaks.isLetter(text[end - 1]) && LineBreaks.isLetter(text[end])
    }

    /// Shapes a character that the text does not contain.
    private func sign(_ character: UInt32, _ layout: inout TextLayout) -> Run {
        var run = Run(
            font: fonts.font(for: character, layout.style.weight) ?? 0, script: 0,
            level: layout.isRightToLeft ? 1 : 0, range: 0..<1)
        shape(&run, [character], layout.style)
        return run
    }

    private func width(_ sign: Run, _ style: TextStyle) -> Int {
        sign.glyphs.reduce(0) { $0 + scaled($1.advance, fonts.fonts[sign.font].unitsPerSize, style) }
    }

    /// Returns the end of the last cluster that fits; with `isLeast`, at least the first one.
    private func end(_ widths: [Int], _ range: Range<Int>, room: Int, isLeast: Bool = true) -> Int {
        var end = range.lowerBound
        var width = 0
        for index in range where widths[index] >= 0 {
            if width + widths[index] > room && !(isLeast && end == range.lowerBound) { break }
            width += widths[index]
            end = index + 1
            while end < range.upperBound && widths[end] < 0 { end += 1 }
        }
        return end
    }

    /// Makes the last line, with as many clusters as leave room for the ellipsis.
    private func truncate(
        _ text: [UInt32], _ widths: [Int], _ runs: [Run], from start: Int, room: Int, _ layout: inout TextLayout
    ) {
        layout.isTruncated = true
        let dots = sign(Typesetter.ellipsis, &layout)
        let end = self.end(widths, start..<text.count, room: room - width(dots, layout.style), isLeast: false)
        // Remove a comma or dash before an ellipsis.
        var range = trimmed(text, start..<wordEnd(text, widths, start..<end))
        while let last = text[range].last, LineBreaks.isBeforeMore(last) {
            range = trimmed(text, range.lowerBound..<range.upperBound - 1)
        }
        append(runs, range, layout.style, &layout, sign: dots)
    }

    /// The most characters to drop to end at a whole word.
    private static let nearestWordEnd = 7

    /// Returns the end of the visible text before an ellipsis: the end of a word, if one is near.
    private func wordEnd(_ text: [UInt32], _ widths: [Int], _ range: Range<Int>) -> Int {
        var end = range.upperBound
        if end >= text.count || range.isEmpty { return end }
        var left = Typesetter.nearestWordEnd
        while left > 0 && end > range.lowerBound + range.count / 2 {
            if widths[end] >= 0,
                LineBreaks.isSpace(text[end]) || LineBreaks.allowed(after: text[end - 1], before: text[end])
            {
                return end
            }
            end -= 1
            left -= 1
        }
        return range.upperBound
    }

    /// Appends the glyphs of some characters to a line, from left to right.
    private func append(
        _ runs: [Run], _ range: Range<Int>, _ style: TextStyle, _ layout: inout TextLayout, sign: Run? = nil
    ) {
        var parts: [(run: Run, range: Range<Int>)] = []
        for run in runs where run.range.overlaps(range) { parts.append((run, run.range.clamped(to: range))) }
        if let sign { parts.append((sign, sign.range)) }
        let first = layout.glyphs.count
        var x = 0
        for index in Typesetter.visualOrder(parts.map { $0.run.level }) {
            let (run, part) = parts[index]
            let isSign = sign != nil && index == parts.count - 1
            let units = fonts.fonts[run.font].unitsPerSize
            for glyph in run.glyphs where part.contains(glyph.cluster) {
                layout.glyphs.append(
                    TextLayout.Glyph(
                        font: run.font, index: glyph.index, x: x + scaled(glyph.right, units, style),
                        y: scaled(glyph.up, units, style),
                        character: isSign ? range.upperBound : glyph.cluster))
                x += scaled(glyph.advance, units, style) + tracking(run, glyph, style)
            }
        }
        layout.lines.append(TextLayout.Line(glyphs: first..<layout.glyphs.count, width: x, characters: range))
    }

    /// Returns the order of parts from the left: right-to-left parts are reversed, level by level.
    static func visualOrder(_ levels: [Int8]) -> [Int] {
        var order = Array(levels.indices)
        var level = levels.max() ?? 0
        while level > 0 {
            var index = 0
            while index < order.count {
                if levels[order[index]] < level {
                    index += 1
                    continue
                }
                var end = index
                while end < order.count && levels[order[end]] >= level { end += 1 }
                order[index..<end].reverse()
                index = end
            }
            level -= 1
        }
        return order
    }

    /// Returns the baseline that centers letters in their line.
    private func baseline(_ font: FontBook.Font, _ style: TextStyle) -> Int {
        let up = scaled(font.ascender, font.unitsPerSize, style)
        let down = -scaled(font.descender, font.unitsPerSize, style)
        return (((style.lineHeight << 6) - up - down) / 2 + up + 32) >> 6
    }
}
