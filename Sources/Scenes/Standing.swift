// SPDX-License-Identifier: Apache-2.0
import CPosix
import Core
import Model

/// The speaker's state, as a panel draws it. Equal values are drawn alike.
extension SpeakerStatus {
    /// Of lines of `name: value`, as the console of the speaker writes them. A file of them, for a picture, may have the viewer's `clock`
    /// and `date`.
    public init(lines text: String) {
        self.init()
        for line in text.utf8.split(separator: 0x0A, omittingEmptySubsequences: true) {
            guard let (name, value) = SpeakerStatus.parts(line) else { continue }
            switch name {
            case "clock":
                let parts = value.utf8.split(separator: 0x3A).map { Int(Substring($0)) ?? 0 }
                if parts.count == 2, (0...23).contains(parts[0]), (0...59).contains(parts[1]) {
                    minuteOfDay = parts[0] * 60 + parts[1]
                }
            case "date":
                let parts = value.utf8.split(separator: 0x2D).map { Int(Substring($0)) ?? 0 }
                if parts.count == 3, (1...12).contains(parts[1]), (1...31).contains(parts[2]) {
                    (month, day) = (parts[1], parts[2])
                }
            default: take(name, value)
            }
        }
    }

    /// The same of lines that are taken apart already.
    public init(fields: [(name: String, value: String)]) {
        self.init()
        for field in fields { take(field.name, field.value) }
    }

    /// The speaker may be asked from anywhere: the day is the viewer's.
    public mutating func setDay() {
        var now = time(nil)
        var parts = tm()
        if localtime_r(&now, &parts) != nil { (month, day) = (Int(parts.tm_mon) + 1, Int(parts.tm_mday)) }
    }

    /// A line's name and value; nil for one that has no colon.
    static func parts(_ line: Substring.UTF8View) -> (name: String, value: String)? {
        guard let colon = line.firstIndex(of: 0x3A) else { return nil }
        var value = line[line.index(after: colon)...]
        if value.first == 0x20 { value = value.dropFirst() }
        if value.last == 0x0D { value = value.dropLast() }
        return (String(Substring(line[..<colon])), String(Substring(value)))
    }

    /// The same but for what a player draws by itself: a new fact has it drawn anew.
    func isAlike(_ other: SpeakerStatus) -> Bool { still == other.still }

    private var still: SpeakerStatus {
        var still = self
        (still.state, still.positionMilliseconds, still.sleepMilliseconds) = (.stopped, 0, nil)
        (still.isFavourite, still.hasPicture, still.volumePercent) = (false, false, nil)
        still.durationMilliseconds = durationMilliseconds.map { _ in 0 }
        still.minuteOfDay = minuteOfDay.map { _ in 0 }
        (still.segments, still.firstSegment, still.segmentCount) = ([], 0, segments.isEmpty ? nil : 1)
        return still
    }

    /// Returns the place of the ear so many milliseconds later, if only time passes.
    public func elapsed(after milliseconds: Int) -> Int {
        let passed = isRunning ? Int(clamping: Int64(milliseconds) * Int64(speed.percent) / 100) : 0
        return min(positionMilliseconds.addingSaturated(passed), durationMilliseconds ?? .max)
    }

    /// The same so many milliseconds on, if nothing but time has passed.
    public func later(by milliseconds: Int) -> SpeakerStatus {
        var later = self
        later.positionMilliseconds = elapsed(after: milliseconds)
        if let left = sleepMilliseconds {
            later.sleepMilliseconds = max(0, left - milliseconds)
            later.sleep = .minutes(later.sleepMinutes)
        }
        return later
    }

    /// The one that is spoken, or the last one that was: an index of `segments`.
    public var currentSegment: Int? {
        segments.lastIndex { $0.startMilliseconds <= positionMilliseconds } ?? (segments.isEmpty ? nil : 0)
    }

    /// Returns whether a hand has set the sleep timer since: time alone lets minutes become fewer, and none of them left.
    public func isSleepSet(after old: SpeakerStatus) -> Bool {
        sleep != .off && (sleepMinutes > old.sleepMinutes || sleepMinutes == 0 && sleep != old.sleep)
    }

    /// After how many milliseconds the sleep timer reads otherwise; nil for never.
    var nextSleepChange: Int? {
        guard let left = sleepMilliseconds, left > 0 else { return nil }
        return left - (sleepMinutes - 1) * 60_000
    }

    /// The unusual facts that the player shows in a capsule: the speed, and how long it still plays. From the longest to what has to be
    /// enough where there is little room; empty where there is nothing to say.
    var pillWords: [String] {
        let speed = self.speed == .own ? "" : Words.speed(self.speed.percent)
        if sleep == .off { return speed.isEmpty ? [] : [speed] }
        let lead = speed.isEmpty ? "" : speed + " · "
        let short = sleepMinutes > 0 ? sleep.words : "sleep"
        return [lead + "sleep: " + sleep.words, lead + short, speed.isEmpty ? short : speed]
    }
}
