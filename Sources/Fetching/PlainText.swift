// SPDX-License-Identifier: Apache-2.0
import Text

/// Reduces a text that may be HTML to its readable part.
enum PlainText {
    /// Returns one line: without markup, with HTML's entities replaced, and white space as one space.
    static func line(_ html: [UInt8], most: Int) -> [UInt8] {
        var plain: [UInt8] = []
        var at = 0
        let lastClose = html.lastIndex(of: UInt8(ascii: ">")) ?? 0
        func space() { if let last = plain.last, last != 0x20 { plain.append(0x20) } }
        while at < html.count && plain.count < most + 4 {
            let byte = html[at]
            if byte == UInt8(ascii: "<"), at + 1 < lastClose, let end = markEnd(html, at) {
                at = end
                space()
            } else if byte == UInt8(ascii: "&"), let (sign, length) = sign(html, at) {
                for unit in String(sign).utf8 { if unit <= 0x20 { space() } else { plain.append(unit) } }
                at += length
            } else if byte == 0xC2, at + 1 < html.count, html[at + 1] == 0xA0 {
                // A non-breaking space.
                space()
                at += 2
            } else {
                if byte <= 0x20 { space() } else { plain.append(byte) }
                at += 1
            }
        }
        return TextDecoding.tidied(plain, most: most)
    }

    /// Returns the place behind a tag; nil if it is none, or if another opens before its end.
    /// - Parameter at: the place of a "<" with a ">" somewhere behind it.
    private static func markEnd(_ html: [UInt8], _ at: Int) -> Int? {
        let byte = html[at + 1]
        let isComment = byte == UInt8(ascii: "!")
        guard isComment || byte == UInt8(ascii: "/") || byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A else { return nil }
        for end in at + 1..<html.count {
            if html[end] == UInt8(ascii: ">") { return end + 1 }
            if html[end] == UInt8(ascii: "<"), !isComment { return nil }
        }
        return nil
    }

    private static func sign(_ html: [UInt8], _ at: Int) -> (Unicode.Scalar, Int)? {
        guard let end = html[at...].prefix(12).firstIndex(of: UInt8(ascii: ";")), end > at + 1 else { return nil }
        guard let value = HTMLSigns.scalar(html[at + 1..<end]), let scalar = Unicode.Scalar(value) else { return nil }
        // Non-breaking spaces, and soft hyphens.
        let isSpace = value < 0x20 || value == 0xA0 || value == 0xAD
        return (isSpace ? " " : scalar, end - at + 1)
    }
}
