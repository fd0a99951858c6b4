// SPDX-License-Identifier: Apache-2.0
extension TextDecoding {
    /// Decodes `%` and two hexadecimal digits of an address (RFC 3986, section 2.1). Everything else stays, including `%00`: no path has a
    /// zero byte.
    public static func percentDecoded(_ text: ArraySlice<UInt8>) -> [UInt8] {
        func digit(_ byte: UInt8) -> UInt8? {
            switch byte {
            case 0x30...0x39: byte - 0x30
            case 0x41...0x46: byte - 0x37
            case 0x61...0x66: byte - 0x57
            default: nil
            }
        }
        var decoded: [UInt8] = []
        var at = text.startIndex
        while at < text.endIndex {
            if text[at] == UInt8(ascii: "%"), at + 2 < text.endIndex, let high = digit(text[at + 1]),
                let low = digit(text[at + 2]), high | low > 0
            {
                decoded.append(high << 4 | low)
                at += 3
            } else {
                decoded.append(text[at])
                at += 1
            }
        }
        return decoded
    }
}
