// SPDX-License-Identifier: Apache-2.0
/// The listening time of each of seven days; `day` is the last of them.
public struct HeardWeek: Equatable, Sendable {
    public static let days = 7

    /// The last day by the wall clock, counted from the first of 1970 on.
    public private(set) var day: Int64
    /// The listening time of each day, the oldest first.
    public private(set) var milliseconds: [Int64]

    public init(day: Int64) {
        self.day = day
        milliseconds = [Int64](repeating: 0, count: HeardWeek.days)
    }

    /// Parses the form of `text`; nil for anything else.
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

    /// Returns the seven days up to another day: earlier days are forgotten.
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

    /// Adds listening time to a day. After the clock was set back, it adds to an earlier day, if that is still kept.
    public mutating func add(_ more: Int64, on today: Int64) {
        if today > day { self = through(today) }
        let (back, overflow) = day.subtractingReportingOverflow(today)
        if overflow || back < 0 || back >= HeardWeek.days { return }
        let index = HeardWeek.days - 1 - Int(back)
        let (sum, isTooMuch) = milliseconds[index].addingReportingOverflow(max(0, more))
        milliseconds[index] = isTooMuch ? .max : sum
    }
}
