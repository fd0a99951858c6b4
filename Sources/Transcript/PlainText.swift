// SPDX-License-Identifier: Apache-2.0
import Text

/// Text that a display can show directly: valid UTF-8 on one line, single spaces between words, no control characters, no markup.
struct PlainText {
    /// The greatest length of a text, ten minutes of speech; the rest is cut off.
    static let mostBytes = 16_384

    /// The markup of a format between the words.
    enum Markup {
        case none
        /// Tags, style overrides and entities of SubRip and WebVTT.
        case cue
        /// The same, plus word stamps in square brackets.
        case lyrics
    }

    private(set) var bytes: [UInt8] = []
    /// True if white space was skipped since the last word.
    private var needsSpace = false
    /// The start of the present text, before which no space is needed.
    private var start = 0

    init(reservingBytes count: Int) {
        bytes.reserveCapacity(count)
    }

    /// Begins a new text.
    mutating func begin() {
        start = bytes.count
        needsSpace = false
    }

    /// The text since `begin`.
    var current: Range<Int> { start..<bytes.count }

    /// Removes everything after the first `count` bytes.
    mutating func truncate(to count: Int) {
        bytes.removeLast(bytes.count - count)
    }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        begin()
    }

    /// Hands the text over.
    mutating func takeBytes() -> [UInt8] {
        let taken = bytes
        bytes = []
        return taken
    }

    /// Returns the FNV-1a hash.
    func hash(of range: Range<Int>) -> UInt32 {
        bytes[range].reduce(0x811C_9DC5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    }

    /// Appends a line of valid UTF-8, separated by a space from the present text.
    ///
    /// - Returns: the range of the appended bytes, without that space.
    @discardableResult
    mutating func append(_ source: [UInt8], _ range: Range<Int>, markup: Markup) -> Range<Int> {
        needsSpace = true
        let before = bytes.count
        var index = range.lowerBound
        // Keep room for a character after the space: no text ends in a space.
        while index < range.upperBound, bytes.count - start < PlainText.mostBytes - 1 {
            // Most of it is letters, so append whole words.
            let word = index
            while index < range.upperBound, PlainText.isLetter(source[index]) { index += 1 }
            if index > word {
                putSpace()
                bytes.append(contentsOf: source[word..<min(index, word + start + PlainText.mostBytes - bytes.count)])
                continue
            }
            let byte = source[index]
            if markup != .none, let end = skipMarkup(source, index..<range.upperBound, markup) {
                index = end
            } else if byte < 0x80 {
                append(UInt32(byte))
                index += 1
            } else {
                let length = TextDecoding.sequenceLength(source, at: index)
                if length > 0 { append(scalar(source, at: index, length: length)) }
                index += max(length, 1)
            }
        }
        let isParted = bytes.count > before && before > start
        return before + (isParted ? 1 : 0)..<bytes.count
    }

    /// Continues the last word.
    ///
    /// - Parameter letter: one well-formed UTF-8 sequence.
    mutating func complete(with letter: [UInt8]) {
        needsSpace = false
        append(scalar(letter, at: 0, length: letter.count))
    }

    /// Appends a displayable scalar; records white space; drops controls, byte order and direction marks, soft hyphens.
    private mutating func append(_ scalar: UInt32) {
        switch scalar {
        case 0x20, 0x09...0x0D, 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000:
            needsSpace = true
        case 0..<0x20, 0x7F..<0xA0, 0xAD, 0x061C, 0x180E, 0x200B, 0x200E, 0x200F, 0x202A...0x202E, 0x2060...0x206F,
            0xFEFF,
            0xFFF9...0xFFFB, 0xD800..<0xE000, 0x110000...:
            break
        default:
            putSpace()
            bytes.appendUTF8(scalar)
        }
    }

    private mutating func putSpace() {
        if needsSpace, bytes.count > start { bytes.append(UInt8(ascii: " ")) }
        needsSpace = false
    }

    /// Returns true for an ASCII byte that is neither white space nor a control character, and cannot start markup.
    private static func isLetter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "<"), UInt8(ascii: "&"), UInt8(ascii: "["), UInt8(ascii: "\\"), UInt8(ascii: "{"): false
        default: byte > 0x20 && byte < 0x7F
        }
    }

    private func scalar(_ source: [UInt8], at index: Int, length: Int) -> UInt32 {
        var scalar = UInt32(source[index]) & (length == 2 ? 0x1F : length == 3 ? 0x0F : 0x07)
        for continuation in index + 1..<index + length {
            scalar = scalar << 6 | UInt32(source[continuation] & 0x3F)
        }
        return scalar
    }

    // MARK: - Markup

    /// Returns the end of the markup at the start of `range`, nil for text. Appends the text that the markup means.
    private mutating func skipMarkup(_ source: [UInt8], _ range: Range<Int>, _ markup: Markup) -> Int? {
        switch source[range.lowerBound] {
        case UInt8(ascii: "<"):
            return skipTag(source, range)
        case UInt8(ascii: "["):
            return markup == .lyrics ? stampEnd(source, range, close: UInt8(ascii: "]")) : nil
        case UInt8(ascii: "{"):
            // {\an8} of Advanced SubStation, {y:i} of MicroDVD.
            guard range.count > 2 else { return nil }
            let next = source[range.lowerBound + 1]
            let isOverride =
                next == UInt8(ascii: "\\")
                || (next.isLetter && source[range.lowerBound + 2] == UInt8(ascii: ":"))
            return isOverride ? end(of: UInt8(ascii: "}"), opened: UInt8(ascii: "{"), source, range) : nil
        case UInt8(ascii: "\\"):
            // \N and \h of Advanced SubStation: line break and hard space.
            guard range.count > 1 else { return nil }
            let next = source[range.lowerBound + 1]
            guard next == UInt8(ascii: "N") || next == UInt8(ascii: "h") else { return nil }
            needsSpace = true
            return range.lowerBound + 2
        case UInt8(ascii: "&"):
            return appendEntity(source, range)
        default:
            return nil
        }
    }

    /// Skips a tag, which starts with a letter or a slash; `a < b` and `<3` are text. Line breaks become a space.
    private mutating func skipTag(_ source: [UInt8], _ range: Range<Int>) -> Int? {
        guard range.count > 2 else { return nil }
        let next = source[range.lowerBound + 1]
        if next.isDigit { return stampEnd(source, range, close: UInt8(ascii: ">")) }
        guard next.isLetter || next == UInt8(ascii: "/"),
            let end = end(of: UInt8(ascii: ">"), opened: UInt8(ascii: "<"), source, range)
        else { return nil }
        let second = source[range.lowerBound + 2]
        if next | 0x20 == UInt8(ascii: "b"), second | 0x20 == UInt8(ascii: "r") { needsSpace = true }
        return end
    }

    /// Returns the place after the closing byte, if it comes before another opening one. So many unclosed ones take only linear time.
    private func end(of close: UInt8, opened open: UInt8, _ source: [UInt8], _ range: Range<Int>) -> Int? {
        for index in range.dropFirst() {
            if source[index] == close { return index + 1 }
            if source[index] == open { return nil }
        }
        return nil
    }

    /// Returns the place after a word stamp such as `<01:02.50>`.
    private func stampEnd(_ source: [UInt8], _ range: Range<Int>, close: UInt8) -> Int? {
        var hasColon = false
        for index in range.dropFirst() {
            let byte = source[index]
            if byte == close { return hasColon ? index + 1 : nil }
            if byte == UInt8(ascii: ":") {
                hasColon = true
            } else if !byte.isDigit && byte != UInt8(ascii: ".") {
                return nil
            }
        }
        return nil
    }

    /// Appends the character of `&name;`, `&#233;` or `&#xE9;`. An unknown name is text.
    private mutating func appendEntity(_ source: [UInt8], _ range: Range<Int>) -> Int? {
        let nameStart = range.lowerBound + 1
        guard let nameEnd = source[range].prefix(12).firstIndex(of: UInt8(ascii: ";")), nameEnd > nameStart else {
            return nil
        }
        guard let scalar = HTMLSigns.scalar(source[nameStart..<nameEnd]) else { return nil }
        append(scalar)
        return nameEnd + 1
    }
}
