// SPDX-License-Identifier: Apache-2.0
import CPosix
import Core
import Model

/// The speaker's state for a panel. Equal values look alike.
extension SpeakerStatus {
    /// Reads lines of `name: value`, as the speaker's console writes them. A file of them, for a picture, may have the viewer's `clock` and
    /// `date`.
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

    /// Reads lines that are already split into name and value.
    public init(fields: [(name: String, value: String)]) {
        self.init()
        for field in fields { take(field.name, field.value) }
    }

    /// Sets today's date from the viewer's clock: the speaker may be in another time zone.
    public mutating func setDay() {
        var now = time(nil)
        var parts = tm()
        if localtime_r(&now, &parts) != nil { (month, day) = (Int(parts.tm_mon) + 1, Int(parts.tm_mday)) }
    }

    /// Returns a line's name and value; nil without a colon.
    static func parts(_ line: Substring.UTF8View) -> (name: String, value: String)? {
        guard let colon = line.firstIndex(of: 0x3A) else { return nil }
        var value = line[line.index(after: colon)...]
        if value.first == 0x20 { value = value.dropFirst() }
        if value.last == 0x0D { value = value.dropLast() }
        return (String(Substring(line[..<colon])), String(Substring(value)))
    }

    /// Returns true if the two states differ only in what a player redraws by itself.
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

    /// Returns the playback position after some milliseconds of undisturbed time.
    public func elapsed(after milliseconds: Int) -> Int {
        let passed = isRunning ? Int(clamping: Int64(milliseconds) * Int64(speed.percent) / 100) : 0
        return min(positionMilliseconds.addingSaturated(passed), durationMilliseconds ?? .max)
    }

    /// Returns the state after some milliseconds of undisturbed time.
    public func later(by milliseconds: Int) -> SpeakerStatus {
        var later = self
        later.positionMilliseconds = elapsed(after: milliseconds)
        if let left = sleepMilliseconds {
            later.sleepMilliseconds = max(0, left - milliseconds)
            later.sleep = .minutes(later.sleepMinutes)
        }
        return later
    }

    /// The index in `segments` of the sentence spoken now or last.
    public var currentSegment: Int? {
        segments.lastIndex { $0.startMilliseconds <= positionMilliseconds } ?? (segments.isEmpty ? nil : 0)
    }

    /// Returns true if the listener has set the sleep timer since then. Time alone only reduces the minutes, down to none.
    public func isSleepSet(after old: SpeakerStatus) -> Bool {
        sleep != .off && (sleepMinutes > old.sleepMinutes || sleepMinutes == 0 && sleep != old.sleep)
    }

    /// The milliseconds until the sleep timer's minutes change; nil for never.
    var nextSleepChange: Int? {
        guard let left = sleepMilliseconds, left > 0 else { return nil }
        return left - (sleepMinutes - 1) * 60_000
    }

    /// The unusual facts in the player's capsule: speed and sleep timer. The forms run from the longest to the shortest; empty if there is
    /// nothing to say.
    var pillWords: [String] {
        let speed = self.speed == .own ? "" : Words.speed(self.speed.percent)
        if sleep == .off { return speed.isEmpty ? [] : [speed] }
        let lead = speed.isEmpty ? "" : speed + " · "
        let short = sleepMinutes > 0 ? sleep.words : "sleep"
        return [lead + "sleep: " + sleep.words, lead + short, speed.isEmpty ? short : speed]
    }
}
