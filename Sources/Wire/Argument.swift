// SPDX-License-Identifier: Apache-2.0
import Text

/// Parses the arguments of commands: numbers, times and ranges, without overflow.
package enum Argument {
    /// MPD's limit for positions, numbers and versions.
    package static let maximum = Int(Int32.max)

    /// Parses a whole number, with or without sign.
    package static func integer(_ text: String) throws(ConsoleError) -> Int {
        guard let value = signedInteger(text.utf8) else { throw wrong(text, "Integer expected") }
        if value > maximum || value < -maximum { throw wrong(text, "Number too large") }
        return value
    }

    package static func integer(_ text: String, in range: ClosedRange<Int>) throws(ConsoleError) -> Int {
        let value = try integer(text)
        if value < range.lowerBound { throw wrong("\(text) (at least \(range.lowerBound))", "Number too small") }
        if value > range.upperBound { throw wrong("\(text) (at most \(range.upperBound))", "Number too large") }
        return value
    }

    /// Parses a number from 0 on; a negative one counts as too large, as in MPD.
    package static func unsigned(_ text: String, atMost most: Int = maximum) throws(ConsoleError) -> Int {
        guard let value = signedInteger(text.utf8) else { throw wrong(text, "Integer expected") }
        if value < 0 || value > most { throw wrong(text, "Number too large") }
        return value
    }

    /// Parses a number with a fraction and an optional sign, in thousandths; nil for MPD's "nan".
    package static func thousandths(_ text: String) throws(ConsoleError) -> Int? {
        if text == "nan" { return nil }
        if text.utf8.contains(UInt8(ascii: ":")) { throw wrong(text, "Float expected") }
        do throws(ConsoleError) { return try milliseconds(text) } catch { throw wrong(text, "Float expected") }
    }

    package static func boolean(_ text: String) throws(ConsoleError) -> Bool {
        if text == "0" { return false }
        if text == "1" { return true }
        throw wrong(text, "Boolean (0/1) expected")
    }

    /// Parses seconds with a fraction and an optional sign, or with minutes and hours before them ("1:30", "-1:02:03.5"), as milliseconds.
    /// At most some 24 days.
    package static func milliseconds(_ text: String) throws(ConsoleError) -> Int {
        /// The hours and minutes so far, as milliseconds of the current unit.
        var before: Int64 = 0
        var value: Int64 = 0
        var digits = 0
        var colons = 0
        /// The milliseconds for one unit of the next digit; 0 behind the milliseconds, nil before the point.
        var unit: Int64?
        func checkPart() throws(ConsoleError) {
            if digits == 0 || colons > 0 && (digits > 2 || value >= 60_000) { throw wrong(text, "Float expected") }
            if before + value > maximum { throw wrong(text, "Number too large") }
        }
        for (index, byte) in text.utf8.enumerated() {
            if index == 0 && hasSign(text) { continue }
            if byte == UInt8(ascii: ".") && unit == nil {
                unit = 100
                continue
            }
            if byte == UInt8(ascii: ":") && unit == nil && colons < 2 {
                try checkPart()
                before = (before + value) * 60
                (value, digits) = (0, 0)
                colons += 1
                continue
            }
            guard byte.isDigit else { throw wrong(text, "Float expected") }
            let digit = Int64(byte - 0x30)
            if let fraction = unit {
                value += digit * fraction
                unit = fraction / 10
                if colons == 0 { digits = 1 }
            } else {
                digits += 1
                // No overflow: the loop bounds it by `maximum` after each digit.
                value = value * 10 + digit * 1000
                if value > maximum { throw wrong(text, "Number too large") }
            }
        }
        try checkPart()
        value += before
        return Int(clamping: text.utf8.first == UInt8(ascii: "-") ? -value : value)
    }

    /// Parses a time as seconds since 1970: such a number, or "2024-05-21", "2024-05-21T20:00Z" or "2024-05-21T20:00:00Z".
    package static func time(_ text: String) throws(ConsoleError) -> Int64 {
        if let seconds = signedInteger(text.utf8) { return Int64(seconds) }
        var fields: [Int64] = []
        var separators: [UInt8] = []
        var digits = 0
        for byte in text.utf8 {
            if byte.isDigit {
                if digits == 0 { fields.append(0) }
                digits += 1
                if digits > 4 { break }
                fields[fields.count - 1] = fields[fields.count - 1] * 10 + Int64(byte - 0x30)
            } else {
                separators.append(byte)
                digits = 0
            }
        }
        let isTold = ["--", "--T:Z", "--T::Z"].contains { separators.elementsEqual($0.utf8) }
        // A T follows the day, and a Z the time: each field has digits before its separator.
        guard isTold, digits <= 4,
            fields.count == min(separators.count + 1, separators.last == 0x5A ? separators.count : 3),
            (1...12).contains(fields[1]), (1...31).contains(fields[2])
        else { throw ConsoleError(.argument, "Failed to parse date") }
        // Days since 1970-03-01 by years that begin in March, so that a leap day is a year's last.
        let year = fields[1] < 3 ? fields[0] - 1 : fields[0]
        let month = (fields[1] + 9) % 12
        let days = year * 365 + year / 4 - year / 100 + year / 400 + (month * 153 + 2) / 5 + fields[2] - 719_469
        func field(_ index: Int) -> Int64 { index < fields.count ? fields[index] : 0 }
        return days * 86_400 + field(3) * 3600 + field(4) * 60 + field(5)
    }

    package static func hasSign(_ text: String) -> Bool {
        text.utf8.first == UInt8(ascii: "+") || text.utf8.first == UInt8(ascii: "-")
    }

    /// Parses `START:END` (END is excluded and optional) or one position. Refuses a range that ends before it starts.
    package static func range(_ text: String) throws(ConsoleError) -> Range<Int> {
        let bytes = text.utf8
        let first = bytes.prefix { $0 != UInt8(ascii: ":") }
        guard let start = signedInteger(first) else { throw wrong(text, "Integer or range expected") }
        if start < 0 { throw wrong(text, "Number is negative") }
        if start >= maximum { throw wrong(text, "Number too large") }
        if first.endIndex == bytes.endIndex { return start..<start + 1 }
        let last = bytes[bytes.index(after: first.endIndex)...]
        if last.isEmpty { return start..<maximum }
        guard let end = signedInteger(last) else { throw wrong(text, "Integer or range expected") }
        if end < start { throw wrong(text, "Malformed range") }
        return start..<min(end, maximum)
    }

    /// Returns an error such as "Integer expected: TEXT", with the text cut to a suitable length.
    package static func wrong(_ text: String, _ expected: String) -> ConsoleError {
        ConsoleError(.argument, expected + ": " + shortened(text))
    }

    package static func shortened(_ text: String) -> String {
        let limit = 60
        if text.utf8.count <= limit { return text }
        return String(text.unicodeScalars.prefix(limit)) + "…"
    }

    /// Parses digits with an optional sign; nil for anything else. Longer numbers than 16 digits are cut to that size.
    private static func signedInteger(_ text: some Collection<UInt8>) -> Int? {
        var isNegative = false
        var value: Int64 = 0
        var count = 0
        for (index, byte) in text.enumerated() {
            if index == 0 && (byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")) {
                isNegative = byte == UInt8(ascii: "-")
                continue
            }
            guard byte.isDigit else { return nil }
            count += 1
            // No overflow: one digit more than 10^15 has.
            if value < 1_000_000_000_000_000 { value = value * 10 + Int64(byte - 0x30) }
        }
        if count == 0 { return nil }
        return Int(clamping: isNegative ? -value : value)
    }
}
