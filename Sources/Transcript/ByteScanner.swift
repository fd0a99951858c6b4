// SPDX-License-Identifier: Apache-2.0
import Core
import Text

/// Reads numbers and times from a range of UTF-8 bytes. It never reads outside the range and never overflows.
struct ByteScanner {
    let bytes: [UInt8]
    var position: Int
    let end: Int
    /// True after a time such as `01:02:75`, with a last field that cannot be seconds.
    private(set) var sawImpossibleSeconds = false

    init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        position = range.lowerBound
        end = range.upperBound
    }

    /// Returns the byte `offset` ahead; 0, which no grammar here uses, past the end.
    func peek(_ offset: Int = 0) -> UInt8 {
        position + offset < end ? bytes[position + offset] : 0
    }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard peek() == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    mutating func skipSpaces() {
        while peek() == UInt8(ascii: " ") || peek() == UInt8(ascii: "\t") { position += 1 }
    }

    /// Returns a decimal number, at most 999,999,999.
    mutating func number() -> Int64? {
        guard peek().isDigit else { return nil }
        var value: Int64 = 0
        while peek().isDigit {
            value = min(value.appendingSaturated(digit: peek()), 999_999_999)
            position += 1
        }
        return value
    }

    /// Reads `[hours:]minutes:seconds[.fraction]` as milliseconds. The fraction may follow `,`, `.` or a third `:`; fields may have any
    /// width, and spaces may follow separators. At least one colon is required. Negative times are accepted.
    ///
    /// - Parameter colonBeforeFraction: true reads `minutes:seconds:hundredths`, as in some lyrics; otherwise three fields mean hours.
    mutating func time(colonBeforeFraction: Bool = false) -> Int32? {
        skipSpaces()
        let isNegative = take("-")
        guard var seconds = number() else { return nil }
        var lastField: Int64 = 0
        var fields = 1
        while fields < (colonBeforeFraction ? 2 : 3), peek() == UInt8(ascii: ":") {
            position += 1
            skipSpaces()
            guard let field = number() else { return nil }
            seconds = seconds.multipliedSaturated(by: 60).addingSaturated(field)
            lastField = field
            fields += 1
        }
        guard fields > 1 else { return nil }
        var milliseconds: Int64 = 0
        if peek() == UInt8(ascii: ",") || peek() == UInt8(ascii: ".") || peek() == UInt8(ascii: ":") {
            position += 1
            skipSpaces()
            var unit: Int64 = 100
            while peek().isDigit {
                milliseconds += Int64(peek() - UInt8(ascii: "0")) * unit
                unit /= 10
                position += 1
            }
        } else if fields == 3, lastField >= 60 {
            sawImpossibleSeconds = true
        }
        let total = Cue.clamped(seconds * 1000 + milliseconds)
        return isNegative ? -total : total
    }
}
