// SPDX-License-Identifier: Apache-2.0
/// Decimal numbers without the C library's locale.
enum Decimals {
    /// Parses a number such as "-1.25"; nil if it is no number, or has an exponent.
    static func number(_ bytes: [UInt8]) -> Float? {
        var rest = bytes[...]
        var sign: Float = 1
        if rest.first == UInt8(ascii: "-") {
            sign = -1
            rest = rest.dropFirst()
        }
        var value: Float = 0
        var unit: Float = 0
        var digits = 0
        for byte in rest {
            if byte == UInt8(ascii: ".") && unit == 0 {
                unit = 1
            } else if byte >= 0x30 && byte <= 0x39 {
                digits += 1
                // No overflow: a Float goes to infinity.
                value = value * 10 + Float(byte - 0x30)
                if unit > 0 { unit *= 10 }
            } else {
                return nil
            }
        }
        return digits == 0 ? nil : sign * value / (unit > 0 ? unit : 1)
    }
}
