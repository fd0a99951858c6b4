// SPDX-License-Identifier: Apache-2.0
/// The listening time of each of seven days, the last of which is `day`.
public struct HeardWeek: Equatable, Sendable {
    public static let days = 7

    /// Of the clock on the wall, from the first of 1970 on.
    public private(set) var day: Int64
    /// The oldest first.
    public private(set) var milliseconds: [Int64]

    public init(day: Int64) {
        self.day = day
        milliseconds = [Int64](repeating: 0, count: HeardWeek.days)
    }

    /// As `text` writes it; nil for anything else.
    public init?(text: String) {
        var numbers: [Int64] = []
        for word in text.utf8.split(separator: 0x20) {
            guard numbers.count <= HeardWeek.days, let number = Int64(Substring(word)), number >= 0 else { return nil }
            numbers.append(number)
        }
        if numbers.count != HeardWeek.days + 1 { return nil }
        day = numbers[0]
        milliseconds = Array(numbers[1...])
    }

    public var text: String {
        var text = "\(day)"
        for value in milliseconds { text += " \(value)" }
        return text
    }

    /// The seven days up to another one: earlier days are forgotten.
    public func through(_ other: Int64) -> HeardWeek {
        var week = HeardWeek(day: other)
        let (shift, overflow) = other.subtractingReportingOverflow(day)
        if overflow || shift.magnitude >= HeardWeek.days { return week }
        for (index, value) in milliseconds.enumerated() {
            let at = index - Int(shift)
            if week.milliseconds.indices.contains(at) { week.milliseconds[at] = value }
        }
        return week
    }

    /// Was listened on a day. A clock that was set back adds to a day that has been, as far as that is kept.
    public mutating func add(_ more: Int64, on today: Int64) {
        if today > day { self = through(today) }
        let (back, overflow) = day.subtractingReportingOverflow(today)
        if overflow || back < 0 || back >= HeardWeek.days { return }
        let index = HeardWeek.days - 1 - Int(back)
        let (sum, isTooMuch) = milliseconds[index].addingReportingOverflow(max(0, more))
        milliseconds[index] = isTooMuch ? .max : sum
    }
}
