// SPDX-License-Identifier: Apache-2.0
import Model
import TestSupport
import Testing

@testable import Transcript

@Suite struct LookupTests {
    /// The answers by looking at every segment, for every edge and its neighbours, in transcripts with and without gaps.
    @Test(arguments: [0, 1, 2, 3, 7, 8, 100, 257]) func sameAsLinearSearch(count: Int) {
        var generator = SeededGenerator(seed: UInt64(count))
        let segments = generator.segments(count: count)
        let transcript = Transcript(normalising: segments)
        #expect(Array(transcript) == segments)
        var times: Set<Int> = [Int.min, -1, 0, 1, Int.max]
        for segment in segments {
            for edge in [segment.startMilliseconds, segment.endMilliseconds] {
                times.formUnion([edge - 1, edge, edge + 1])
            }
            times.insert((segment.startMilliseconds + segment.endMilliseconds) / 2)
        }
        for time in times {
            let current = segments.firstIndex { $0.startMilliseconds <= time && time < $0.endMilliseconds }
            #expect(transcript.index(at: time) == current, "at \(time)")
            let starts = segments.map(\.startMilliseconds)
            #expect(transcript.nextStart(after: time) == starts.first { $0 > time }, "after \(time)")
            let before = segments.count { $0.endMilliseconds <= time }
            let after = segments.count { $0.startMilliseconds > time }
            for reach in [0, 1, 3, 1000, -1, Int.max] {
                let wanted =
                    max(0, before - max(0, min(reach, 1000)))..<segments.count
                    - max(0, after - max(0, min(reach, 1000)))
                #expect(transcript.neighbours(at: time, count: reach) == wanted, "at \(time), \(reach)")
            }
        }
    }

    /// Sleeping until the next start and looking then sees every segment, once and on time.
    @Test func everySegmentIsSeen() {
        var generator = SeededGenerator(seed: 5)
        let transcript = Transcript(normalising: generator.segments(count: 300))
        var seen: [Int] = []
        var time = -1
        while let start = transcript.nextStart(after: time) {
            #expect(start > time)
            let index = transcript.index(at: start)
            #expect(index != nil && index != transcript.index(at: start - 1))
            if let index { seen.append(index) }
            time = start
        }
        #expect(seen == Array(0..<300))
    }
}

@Suite struct NormalisingTests {
    /// Times are 32 bits wide, and so traps show here as on a 32-bit board: the difference of the two ends does not fit.
    @Test func nestedBeforeTheStart() {
        #expect(
            normalised([(-1_800_000_000, 1_800_000_000, "a"), (-1_700_000_000, -1_600_000_000, "b"), (-5, 5, "c")])
                == ["0-5 c", "5-1800000000 a"])
        #expect(normalised([(Int.min, Int.max, "a"), (Int.min, Int.min, "b")]) == ["0-1800000000 a b"])
    }

    private func normalised(_ segments: [(Int, Int, String)], duration: Int? = nil) -> [String] {
        lines(
            Transcript(
                normalising: segments.map { Segment(text: $0.2, startMilliseconds: $0.0, endMilliseconds: $0.1) },
                durationMilliseconds: duration))
    }

    @Test func putsInOrder() {
        #expect(normalised([(5000, 6000, "b"), (1000, 2000, "a")]) == ["1000-2000 a", "5000-6000 b"])
    }

    @Test func missingAndBackwardEndsAreTheNextStart() {
        #expect(
            normalised([(1000, Int.min, "a"), (3000, 2000, "b"), (7000, 7000, "c"), (9000, 9500, "d")])
                == ["1000-3000 a", "3000-7000 b", "7000-9000 c", "9000-9500 d"])
    }

    @Test func lastMissingEnd() {
        #expect(normalised([(1000, 0, "Short")]) == ["1000-3000 Short"])
        let long = String(repeating: "a word ", count: 20).dropLast()
        #expect(normalised([(1000, 0, String(long))]) == ["1000-\(1000 + 139 * 70) \(long)"])
        #expect(normalised([(1000, 0, "Short")], duration: 60_000) == ["1000-60000 Short"])
        // A transcript of a longer edition.
        #expect(normalised([(90_000, 0, "Short")], duration: 60_000) == ["90000-92000 Short"])
    }

    @Test func textWithoutWordsOnlyEndsWhatStandsBefore() {
        #expect(
            normalised([(0, 0, "a"), (1000, 0, " \n\t"), (5000, 6000, "b"), (5500, 7000, "\u{7}")])
                == ["0-1000 a", "5000-6000 b"])
    }

    @Test func markAtTheStartOfALineDoesNotEndIt() {
        #expect(normalised([(1000, 0, "a"), (1000, 0, ""), (3000, 4000, "b")]) == ["1000-3000 a", "3000-4000 b"])
    }

    @Test func textIsOnOneLine() {
        #expect(
            normalised([(0, 1, " one\r\n two\t\tthree\u{A0}four\u{2028}five\u{0}\u{1B}[0m\u{200B}\u{FEFF} ")])
                == ["0-1 one two three four five[0m"])
    }

    @Test func simultaneousBecomeOne() {
        #expect(
            normalised([(0, 5000, "Guten Tag."), (0, 4000, "Good day."), (0, 4000, "Good day.")])
                == ["0-5000 Guten Tag. Good day."])
    }

    @Test func overlapShowsWhatStartedLast() {
        #expect(normalised([(0, 3000, "a"), (2000, 5000, "b")]) == ["0-2000 a", "2000-5000 b"])
        // A long one goes on after a short one in its middle …
        #expect(
            normalised([(0, 60_000, "♪"), (10_000, 12_000, "b"), (12_000, 13_000, "c")])
                == ["0-10000 ♪", "10000-12000 b", "12000-13000 c", "13000-60000 ♪"])
        // … but not for a blink.
        #expect(normalised([(0, 5999, "a"), (3000, 5000, "b")]) == ["0-3000 a", "3000-5000 b"])
    }

    @Test func timesAreHeldToWhatAudioCanHave() {
        #expect(
            normalised([(Int.min, 1000, "a"), (-5000, -1000, "b"), (2000, Int.max, "c"), (Int.max, Int.max, "d")])
                == ["0-1000 a", "2000-1800000000 c"])
    }

    /// The current text at any time, with many overlaps, against a model that looks at all segments.
    @Test(arguments: 0..<40) func overlapsAgainstModel(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var starts = Array(0..<60).shuffled(using: &generator)
        starts.removeLast(30)
        let segments = starts.map { start in
            Segment(
                text: "s\(start)", startMilliseconds: start * 1000,
                endMilliseconds: (start + Int.random(in: 1...20, using: &generator)) * 1000)
        }
        let transcript = Transcript(normalising: segments)
        checkInvariants(transcript, "seed \(seed)")
        for time in stride(from: -500, to: 90_000, by: 500) {
            let expected =
                segments.filter { $0.startMilliseconds <= time && time < $0.endMilliseconds }
                .max { $0.startMilliseconds < $1.startMilliseconds }?.text
            #expect(transcript.index(at: time).map { transcript[$0].text } == expected, "at \(time), seed \(seed)")
        }
    }

    @Test func normalisingAgainChangesNothing() {
        var generator = SeededGenerator(seed: 77)
        for _ in 0..<100 {
            let segments = (0..<30).map { _ in
                Segment(
                    text: generator.text(), startMilliseconds: Int.random(in: -2000...20_000, using: &generator),
                    endMilliseconds: Int.random(in: -2000...30_000, using: &generator))
            }
            let once = Transcript(normalising: segments)
            checkInvariants(once, "random segments")
            #expect(Array(Transcript(normalising: Array(once))) == Array(once))
        }
    }
}
