// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Posix
import TestSupport
import Testing
import Transcript

@testable import Speaker
@testable import SpeakerBench

@Suite("Smart rewind") struct SmartRewindTests {
    /// Sentences of 4 s with a second between them, from 10 s on, and one of a minute at its end.
    private let transcript: Transcript? = {
        var text = ""
        for index in 0..<20 {
            let start = 10 + 5 * index
            text += "[\(start / 60):\(start % 60)]Sentence \(index).\n[\((start + 4) / 60):\((start + 4) % 60)]\n"
        }
        text += "[1:50]A long one.\n[2:50]\n"
        return try? Transcript.parse(Array(text.utf8), format: .lrc)
    }()

    private func place(_ position: Int, _ seconds: Int64) -> Int {
        SmartRewind.place(from: position, afterSeconds: seconds, transcript)
    }

    @Test func toTheStartOfTheSentenceAndFurther() {
        #expect(place(52_000, 0) == 50_000 && place(52_000, 59) == 50_000)
        #expect(place(52_000, 60) == 45_000)
        #expect(place(52_000, 3600) == 35_000)
        #expect(place(52_000, 86_400) == 25_000 && place(52_000, .max) == 25_000)
        // At the very start of one, and in the gap behind one.
        #expect(place(50_000, 0) == 50_000 && place(54_500, 0) == 50_000)
        // Again and again: no further each time.
        #expect(place(place(52_000, 0), 0) == 50_000)
    }

    @Test func neverBeforeTheStartAndNeverFar() {
        #expect(place(11_000, 86_400) == 10_000)
        #expect(place(1000, 3600) == 0 && place(1000, 0) == 1000)
        #expect(place(0, .max) == 0)
        // In the midst of a long sentence.
        #expect(place(150_000, 0) == 150_000 && place(150_000, 60) == 148_000)
        #expect(place(150_000, 3600) == 140_000 && place(150_000, 86_400) == 90_000)
        // Long after the last word.
        #expect(place(600_000, 86_400) == 570_000)
    }

    @Test func byTimeWithoutATranscript() {
        let places = [0, 59, 60, 3599, 3600, 86_399, 86_400].map {
            SmartRewind.place(from: 100_000, afterSeconds: $0, nil)
        }
        #expect(places == [100_000, 100_000, 98_000, 98_000, 90_000, 90_000, 70_000])
    }

    @Test(arguments: 1...50 as ClosedRange<UInt64>)
    func itIsNeverFarAndNeverAhead(seed: UInt64) {
        var dice = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            let position = Int.random(in: 0...200_000, using: &dice)
            let seconds = Int64.random(in: 0...100_000, using: &dice)
            let place = place(position, seconds)
            #expect(place >= 0 && place <= position && position - place <= 60_000)
            let longer = self.place(position, seconds * 2 + 1)
            #expect(longer <= place)
        }
    }

    @Test func clocksThatAreWrongHarmNothing() {
        let timers = FakeTimers()
        let rewind = SmartRewind(timers, store: nil)
        func seconds(since: Int64?, now: Int64) -> Int64 {
            rewind.restore(sinceSeconds: since)
            rewind.wallSeconds = { now }
            return rewind.seconds
        }
        #expect(seconds(since: 1000, now: 1060) == 60)
        // The board has no clock chip, and thinks that it is 1970.
        #expect(seconds(since: 1000, now: 3) == 0)
        #expect(seconds(since: .min, now: .max) == 0 && rewind.passed(sinceSeconds: .min) == nil)
        #expect(seconds(since: nil, now: .max) == 0)
        rewind.wallSeconds = { 5 }
        rewind.begin()
        // The clock was set meanwhile.
        rewind.wallSeconds = { 2_000_000_000 }
        timers.pass(milliseconds: 70_000)
        #expect(rewind.seconds == 70)
    }

    @Test func aPauseIsKeptUntilItIsOver() {
        let library = Library(stateFolder: nil) { _ in }
        let rewind = SmartRewind(FakeTimers(), store: library)
        rewind.wallSeconds = { 1000 }
        #expect(rewind.place(from: 90_000, nil) == 90_000)
        rewind.begin()
        #expect(library.restoredPause() == 1000)
        rewind.wallSeconds = { 2_000_000_000 }
        let pause = rewind.pause
        rewind.end()
        #expect(library.restoredPause() == nil && rewind.pause == nil)
        // After a return to a place from before the sleep, that pause still counts.
        rewind.resume(pause)
        #expect(library.restoredPause() == 1000 && rewind.pause == pause)
    }

    // MARK: In the speaker. Its transcript: 0 s One, 2 s Two, 3 s Three.

    private func playing() -> Bench {
        let bench = Bench()
        bench.add("a", "b")
        bench.press(.play)
        bench.player.positionMilliseconds = 40_000
        return bench
    }

    private func pause(_ bench: Bench, seconds: Int) {
        bench.press(.pause)
        bench.timers.pass(milliseconds: seconds * 1000)
        bench.press(.play)
    }

    @Test func aPauseIsMadeUpForOnce() {
        let bench = playing()
        pause(bench, seconds: 10)
        #expect(bench.player.positionMilliseconds == 40_000)
        pause(bench, seconds: 61)
        #expect(bench.player.positionMilliseconds == 38_000 && bench.player.wantsToPlay)
        pause(bench, seconds: 1)
        bench.press(.play)
        #expect(bench.player.positionMilliseconds == 38_000)
        // Stopped is paused, too.
        bench.press(.stop)
        bench.timers.pass(milliseconds: 3_600_000)
        bench.press(.play)
        #expect(bench.player.positionMilliseconds == 28_000)
    }

    @Test func whoChoosesAPlaceMeansIt() {
        for command in [Command.seek(milliseconds: 30_000), .skip(milliseconds: -10_000)] {
            let bench = playing()
            bench.press(.pause)
            bench.timers.pass(milliseconds: 100_000_000)
            bench.press(command, .play)
            #expect(bench.player.positionMilliseconds == 30_000)
        }
        let bench = playing()
        bench.press(.pause)
        bench.timers.pass(milliseconds: 100_000_000)
        bench.press(.next, .previous, .play)
        #expect(bench.player.positionMilliseconds == 0)
    }

    @Test func itIsASetting() {
        let bench = playing()
        bench.speaker.rules.rewindsAfterPause = false
        pause(bench, seconds: 100_000)
        #expect(bench.player.positionMilliseconds == 40_000)
    }

    @Test func toTheSentenceOfTheTranscript() {
        let bench = Bench()
        bench.add("a")
        bench.press(.play)
        bench.worker.runAll()
        bench.player.positionMilliseconds = 2600
        pause(bench, seconds: 1)
        #expect(bench.player.positionMilliseconds == 2000)
    }

    @Test(arguments: [(1000 as Int64, 40_000), (3700, 30_000), (-5, 40_000)])
    func itOutlivesARestart(later: Int64, place: Int) throws {
        let folder = try TemporaryFolder()
        let first = Bench(stateFolder: folder.path)
        first.speaker.listening.rewind.wallSeconds = { 1_700_000_000 }
        first.add("a")
        first.press(.play)
        first.player.positionMilliseconds = 40_000
        first.press(.pause)
        first.end()
        let second = Bench(stateFolder: folder.path)
        second.speaker.listening.rewind.wallSeconds = { 1_700_000_000 + later }
        #expect(second.player.positionMilliseconds == 40_000)
        second.press(.play)
        #expect(second.player.positionMilliseconds == (later == 1000 ? 38_000 : place))
        second.end()
        // Made up for: not once more.
        let third = Bench(stateFolder: folder.path)
        third.speaker.listening.rewind.wallSeconds = { 1_700_000_000 + 10_000_000 }
        third.press(.pause)
        let at = third.player.positionMilliseconds
        third.press(.play)
        #expect(third.player.positionMilliseconds == at)
    }
}
