// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Model
import Posix
import TestSupport
import Testing

@testable import Speaker
@testable import SpeakerBench

@Suite("What was played") struct PlayedTests {
    @Test func theOrdinaryEveningCounts() {
        let bench = Bench()
        let item = bench.add("a", "b")[0]
        // Made ready paused, then played with the button.
        #expect(bench.library.item(item)?.playCount == 0)
        bench.press(.playPause)
        #expect(bench.library.item(item)?.playCount == 1)
        bench.press(.playPause, .playPause, .seek(milliseconds: 0), .playPause, .playPause)
        #expect(bench.library.item(item)?.playCount == 1)
    }

    @Test func goingOnInTheMiddleDoesNotCount() {
        let bench = Bench()
        bench.speaker.rules.flowsIntoNextBook = true
        bench.add("a", folder: "/a")
        let items = bench.add("b", folder: "/b")
        bench.library.savePosition(items[0], milliseconds: 30_000)
        bench.press(.play)
        bench.player.reachEnd()
        #expect(bench.title == "b" && bench.player.positionMilliseconds == 30_000)
        #expect(bench.library.item(items[0])?.playCount == 0)
        bench.press(.pause, .play)
        #expect(bench.library.item(items[0])?.playCount == 0)
    }

    @Test func passingIntoTheNextFromItsBeginningCounts() {
        let bench = Bench()
        let items = bench.add("a", "b")
        bench.press(.play)
        bench.player.reachEnd()
        #expect(bench.library.item(items[1])?.playCount == 1)
        #expect(bench.library.book(of: items[0])?.left?.item == items[1])
    }

    @Test func creditsAreATwentiethWithinBounds() {
        for (duration, credits) in [
            (0, 5000), (60_000, 5000), (600_000, 30_000), (2_400_000, 120_000), (Int.max, 120_000),
        ] {
            #expect(Item.creditsMilliseconds(duration: duration) == credits)
        }
    }

    /// Leaving a book during its last part counts as having heard it, paused or not; a jump there counts as nothing.
    @Test(arguments: [true, false]) func whatIsLeftInItsCreditsWasHeard(isJump: Bool) {
        for file in [1, 2] {
            let bench = Bench()
            let book = bench.add("a1", "a2", folder: "/a")
            bench.add("b1", "b2", folder: "/b")
            bench.press(.playEntry(id: file))
            if isJump { bench.press(.seek(milliseconds: 56_000)) } else { bench.player.positionMilliseconds = 56_000 }
            bench.press(.playEntry(id: 3))
            #expect(bench.title == "b1")
            #expect(bench.library.isFinished(book[file - 1]) == (file == 2 && !isJump))
        }
    }

    @Test func afterTheLastItemItRests() {
        let bench = Bench()
        bench.add("a")
        bench.press(.play)
        bench.player.reachEnd()
        #expect(bench.timesEnded == 1)
        #expect(bench.title == "a" && bench.showing.state == .paused)
        #expect(bench.showing.positionMilliseconds == 60_000)
    }

    @Test func playingIsTimedWithoutAnEnd() {
        var time = PlayTime()
        time.playingDidChange(to: true, at: MonotonicTime(nanoseconds: 0))
        let later = MonotonicTime(nanoseconds: 100 * 24 * 3600 * 1_000_000_000)
        #expect(time.played(at: later) == 8_640_000_000)
        time.playingDidChange(to: false, at: later)
        #expect(time.played(at: later.adding(milliseconds: 5000)) == 8_640_000_000)
    }

    @Test func thePlaceIsSavedWhileItPlays() {
        let bench = Bench()
        let item = bench.add("a")[0]
        bench.press(.play)
        bench.player.positionMilliseconds = 12_345
        bench.pass(milliseconds: 4500)
        #expect(bench.library.item(item)?.positionMilliseconds == 12_345)
        bench.press(.pause)
        bench.player.positionMilliseconds = 20_000
        bench.pass(milliseconds: 10_000)
        #expect(bench.library.item(item)?.positionMilliseconds == 12_345)
    }

    @Test func aSaveGoesWithWhatWakesTheThreadAnyway() {
        let bench = Bench()
        let item = bench.add("a")[0]
        bench.press(.play)
        func saved() -> Int? { bench.library.item(item)?.positionMilliseconds }
        bench.player.positionMilliseconds = 3900
        bench.timers.schedule(inMilliseconds: 3900) {}
        bench.pass(milliseconds: 3900)
        #expect(saved() != 3900)
        bench.player.positionMilliseconds = 4100
        bench.timers.schedule(inMilliseconds: 200) {}
        bench.pass(milliseconds: 200)
        #expect(saved() == 4100)
        // And the next one 4.5 s after it at the latest.
        bench.player.positionMilliseconds = 8599
        bench.pass(milliseconds: 4499)
        #expect(saved() == 4100)
        bench.pass(milliseconds: 1)
        #expect(saved() == 8599)
    }

    @Test func soundComesBeforeTheTranscript() {
        let bench = Bench()
        bench.add("a", "b")
        bench.worker.runAll()
        bench.press(.play, .next)
        // The transcript's job is in the background, where what is pressed goes first.
        let job = bench.worker.jobs.first { $0.key == "transcript" }
        #expect(job?.priority == .background)
        #expect(bench.speaker.transcripts.transcript == nil)
        #expect(bench.speaker.transcripts.isReading)
        bench.worker.runAll()
        #expect(bench.speaker.transcripts.transcript?.count == 3)
        #expect(!bench.speaker.transcripts.isReading)
        #expect(bench.changed().contains(.transcript))
    }

    @Test func aTranscriptThatIsLateIsNotShown() {
        let bench = Bench()
        bench.add("a", "b")
        bench.press(.next)
        let job = bench.worker.jobs.filter { $0.key == "transcript" }
        #expect(job.count == 1)
        bench.press(.stop)
        bench.speaker.remove(0..<2)
        bench.worker.runAll()
        #expect(bench.speaker.transcripts.transcript == nil)
    }
}
