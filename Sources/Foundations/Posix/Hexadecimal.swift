// SPDX-License-Identifier: Apache-2.0
extension UInt64 {
    /// The number as sixteen digits, such as "00000000deadbeef", for file names.
    public var hexadecimal: String {
        var text = ""
        for shift in stride(from: 60, through: 0, by: -4) {
            let digit = UInt8(self >> UInt64(shift) & 15)
            text.unicodeScalars.append(Unicode.Scalar(digit < 10 ? 0x30 + digit : 0x57 + digit))
        }
        return text
    }

    /// Reads sixteen digits of either case; nil for anything else.
    public init?(hexadecimal digits: some Collection<UInt8>) {
        if digits.count != 16 { return nil }
        self = 0
        for byte in digits {
            let digit: UInt8
            switch byte {
            case 0x30...0x39: digit = byte - 0x30
            case 0x61...0x66: digit = byte - 0x61 + 10
            case 0x41...0x46: digit = byte - 0x41 + 10
            default: return nil
            }
            self = self << 4 | UInt64(digit)
        }
    }
}
