// SPDX-License-Identifier: Apache-2.0
/// Sets times and other texts that count on: if only digits change and all digits have one width, it replaces their glyphs and shapes
/// nothing. One thread.
public final class CountingText {
    private struct Known {
        let style: TextStyle
        let width: Int
        var text: [UInt32]
        var layout: TextLayout
    }

    private let typesetter: Typesetter
    private var known: [Known] = []
    /// Ten glyphs for each style; none where they are not as wide as each other.
    private var digits: [(style: TextStyle, glyphs: [UInt32])] = []
    private static let most = 8

    public init(_ typesetter: Typesetter) { self.typesetter = typesetter }

    /// One line, as the typesetter sets it.
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
            // The same few texts come for hours.
            if known.count == CountingText.most { known.removeAll() }
            known.append(Known(style: style, width: width, text: characters, layout: layout))
        }
        return layout
    }

    private static func isDigit(_ character: UInt32) -> Bool { character >= 0x30 && character <= 0x39 }

    /// In nothing else.
    private static func differInDigits(_ a: [UInt32], _ b: [UInt32]) -> Bool {
        if a.count != b.count { return false }
        for index in a.indices where a[index] != b[index] && !(isDigit(a[index]) && isDigit(b[index])) { return false }
        return true
    }

    /// Returns false where a glyph is none of the digits', as in a font that has others beside some signs.
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
