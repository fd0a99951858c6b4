// SPDX-License-Identifier: Apache-2.0
/// Converts UTF-16 to UTF-8 piece by piece.
public struct UTF16Decoder {
    private let isLittleEndian: Bool
    /// The bytes of an incomplete character at the end of a piece.
    private var rest: [UInt8] = []

    /// Removes the byte order mark. Returns nil if the text is not UTF-16, which the mark or the zero byte of the first character shows.
    ///
    /// - Parameters:
    ///   - bytes: the first two bytes, or more.
    ///   - needsMark: true requires the mark.
    public init?(begin bytes: inout [UInt8], needsMark: Bool = false) {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
        guard bytes.count >= 2 else { return nil }
        switch (bytes[0], bytes[1]) {
        case (0xFF, 0xFE), (0xFE, 0xFF):
            isLittleEndian = bytes[0] == 0xFF
            bytes.removeFirst(2)
        case (1..., 0) where !needsMark: isLittleEndian = true
        case (0, 1...) where !needsMark: isLittleEndian = false
        default: return nil
        }
    }

    public mutating func take(_ bytes: [UInt8]) -> [UInt8] {
        rest += bytes
        var count = rest.count & ~1
        // The first half of a pair waits for the second.
        if count >= 2, rest[count - (isLittleEndian ? 1 : 2)] & 0xFC == 0xD8 { count -= 2 }
        defer { rest.removeFirst(count) }
        return TextDecoding.utf16(rest, 0..<count, littleEndian: isLittleEndian)
    }
}
