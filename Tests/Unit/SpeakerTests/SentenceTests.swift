// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import TestSupport
import Testing

@testable import Speaker
@testable import SpeakerBench

/// The transcript: One from 0 to 1 s, a gap, Two from 2 to 3 s, Three from 3 to 4 s.
@Suite("Sentences") struct SentenceTests {
    private func playing(at milliseconds: Int, _ names: String...) -> Bench {
        let bench = Bench()
        for name in names.isEmpty ? ["a", "b"] : names { bench.add(name) }
        bench.press(.play)
        bench.worker.runAll()
        bench.player.positionMilliseconds = milliseconds
        return bench
    }

    private func place(from milliseconds: Int, _ commands: Command...) -> Int {
        let bench = playing(at: milliseconds)
        for command in commands { bench.press(command) }
        return bench.player.positionMilliseconds
    }

    @Test func alongTheSentences() {
        #expect(place(from: 500, .sentence(.next)) == 2000)
        #expect(place(from: 1500, .sentence(.next)) == 2000)
        #expect(place(from: 500, .sentence(.next), .sentence(.next)) == 3000)
        #expect(place(from: 3500, .sentence(.previous)) == 2000)
        #expect(place(from: 3500, .sentence(.previous), .sentence(.previous)) == 0)
        // In a gap: the one that was heard last.
        #expect(place(from: 1500, .sentence(.previous)) == 0)
        #expect(place(from: 2900, .sentence(.again)) == 2000)
        #expect(place(from: 50_000, .sentence(.again)) == 3000)
    }

    @Test func atTheEnds() {
        let bench = playing(at: 3500, "a")
        bench.press(.sentence(.next))
        #expect(bench.said() == [.lastSentence] && bench.player.positionMilliseconds == 3500)
        bench.player.positionMilliseconds = 500
        bench.press(.sentence(.previous))
        #expect(bench.said() == [.firstSentence] && bench.player.positionMilliseconds == 0)
    }

    @Test func twoPressesOfPlayAreTheSentenceAgain() {
        // It may have played or been paused before.
        for isPlaying in [true, false] {
            let bench = playing(at: 2700)
            if !isPlaying { bench.press(.pause) }
            bench.press(.playPause, .sentence(.again))
            #expect(bench.player.wantsToPlay && bench.player.positionMilliseconds == 2000)
        }
        // And no more than two presses where there are no sentences.
        let bench = Bench()
        bench.add("a")
        bench.press(.play, .playPause, .sentence(.again))
        #expect(bench.player.wantsToPlay)
        bench.press(.pause, .playPause, .sentence(.again))
        #expect(!bench.player.wantsToPlay && bench.said() == [])
        bench.press(.sentence(.next), .loop(.sentence))
        #expect(bench.said() == [.noTranscript, .noTranscript])
    }

    @Test func aPauseIsKeptByNextAndPrevious() {
        let bench = playing(at: 500)
        bench.press(.pause, .sentence(.next))
        #expect(!bench.player.wantsToPlay && bench.player.positionMilliseconds == 2000)
    }

    // MARK: Repeating

    /// Time passes, and the player with it.
    private func hear(_ bench: Bench, milliseconds: Int) {
        for _ in 0..<milliseconds / 10 {
            if bench.player.wantsToPlay { bench.player.positionMilliseconds += 10 }
            bench.timers.pass(milliseconds: 10)
        }
    }

    @Test func aSentenceAgainAndAgain() {
        let bench = playing(at: 2500)
        bench.press(.loop(.sentence))
        #expect(bench.said() == [.loopOn] && bench.speaker.loop.bounds == 2000..<3000)
        hear(bench, milliseconds: 400)
        #expect(bench.player.positionMilliseconds == 2900)
        hear(bench, milliseconds: 200)
        #expect(bench.player.positionMilliseconds == 2100)
        // A thousand times: it does not drift, and wakes for nothing but its end.
        let before = bench.timers.count
        hear(bench, milliseconds: 100_000)
        #expect(bench.player.positionMilliseconds == 2100 && bench.timers.count == before)
        // Paused it costs no timer.
        bench.press(.pause)
        bench.timers.pass(milliseconds: 10_000)
        #expect(bench.player.positionMilliseconds == 2100)
        bench.press(.play)
        #expect(bench.player.positionMilliseconds == 2000)
        // It goes along to the next, and another press ends it.
        bench.press(.sentence(.next))
        #expect(bench.speaker.loop.bounds == 3000..<4000)
        hear(bench, milliseconds: 1500)
        #expect(bench.player.positionMilliseconds == 3500)
        bench.press(.loop(.sentence))
        #expect(bench.said() == [.loopOff] && bench.speaker.loop.bounds == nil)
        hear(bench, milliseconds: 1500)
        #expect(bench.player.positionMilliseconds == 5000)
    }

    @Test func fromHereToThere() {
        let bench = playing(at: 500)
        bench.press(.loop(.from))
        hear(bench, milliseconds: 2000)
        bench.press(.loop(.to))
        #expect(bench.speaker.loop.bounds == 0..<3000 && bench.said() == [.loopBegins, .loopOn])
        hear(bench, milliseconds: 600)
        #expect(bench.player.positionMilliseconds == 100)
        bench.press(.loop(.off), .loop(.off))
        #expect(bench.said() == [.loopOff])
        // Without sentences: to the very place, and from there at once.
        bench.player.positionMilliseconds = 20_000
        bench.press(.loop(.from))
        bench.player.positionMilliseconds = 30_000
        bench.press(.loop(.to))
        #expect(bench.player.positionMilliseconds == 3000 || bench.player.positionMilliseconds == 20_000)
    }

    @Test func goingAwayEndsIt() {
        for command in [Command.seek(milliseconds: 30_000), .next, .stop] {
            let bench = playing(at: 2500)
            bench.press(.loop(.sentence), command)
            #expect(bench.speaker.loop.bounds == nil)
        }
        let bench = playing(at: 2500)
        bench.press(.loop(.sentence), .seek(milliseconds: 2100))
        #expect(bench.speaker.loop.bounds == 2000..<3000)
    }

    @Test func aStretchToTheEndOfTheFileIsGoneOnWithByThePlayer() {
        let bench = playing(at: 50_000)
        bench.speaker.loop.set(50_000..<60_000, isSentence: false)
        let following = bench.speaker.trackAfter(bench.player.track!)
        #expect(following?.track.id == bench.player.track?.id && following?.milliseconds == 50_000)
        let plays = bench.library.item(bench.player.track!.id)?.playCount
        bench.player.reachEnd()
        #expect(bench.title == "a" && bench.player.positionMilliseconds == 50_000 && bench.speaker.loop.isOn)
        #expect(bench.library.item(bench.player.track!.id)?.playCount == plays)
        bench.press(.loop(.off))
        bench.player.reachEnd()
        #expect(bench.title == "b")
    }
}
