// SPDX-License-Identifier: Apache-2.0
import Core
import Media
import Text

/// The lines of a playlist (RFC 8216, 4.1), and their parts. Each is a range of its bytes.
struct PlaylistLines {
    private let bytes: [UInt8]
    private var at = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Returns the next line that is not empty; nil behind the last.
    mutating func next() -> Range<Int>? {
        while at < bytes.count {
            let start = at
            while at < bytes.count && bytes[at] != 0x0A { at += 1 }
            var end = at
            at += 1
            while end > start && bytes[end - 1] <= 0x20 { end -= 1 }
            if end > start { return start..<end }
        }
        return nil
    }

    /// Returns the value behind a tag's name; nil if the line has another tag.
    func value(_ line: Range<Int>, _ tag: StaticString) -> Range<Int>? {
        let count = tag.utf8CodeUnitCount
        guard line.count >= count,
            tag.withUTF8Buffer({ bytes[line.lowerBound..<line.lowerBound + count].elementsEqual($0) })
        else { return nil }
        return line.lowerBound + count..<line.upperBound
    }

    /// Returns an attribute of a list `NAME=VALUE,NAME="VALUE"`, without quotes.
    func attribute(_ list: Range<Int>, _ name: StaticString) -> Range<Int>? {
        var at = list.lowerBound
        while at < list.upperBound {
            while at < list.upperBound && (bytes[at] == UInt8(ascii: ",") || bytes[at] == 0x20) { at += 1 }
            let start = at
            while at < list.upperBound && bytes[at] != UInt8(ascii: "=") { at += 1 }
            let isWanted = name.withUTF8Buffer { bytes[start..<at].elementsEqual($0) }
            at += 1
            guard at < list.upperBound else { return nil }
            var value = at..<at
            if bytes[at] == UInt8(ascii: "\"") {
                at += 1
                let first = at
                while at < list.upperBound && bytes[at] != UInt8(ascii: "\"") { at += 1 }
                value = first..<at
                at += 1
            } else {
                while at < list.upperBound && bytes[at] != UInt8(ascii: ",") { at += 1 }
                value = value.lowerBound..<at
            }
            if isWanted { return value }
        }
        return nil
    }

    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    func isSame(_ range: Range<Int>, _ word: StaticString) -> Bool {
        word.withUTF8Buffer { bytes[range].elementsEqual($0) }
    }

    func holds(_ range: Range<Int>, _ word: StaticString) -> Bool {
        let count = word.utf8CodeUnitCount
        guard range.count >= count else { return false }
        return word.withUTF8Buffer { word in
            for at in range.lowerBound...(range.upperBound - count) where bytes[at..<at + count].elementsEqual(word) {
                return true
            }
            return false
        }
    }

    /// Parses decimal digits at the start; nil for none, or for too many.
    func number(_ range: Range<Int>) -> Int64? {
        ResponseHead.number(bytes[range].prefix { $0 >= 0x30 && $0 <= 0x39 })
    }

    /// Parses seconds with a fraction as milliseconds, up to a day.
    func milliseconds(_ range: Range<Int>) -> Int? {
        let digits = bytes[range].prefix { $0.isDigit || $0 == UInt8(ascii: ".") }
        // Enough digits for a millisecond of a day.
        return Chapter.milliseconds(Array(digits.prefix(9))).flatMap { $0 < 86_401_000 ? $0 : nil }
    }
}
