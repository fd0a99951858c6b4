import Core
import TestSupport
import Testing

@testable import Speaker
@testable import SpeakerBench

@Suite("Night") struct NightTests {
    /// - Parameter minute: of the day; nil for a board that does not know it.
    private func bench(at minute: Int?, _ night: PlayingRules.Night? = Self.night) -> Bench {
        let bench = Bench()
        bench.add("a", "b")
        bench.speaker.rules.night = night
        bench.speaker.listening.rewind.wallMinute = { minute }
        return bench
    }

    private static let night = PlayingRules.Night(
        hours: NightHours(from: 22 * 60, to: 7 * 60), sleep: .minutes(30), startPercent: 20, mostPercent: 40)

    /// As a hand does it, and not the speaker by itself.
    private func press(_ bench: Bench, _ commands: Command...) {
        for command in commands { bench.speaker.perform(command, asked: bench.timers.now) }
    }

    @Test func whoeverBeginsToPlayIsNotWokenAndSleeps() {
        for minute in [22 * 60, 1439, 0, 7 * 60 - 1] {
            let bench = bench(at: minute)
            press(bench, .setVolume(percent: 15), .play)
            // It is never made louder.
            #expect(bench.showing.volumePercent == 15 && bench.speaker.sleep.setting == .minutes(30))
            let loud = self.bench(at: nil)
            press(loud, .setVolume(percent: 90))
            loud.speaker.listening.rewind.wallMinute = { minute }
            press(loud, .play)
            #expect(loud.showing.volumePercent == 20 && loud.changed().contains(.volume))
        }
    }

    @Test func byDayAndWithoutAClockNothingIsOtherwise() {
        for bench in [bench(at: 7 * 60), bench(at: 21 * 60 + 59), bench(at: nil), bench(at: 60, nil)] {
            press(bench, .setVolume(percent: 90), .play)
            #expect(
                bench.showing.volumePercent == 90 && bench.speaker.sleep.setting == .off && bench.player.wantsToPlay)
        }
    }

    @Test func itIsNotMadeLouderThanTheNightAllows() {
        let bench = bench(at: 60)
        press(bench, .play)
        for _ in 0..<6 { press(bench, .volume(step: 5)) }
        #expect(bench.showing.volumePercent == 40 && bench.said() == [.loudest, .loudest])
        press(bench, .setVolume(percent: 100))
        #expect(bench.showing.volumePercent == 40)
        press(bench, .volume(step: -5), .volume(step: 100))
        #expect(bench.showing.volumePercent == 40)
        // What was louder by day is not made so, and goes down step by step.
        bench.speaker.listening.rewind.wallMinute = { 12 * 60 }
        press(bench, .setVolume(percent: 80))
        bench.speaker.listening.rewind.wallMinute = { 60 }
        _ = bench.said()
        press(bench, .volume(step: 5))
        #expect(bench.showing.volumePercent == 80 && bench.said() == [.loudest])
        press(bench, .volume(step: -5))
        #expect(bench.showing.volumePercent == 75)
    }

    /// After a short pause somebody is awake, and has it as he set it.
    @Test func aShortPauseIsNoNewNight() {
        let bench = bench(at: 60)
        press(bench, .play, .setVolume(percent: 35), .sleep(.off), .pause)
        bench.pass(milliseconds: 599_000)
        press(bench, .play)
        #expect(bench.showing.volumePercent == 35 && bench.speaker.sleep.setting == .off)
        press(bench, .pause)
        bench.pass(milliseconds: 600_000)
        // What plays by itself asks nobody.
        bench.press(.play)
        #expect(bench.showing.volumePercent == 35 && bench.speaker.sleep.setting == .off)
        press(bench, .pause)
        bench.pass(milliseconds: 600_000)
        press(bench, .playPause)
        #expect(bench.showing.volumePercent == 20 && bench.speaker.sleep.setting == .minutes(30))
    }
}

@Suite("Interruptions") struct InterruptionTests {
    private func playing() -> Bench {
        let bench = Bench()
        bench.add("a", "b")
        bench.press(.play)
        return bench
    }

    @Test func aDoorbell() {
        let bench = playing()
        let timers = bench.timers.count
        bench.player.positionMilliseconds = 30_000
        bench.press(.interrupt(.begin(seconds: 20)))
        #expect(!bench.player.wantsToPlay)
        bench.pass(milliseconds: 15_000)
        // Rung again: as long again.
        bench.press(.interrupt(.begin(seconds: 20)))
        bench.pass(milliseconds: 19_999)
        #expect(!bench.player.wantsToPlay)
        bench.pass(milliseconds: 1)
        #expect(bench.player.wantsToPlay && bench.title == "a" && bench.player.positionMilliseconds <= 30_000)
        #expect(bench.timers.count <= timers)
    }

    @Test func itIsEndedByWhoBeganIt() {
        let bench = playing()
        bench.press(.interrupt(.begin(seconds: nil)))
        bench.pass(milliseconds: 300_000)
        bench.press(.volume(step: -5), .interrupt(.end))
        #expect(bench.player.wantsToPlay)
        // After more than five minutes nobody expects it.
        bench.press(.interrupt(.begin(seconds: nil)))
        bench.pass(milliseconds: 300_001)
        bench.press(.interrupt(.end))
        #expect(!bench.player.wantsToPlay)
        bench.press(.interrupt(.begin(seconds: 3600)))
        #expect(!bench.player.wantsToPlay)
    }

    /// Whoever plays, pauses or goes elsewhere meanwhile has what he wants.
    @Test func aHandCountsMore() {
        for command in [Command.pause, .playPause, .stop, .next, .skip(milliseconds: 10_000)] {
            let bench = playing()
            bench.press(.interrupt(.begin(seconds: 20)), command)
            let plays = bench.player.wantsToPlay
            bench.pass(milliseconds: 20_000)
            bench.press(.interrupt(.end))
            #expect(bench.player.wantsToPlay == plays, "\(command)")
        }
        // What does not play is not made to.
        let bench = playing()
        bench.press(.pause, .interrupt(.begin(seconds: 5)))
        bench.pass(milliseconds: 5000)
        bench.press(.interrupt(.end))
        #expect(!bench.player.wantsToPlay)
    }
}
