// SPDX-License-Identifier: Apache-2.0
/// Sets times and other counters. If only digits change and all have one width, it replaces their glyphs without shaping. One thread.
public final class CountingText {
    private struct Known {
        let style: TextStyle
        let width: Int
        var text: [UInt32]
        var layout: TextLayout
    }

    private let typesetter: Typesetter
    private var known: [Known] = []
    /// The ten digit glyphs of each style; none if their widths differ.
    private var digits: [(style: TextStyle, glyphs: [UInt32])] = []
    private static let most = 8

    public init(_ typesetter: Typesetter) { self.typesetter = typesetter }

    /// Sets one line, as the typesetter does.
    public func set(_ text: String, _ style: TextStyle, width: Int) -> TextLayout {
        var characters: [UInt32] = []
        for scalar in text.unicodeScalars { characters.append(scalar.value) }
        for index in known.indices where known[index].style == style && known[index].width == width {
            if CountingText.differInDigits(known[index].text, characters), exchange(&known[index], characters) {
                return known[index].layout
            }
        }
        let layout = typesetter.set(text, style, width: width)
        if style.digitsAlike && layout.lines.count == 1 && !layout.isTruncated && !layout.isRightToLeft
            && layout.glyphs.count == characters.count
        {
            // The same few texts are used for hours.
            if known.count == CountingText.most { known.removeAll() }
            known.append(Known(style: style, width: width, text: characters, layout: layout))
        }
        return layout
    }

    private static func isDigit(_ character: UInt32) -> Bool { character >= 0x30 && character <= 0x39 }

    /// Returns true if the texts differ only in digits.
    private static func differInDigits(_ a: [UInt32], _ b: [UInt32]) -> Bool {
        if a.count != b.count { return false }
        for index in a.indices where a[index] != b[index] && !(isDigit(a[index]) && isDigit(b[index])) { return false }
        return true
    }

    /// Returns false if a glyph is not a known digit, as in a font with alternative digits beside some signs.
    private func exchange(_ known: inout Known, _ text: [UInt32]) -> Bool {
        let glyphs = digits(known.style)
        for index in text.indices where text[index] != known.text[index] {
            guard glyphs.count == 10, known.layout.glyphs[index].index == glyphs[Int(known.text[index]) - 0x30]
            else { return false }
            known.layout.glyphs[index].index = glyphs[Int(text[index]) - 0x30]
            known.text[index] = text[index]
        }
        return true
    }

    private func digits(_ style: TextStyle) -> [UInt32] {
        for made in digits where made.style == style { return made.glyphs }
        let all = typesetter.set("0123456789", style, width: .max >> 8).glyphs
        var glyphs = all.count == 10 ? all.map { $0.index } : []
        for index in all.indices.dropFirst(2) where all[index].x - all[index - 1].x != all[1].x - all[0].x {
            glyphs = []
        }
        digits.append((style, glyphs))
        return glyphs
    }
}
