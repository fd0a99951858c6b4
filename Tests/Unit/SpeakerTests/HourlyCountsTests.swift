// SPDX-License-Identifier: Apache-2.0
import Model
import TestSupport
import Testing

@testable import Speaker
@testable import SpeakerBench

/// The counts of each of the last hours.
@Suite struct HoursCounted {
    /// Against a table of all hours, with hours that nothing was noted in, and a clock that goes back.
    @Test func aDayIsKept() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<200 {
            var counts = HourlyCounts(hour: 900)
            var table: [Int64: Int64] = [:]
            var (hour, last, total): (Int64, Int64, Int64) = (900, 900, 0)
            for _ in 0..<60 {
                hour += Int64([0, 0, 1, 1, 2, 23, 24, 90, -1].randomElement(using: &random)!)
                last = max(last, hour)
                let more = Int64.random(in: 0...3600, using: &random)
                total += more
                table[last, default: 0] += more
                counts.note(total, at: hour)
                let isRight = counts.counts == (0..<24).map { table[last - 23 + Int64($0)] ?? 0 }
                #expect(isRight)
            }
        }
    }

    @Test func aCounterThatBeginsAnewTakesNothingAway() {
        var counts = HourlyCounts(hour: 0)
        counts.note(5, at: 0)
        counts.note(2, at: 0)
        counts.note(3, at: .max)
        #expect(counts.counts.last == 1 && counts.counts.reduce(0, +) == 1)
        counts.note(3, at: .min)
        #expect(counts.counts.last == 1)
    }

    /// During playback each hour has its own count, with or without a question.
    @Test func whatWasHeardIsOfItsHour() {
        let bench = Bench()
        bench.add("a")
        bench.press(.play)
        bench.player.underruns = 2
        bench.pass(milliseconds: 3_600_000)
        bench.press(.pause)
        bench.player.underruns = 3
        bench.pass(milliseconds: 3 * 3_600_000)
        let hours = bench.speaker.lastHours
        #expect(hours.heard.counts.reduce(0, +) == 3600)
        #expect(hours.heard.counts.suffix(3) == [0, 0, 0])
        #expect(hours.underruns.counts.reduce(0, +) == 3 && hours.underruns.counts.last == 1)
    }
}
