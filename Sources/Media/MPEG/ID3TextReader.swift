// SPDX-License-Identifier: Apache-2.0
import Text

/// Reads terminated texts in a frame's encoding, and numbers.
public struct ID3TextReader {
    private enum Encoding { case latin1, utf16, utf16BigEndian, utf8 }

    private let body: [UInt8]
    private let encoding: Encoding
    /// The byte order of the last mark, for later texts without a mark.
    private var isLittleEndian = true
    public var position = 0
    public var isAtEnd: Bool { position >= body.count }

    /// Returns nil for an unknown encoding in the first byte. The texts begin at `position`.
    public init?(_ body: [UInt8]) {
        guard let first = body.first else { return nil }
        switch first {
        case 0: encoding = .latin1
        case 1: encoding = .utf16
        case 2: encoding = .utf16BigEndian
        case 3: encoding = .utf8
        default: return nil
        }
        self.body = body
    }

    /// Returns the text up to its terminator or the end of the frame, and moves past it.
    public mutating func text() -> [UInt8] {
        let start = min(position, body.count)
        var end = start
        if encoding == .utf16 || encoding == .utf16BigEndian {
            while end + 1 < body.count, body[end] != 0 || body[end + 1] != 0 { end += 2 }
            position = end + 2
        } else {
            while end < body.count, body[end] != 0 { end += 1 }
            position = end + 1
        }
        return decoded(start..<end)
    }

    /// Returns the rest. Terminators in it are dropped later, like other control characters.
    public mutating func rest() -> [UInt8] {
        let start = min(position, body.count)
        position = body.count
        return decoded(start..<body.count)
    }

    public mutating func bigEndian32() -> UInt32? {
        guard position + 4 <= body.count else { return nil }
        var value: UInt32 = 0
        for byte in body[position..<position + 4] { value = value << 8 | UInt32(byte) }
        position += 4
        return value
    }

    private mutating func decoded(_ range: Range<Int>) -> [UInt8] {
        switch encoding {
        // Many writers use other encodings for stated Latin-1; UTF-8 is recognized by its form.
        case .latin1, .utf8: return TextDecoding.utf8(fromSingleBytes: body, range)
        case .utf16BigEndian: return TextDecoding.utf16(body, range, littleEndian: false)
        case .utf16:
            var range = range
            if range.count >= 2 {
                let mark = (body[range.lowerBound], body[range.lowerBound + 1])
                if mark == (0xFF, 0xFE) || mark == (0xFE, 0xFF) {
                    isLittleEndian = mark.0 == 0xFF
                    range = range.lowerBound + 2..<range.upperBound
                }
            }
            return TextDecoding.utf16(body, range, littleEndian: isLittleEndian)
        }
    }
}
