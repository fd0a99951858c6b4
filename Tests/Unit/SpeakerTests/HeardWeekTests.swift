// SPDX-License-Identifier: Apache-2.0
import Model
import Posix
import TestSupport
import Testing

@testable import Speaker

/// The time of listening on each of the last days.
@Suite struct HeardWeeks {
    /// Against a table of all days that ever were, with clocks that are set forward and back by anything.
    @Test func sevenDaysAreKept() {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<200 {
            var week = HeardWeek(day: 20_000)
            var table: [Int64: Int64] = [:]
            var today: Int64 = 20_000
            for _ in 0..<60 {
                today += Int64([0, 0, 0, 1, 1, 2, 9, -1, -3, -20].randomElement(using: &random)!)
                let more = Int64.random(in: 0...9_000_000, using: &random)
                week.add(more, on: today)
                // Days that had passed by then do not count any more.
                let last = max(table.keys.max() ?? 20_000, today, 20_000)
                if today > last - 7 { table[today, default: 0] += more }
                table = table.filter { $0.key > last - 7 }
                table[last] = table[last] ?? 0
                #expect(week.day == last)
                #expect(week.milliseconds == (0..<7).map { table[last - 6 + Int64($0)] ?? 0 })
                #expect(HeardWeek(text: week.text) == week)
                let later = week.through(last + 3)
                #expect(later.milliseconds == Array(week.milliseconds[3...]) + [0, 0, 0])
            }
        }
    }

    @Test func nothingOverflows() {
        var week = HeardWeek(day: .max)
        week.add(.max, on: .max)
        week.add(.max, on: .max)
        #expect(week.milliseconds[6] == .max)
        #expect(week.through(.min).milliseconds == HeardWeek(day: 0).milliseconds)
        week.add(5, on: .min)
        var early = HeardWeek(day: .min)
        early.add(7, on: .max)
        #expect(early.milliseconds[6] == 7)
        for text in [
            "", "1", "1 2 3 4 5 6 7", "1 2 3 4 5 6 7 8 9", "-1 0 0 0 0 0 0 0", "a 0 0 0 0 0 0 0", "1 0 0 0 0 0 0 -2",
        ] {
            #expect(HeardWeek(text: text) == nil)
        }
    }

    /// The disk has little to do for it: once a minute while it plays, and at a pause.
    @Test func itIsSavedNowAndThen() {
        var time = PlayTime()
        time.week = HeardWeek(day: 100)
        func at(_ seconds: Int) -> MonotonicTime { MonotonicTime(nanoseconds: Int64(seconds) * 1_000_000_000) }
        time.playingDidChange(to: true, at: at(0))
        #expect(time.takeWeek(at: at(59), isPlaying: true, day: 100) == nil)
        #expect(time.week(at: at(59), day: 100).milliseconds[6] == 59_000)
        #expect(time.takeWeek(at: at(60), isPlaying: true, day: 100)?.milliseconds[6] == 60_000)
        #expect(time.takeWeek(at: at(61), isPlaying: true, day: 100) == nil)
        time.playingDidChange(to: false, at: at(70))
        #expect(time.takeWeek(at: at(70), isPlaying: false, day: 101)?.milliseconds.suffix(2) == [60_000, 10_000])
        #expect(time.takeWeek(at: at(99), isPlaying: false, day: 101) == nil)
        #expect(time.week(at: at(99), day: 102).milliseconds.suffix(3) == [60_000, 10_000, 0])
    }
}
