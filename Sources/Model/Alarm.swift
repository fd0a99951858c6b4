// SPDX-License-Identifier: Apache-2.0
import Core
import Posix
import Text

/// A wake-up at a time of day, on some days of the week or once.
public struct Alarm: Equatable, Sendable {
    public typealias ID = Int64

    /// The limit of alarms.
    public static let most = 100
    /// The allowed minutes of rising volume.
    public static let rises = 0...60
    /// The range of the final volume, in percent: the lowest still wakes a sleeper.
    public static let loudnesses = 30...100
    /// The length of a snooze in minutes.
    public static let snoozeMinutes = 9
    /// The step in a list of times, in minutes.
    public static var stepMinutes: Int { 5 }

    /// The sound to play. A tone replaces a recording that cannot play.
    public enum Sound: Equatable, Sendable {
        /// Resumes what was heard last.
        case lastHeard
        /// A recording, or a station.
        case item(Item.ID)
        /// Resumes the item's book.
        case book(of: Item.ID)
        case playlist(String)
    }

    /// The number, from 1, and small, since people type it.
    public var id: ID
    /// The minute of the day by the wall clock, 0…1439.
    public var minute: Int
    public var days: AlarmDays
    public var sound: Sound
    /// The minutes of rising volume.
    public var riseMinutes: Int
    /// The final volume, in percent.
    public var loudnessPercent: Int
    public var isOn = true
    /// The time of its setting, in seconds since 1970: it rings for later times only. nil while the clock was not set.
    public var sinceSeconds: Int64?
    /// The wall clock's time of the last ringing, in minutes from the first of 1970 on; nil if it never rang. It never rings again for that
    /// minute of that day, even if the clock is set back.
    public var rangMinute: Int64?

    public init(
        id: ID = 0, minute: Int, days: AlarmDays, sound: Sound = .lastHeard, riseMinutes: Int = 5,
        loudnessPercent: Int = 50
    ) {
        self.id = id
        self.minute = minute
        self.days = days
        self.sound = sound
        self.riseMinutes = riseMinutes
        self.loudnessPercent = loudnessPercent
    }

    /// Returns the first time after a moment at which the alarm rings, in seconds since 1970, and the wall clock's time then, as in
    /// `rangMinute`.
    public func time(after seconds: Int64, _ local: LocalTime) -> (seconds: Int64, wallMinute: Int64) {
        let today = local.wallSeconds(at: seconds) / 86_400
        // The day before, since the clock may change at midnight; the eighth day, since it may have rung today.
        for day in today - 1...today + 8 where days.contains(day: day) {
            let wallMinute = day * 1440 + Int64(minute)
            let time = local.moment(ofWall: wallMinute * 60)
            if time > seconds && wallMinute != rangMinute { return (time, wallMinute) }
        }
        return (.max, .max)
    }

    /// The time as "06:40", for programs; `clockWords` is for people.
    public var timeWords: String { Alarm.timeWords(minute) }

    public static func timeWords(_ minute: Int) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return two(minute / 60) + ":" + two(minute % 60)
    }

    /// Returns the minute of the day; nil if the text is no time of day.
    public static func minute(_ words: String) -> Int? {
        let parts = words.utf8.split(separator: 0x3A, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].count == 2, let hour = Int64(digits: parts[0], most: 2),
            let minute = Int64(digits: parts[1], most: 2), hour < 24, minute < 60
        else { return nil }
        return Int(hour * 60 + minute)
    }
}

/// The days of the week on which an alarm rings; none for one that rings once.
public struct AlarmDays: Equatable, Sendable {
    /// The days as bits, from Monday in the lowest on: 0…127.
    public let bits: Int

    public init(bits: Int) { self.bits = bits & 127 }

    public static var once: AlarmDays { AlarmDays(bits: 0) }
    public static var daily: AlarmDays { AlarmDays(bits: 127) }
    public static var workdays: AlarmDays { AlarmDays(bits: 31) }
    public static var weekend: AlarmDays { AlarmDays(bits: 96) }
    /// The choices of a list.
    public static var choices: [AlarmDays] { [.daily, .workdays, .weekend, .once] }

    private static var names: [String] { ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] }

    /// The list of words, for an error message.
    public static var expected: String { "daily, once, or days such as mon-fri or mon,wed" }

    /// Parses words: "daily", "once", "mon-fri", "fri-mon", "mon,wed,sat-sun". nil for any others.
    public init?(words: String) {
        var bits = 0
        switch words {
        case "once": break
        case "daily": bits = 127
        default:
            for part in words.utf8.split(separator: 0x2C, omittingEmptySubsequences: false) {
                let ends = part.split(separator: 0x2D, omittingEmptySubsequences: false).map { name in
                    AlarmDays.names.firstIndex { $0.utf8.elementsEqual(name) }
                }
                guard ends.count <= 2, let first = ends.first ?? nil, let last = ends.last ?? nil else { return nil }
                for day in 0...(last - first + 7) % 7 { bits |= 1 << ((first + day) % 7) }
            }
        }
        self.bits = bits
    }

    public var words: String {
        if bits == 0 { return "once" }
        if bits == 127 { return "daily" }
        return spelled { AlarmDays.names[$0] }
    }

    /// - Parameter name: returns the name of a day, 0 for Monday.
    func spelled(by name: (Int) -> String) -> String {
        runs.map { name($0.lowerBound) + ($0.count == 1 ? "" : "-" + name($0.upperBound)) }.joined(separator: ",")
    }

    /// The ranges of consecutive days, from 0 for Monday on.
    public var runs: [ClosedRange<Int>] {
        var runs: [ClosedRange<Int>] = []
        var day = 0
        while day < 7 {
            let first = day
            while has(day) { day += 1 }
            if day > first { runs.append(first...day - 1) }
            day += 1
        }
        return runs
    }

    private func has(_ day: Int) -> Bool { day < 7 && bits & 1 << day != 0 }

    /// - Parameter day: the wall clock's day, from the first of 1970 on, which was a Thursday.
    func contains(day: Int64) -> Bool { bits == 0 || day >= 0 && has(Int((day + 3) % 7)) }
}

/// The alarm on screens: the ringing or snoozing one, else the next.
public struct AlarmStatus: Equatable, Sendable {
    public enum State: String, Sendable {
        case waiting, ringing, snoozed
    }

    public var state: State
    /// The minute of the day, 0…1439.
    public var minute: Int

    public init(_ state: State, minute: Int) {
        self.state = state
        self.minute = minute
    }

    /// The alarm in words for people.
    public var title: String { translated("Alarm %1", clockWords(minute: minute)) }

    /// The same words while it rings or snoozes; nil while it only waits for its time.
    public var words: String? { state == .waiting ? nil : title }

    /// The alarm for programs, such as "06:40 ringing".
    public var word: String { Alarm.timeWords(minute) + " " + state.rawValue }

    /// Parses that text; nil for any other.
    public init?(word: String) {
        let parts = word.utf8.split(separator: 0x20)
        guard parts.count == 2, let minute = Alarm.minute(String(Substring(parts[0]))),
            let state = State(rawValue: String(Substring(parts[1])))
        else { return nil }
        self.init(state, minute: minute)
    }
}
