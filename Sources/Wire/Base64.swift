// SPDX-License-Identifier: Apache-2.0
/// Base64: RFC 4648, with `=` at the end.
package enum Base64 {
    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    package static func text(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var at = bytes.startIndex
        while at < bytes.endIndex {
            let left = bytes.endIndex - at
            var group = UInt32(bytes[at]) << 16
            if left > 1 { group |= UInt32(bytes[at + 1]) << 8 }
            if left > 2 { group |= UInt32(bytes[at + 2]) }
            for place in 0..<4 {
                let letter = letters[Int(group >> UInt32(18 - 6 * place) & 63)]
                text.append(place > left ? UInt8(ascii: "=") : letter)
            }
            at += 3
        }
        return text
    }

    /// Decodes a text; nil if it is no Base64.
    package static func bytes(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count / 4 * 3)
        var group: UInt32 = 0
        var count = 0
        var padding = 0
        for byte in text.utf8 {
            let value: UInt8
            switch byte {
            case 0x41...0x5A: value = byte - 0x41
            case 0x61...0x7A: value = byte - 0x61 + 26
            case 0x30...0x39: value = byte - 0x30 + 52
            case UInt8(ascii: "+"): value = 62
            case UInt8(ascii: "/"): value = 63
            case UInt8(ascii: "="):
                padding += 1
                value = 0
            default: return nil
            }
            if padding > 2 || (padding > 0 && byte != UInt8(ascii: "=")) { return nil }
            group = group << 6 | UInt32(value)
            count += 1
            if count % 4 == 0 {
                for shift: UInt32 in [16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: group >> shift)) }
                group = 0
            }
        }
        if count % 4 != 0 { return nil }
        bytes.removeLast(padding)
        return bytes
    }
}
