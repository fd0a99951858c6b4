// SPDX-License-Identifier: Apache-2.0
import Text

/// The paragraphs of a book's text in UTF-8, one line each.
public enum BookText {
    /// Returns the paragraphs of plain text: empty lines separate them, other line breaks become spaces.
    /// - Parameter bytes: the text in valid UTF-8.
    public static func paragraphs(plain bytes: [UInt8]) -> [[UInt8]] {
        var writer = ParagraphWriter()
        var newlines = 0
        for byte in bytes {
            if byte == 0x0A {
                newlines += 1
                if newlines == 2 { writer.end() }
            } else if byte > 0x20 {
                newlines = 0
            }
            // These mark emphasis in texts without markup.
            if byte == UInt8(ascii: "_") || byte == UInt8(ascii: "*") { writer.put(0x20) } else { writer.put(byte) }
        }
        writer.end()
        return writer.paragraphs
    }

    /// Returns the paragraphs of HTML: block elements separate them; parts that are not read aloud are left out.
    /// - Parameter bytes: the document in valid UTF-8.
    /// - Returns: the paragraphs, and the ranges of headings (h1 to h6), in order. A heading of several lines has several paragraphs.
    public static func paragraphs(html bytes: [UInt8]) -> (paragraphs: [[UInt8]], headings: [Range<Int>]) {
        var writer = ParagraphWriter()
        var headings: [Range<Int>] = []
        /// The first paragraph of the present heading.
        var heading: Int?
        var at = 0
        // The element to skip, until its end.
        var silent: [UInt8]?
        while at < bytes.count {
            let byte = bytes[at]
            if byte == UInt8(ascii: "<"), let (name, isEnd, next) = tag(bytes, at) {
                at = next
                if let open = silent {
                    if isEnd && name == open { silent = nil }
                } else if !isEnd && isOne(name, of: "head script style rt rp template title") {
                    silent = name
                } else if isOne(
                    name, of: "b i em strong span a u q cite small big abbr font ruby rb code tt wbr sup sub")
                {
                    continue
                } else {
                    writer.end()
                }
                if name.count == 2, name[0] == UInt8(ascii: "h"), (0x31...0x36).contains(name[1]) {
                    if let first = heading, first < writer.paragraphs.count {
                        headings.append(first..<writer.paragraphs.count)
                    }
                    heading = isEnd ? nil : writer.paragraphs.count
                }
                continue
            }
            at += 1
            if silent != nil { continue }
            if byte == UInt8(ascii: "&"), let end = bytes[at...].prefix(12).firstIndex(of: UInt8(ascii: ";")),
                let value = HTMLSigns.scalar(bytes[at..<end]), let scalar = Unicode.Scalar(value)
            {
                at = end + 1
                // Soft hyphens are not read.
                if value != 0xAD { for unit in String(Character(scalar)).utf8 { writer.put(unit) } }
                continue
            }
            writer.put(byte)
        }
        writer.end()
        return (writer.paragraphs, headings)
    }

    /// Returns the language stated by an HTML document, in two letters.
    public static func language(html bytes: [UInt8]) -> String? {
        let head = bytes.prefix(2000)
        let mark = Array("lang=\"".utf8)
        guard head.count > 8 else { return nil }
        for at in 0..<head.count - 8 where head[at] == mark[0] && head[at..<at + 6].elementsEqual(mark) {
            let letters = head[at + 6..<at + 8].map { $0 | 0x20 }
            if letters.allSatisfy({ $0 >= 0x61 && $0 <= 0x7A }) { return String(decoding: letters, as: UTF8.self) }
        }
        return nil
    }

    /// Returns the tag's name in lower case, whether it is an end tag, and the place after it; nil without a tag.
    private static func tag(_ bytes: [UInt8], _ start: Int) -> (name: [UInt8], isEnd: Bool, next: Int)? {
        var at = start + 1
        let isComment = bytes[at...].prefix(3).elementsEqual("!--".utf8)
        let isEnd = at < bytes.count && bytes[at] == UInt8(ascii: "/")
        if isEnd { at += 1 }
        guard at < bytes.count, bytes[at].isLetter || bytes[at] == UInt8(ascii: "!") || bytes[at] == UInt8(ascii: "?")
        else { return nil }
        var name: [UInt8] = []
        while at < bytes.count, bytes[at].isLetter || bytes[at].isDigit, name.count < 16 {
            name.append(bytes[at] | 0x20)
            at += 1
        }
        while at < bytes.count {
            if bytes[at] == UInt8(ascii: ">") {
                if !isComment || bytes[at - 1] == UInt8(ascii: "-") && bytes[at - 2] == UInt8(ascii: "-") { break }
            }
            at += 1
        }
        return (isComment ? Array("b".utf8) : name, isEnd, min(bytes.count, at + 1))
    }

    private static func isOne(_ name: [UInt8], of names: StaticString) -> Bool {
        names.withUTF8Buffer { names in
            names.split(separator: 0x20).contains { $0.elementsEqual(name) }
        }
    }
}

/// Writes lines of text with single spaces between words.
private struct ParagraphWriter {
    private(set) var paragraphs: [[UInt8]] = []
    private var line: [UInt8] = []

    mutating func put(_ byte: UInt8) {
        if byte > 0x20 && byte != 0x7F {
            // A no-break space counts as a space, and soft hyphens are dropped (C2 A0, C2 AD).
            if let last = line.last, last == 0xC2, byte == 0xA0 || byte == 0xAD {
                line.removeLast()
                if byte == 0xA0 { put(0x20) }
            } else {
                line.append(byte)
            }
        } else if let last = line.last, last != 0x20 {
            line.append(0x20)
        }
    }

    mutating func end() {
        if line.last == 0x20 { line.removeLast() }
        // Ornaments and page numbers are not spoken.
        if line.contains(where: { $0.isLetter || $0 >= 0x80 }) { paragraphs.append(line) }
        line.removeAll()
    }
}
