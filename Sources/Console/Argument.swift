/// Reads the arguments of commands: numbers, times and ranges, none of which can overflow.
enum Argument {
    /// Positions, numbers and versions stay below this, as MPD's do.
    static let maximum = Int(Int32.max)

    /// A whole number, with or without sign.
    static func integer(_ text: String) throws(ConsoleError) -> Int {
        guard let value = signedInteger(text.utf8) else { throw wrong(text, "Integer expected") }
        if value > maximum || value < -maximum { throw wrong(text, "Number too large") }
        return value
    }

    static func integer(_ text: String, in range: ClosedRange<Int>) throws(ConsoleError) -> Int {
        let value = try integer(text)
        if value < range.lowerBound { throw wrong(text, "Number too small, at least \(range.lowerBound)") }
        if value > range.upperBound { throw wrong(text, "Number too large, at most \(range.upperBound)") }
        return value
    }

    static func boolean(_ text: String) throws(ConsoleError) -> Bool {
        if text == "0" { return false }
        if text == "1" { return true }
        throw wrong(text, "Boolean (0/1) expected")
    }

    /// Seconds with a fraction, perhaps signed, as milliseconds. At most some 24 days.
    static func milliseconds(_ text: String) throws(ConsoleError) -> Int {
        var digits = text.utf8[...]
        let isNegative = digits.first == UInt8(ascii: "-")
        if isNegative || digits.first == UInt8(ascii: "+") { digits.removeFirst() }
        let whole = digits.prefix { $0.isDigit }
        var fraction = digits[whole.endIndex...]
        if fraction.first == UInt8(ascii: ".") {
            fraction.removeFirst()
        } else if !fraction.isEmpty {
            throw wrong(text, "Seconds expected")
        }
        if (whole.isEmpty && fraction.isEmpty) || fraction.contains(where: { !$0.isDigit }) {
            throw wrong(text, "Seconds expected")
        }
        var value = 0
        for digit in whole {
            value = value * 10 + Int(digit &- 0x30)
            if value > maximum / 1000 { throw wrong(text, "Number too large") }
        }
        var scale = 1000
        value *= 1000
        for digit in fraction.prefix(3) {
            scale /= 10
            value += Int(digit &- 0x30) * scale
        }
        return isNegative ? -value : value
    }

    static func hasSign(_ text: String) -> Bool {
        text.utf8.first == UInt8(ascii: "+") || text.utf8.first == UInt8(ascii: "-")
    }

    /// `START:END` (END not included, may be left out) or one position. A range that ends before it starts is refused.
    static func range(_ text: String) throws(ConsoleError) -> Range<Int> {
        let bytes = text.utf8
        let first = bytes.prefix { $0 != UInt8(ascii: ":") }
        guard let start = signedInteger(first) else { throw wrong(text, "Integer or range expected") }
        if start < 0 { throw wrong(text, "Number is negative") }
        if start >= maximum { throw wrong(text, "Number too large") }
        if first.endIndex == bytes.endIndex { return start..<start + 1 }
        let last = bytes[bytes.index(after: first.endIndex)...]
        if last.isEmpty { return start..<maximum }
        guard let end = signedInteger(last) else { throw wrong(text, "Integer or range expected") }
        if end < start { throw wrong(text, "The range ends before it starts") }
        return start..<min(end, maximum)
    }

    /// "What was expected: the text", the text cut to a length that suits a message.
    static func wrong(_ text: String, _ expected: String) -> ConsoleError {
        ConsoleError(.argument, expected + ": " + shortened(text))
    }

    static func shortened(_ text: String) -> String {
        let limit = 60
        if text.utf8.count <= limit { return text }
        return String(text.prefix(limit)) + "…"
    }

    /// Digits with an optional sign; nil for anything else. Numbers beyond 16 digits stay there.
    private static func signedInteger(_ text: some Collection<UInt8>) -> Int? {
        var isNegative = false
        var value = 0
        var count = 0
        for (index, byte) in text.enumerated() {
            if index == 0 && (byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")) {
                isNegative = byte == UInt8(ascii: "-")
                continue
            }
            guard byte.isDigit else { return nil }
            count += 1
            if value < 1_000_000_000_000_000 { value = value * 10 + Int(byte - 0x30) }
        }
        if count == 0 { return nil }
        return isNegative ? -value : value
    }
}
