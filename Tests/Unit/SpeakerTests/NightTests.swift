// SPDX-License-Identifier: Apache-2.0
import Core
import Fuzzing
import TestSupport
import Testing

@testable import Model
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
        // A volume that was higher by day is kept, and goes down step by step.
        bench.speaker.listening.rewind.wallMinute = { 12 * 60 }
        press(bench, .setVolume(percent: 80))
        bench.speaker.listening.rewind.wallMinute = { 60 }
        _ = bench.said()
        press(bench, .volume(step: 5))
        #expect(bench.showing.volumePercent == 80 && bench.said() == [.loudest])
        press(bench, .volume(step: -5))
        #expect(bench.showing.volumePercent == 75)
    }

    /// A jump while it is paused is no long silence, nor is another title.
    @Test func aJumpInAShortPauseIsNoNewNight() {
        for jump in [Command.skip(milliseconds: -1000), .seek(milliseconds: 30_000), .next] {
            let bench = bench(at: 60)
            bench.speaker.rules.keepsPause = true
            press(bench, .play, .setVolume(percent: 35), .sleep(.off), .pause)
            bench.pass(milliseconds: 1000)
            press(bench, jump, .play)
            #expect(bench.showing.volumePercent == 35 && bench.speaker.sleep.setting == .off, "\(jump)")
            press(bench, .pause)
            bench.pass(milliseconds: 600_000)
            press(bench, jump, .play)
            #expect(bench.showing.volumePercent == 20, "\(jump)")
        }
    }

    /// After a short pause the listener is awake, and keeps the chosen volume.
    @Test func aShortPauseIsNoNewNight() {
        let bench = bench(at: 60)
        press(bench, .play, .setVolume(percent: 35), .sleep(.off), .pause)
        bench.pass(milliseconds: 599_000)
        press(bench, .play)
        #expect(bench.showing.volumePercent == 35 && bench.speaker.sleep.setting == .off)
        press(bench, .pause)
        bench.pass(milliseconds: 600_000)
        // Playback that starts by itself changes nothing.
        bench.press(.play)
        #expect(bench.showing.volumePercent == 35 && bench.speaker.sleep.setting == .off)
        press(bench, .pause)
        bench.pass(milliseconds: 600_000)
        press(bench, .playPause)
        #expect(bench.showing.volumePercent == 20 && bench.speaker.sleep.setting == .minutes(30))
    }

    /// Playback into the night does not keep the volume of the day.
    @Test func whatPlaysOnIntoTheNightSinks() {
        let bench = bench(at: 21 * 60)
        press(bench, .setVolume(percent: 80), .play)
        bench.timers.pass(milliseconds: 5000)
        #expect(bench.showing.volumePercent == 80)
        bench.speaker.listening.rewind.wallMinute = { 22 * 60 }
        bench.timers.pass(milliseconds: 5000)
        #expect(bench.showing.volumePercent == 40 && bench.speaker.sleep.setting == .off)
    }

    @Test func howLoudItCanBeMadeIsChosenInTheMenuAndKept() {
        let bench = bench(at: nil)
        press(bench, .setVolume(percent: 90))
        bench.speaker.setLoudest(60)
        #expect(bench.showing.volumePercent == 60 && bench.library.restoredLoudest == 60)
        press(bench, .setVolume(percent: 100), .volume(step: 5))
        #expect(bench.showing.volumePercent == 60 && bench.said() == [.loudest])
        bench.speaker.setLoudest(100)
        press(bench, .setVolume(percent: 100))
        #expect(bench.showing.volumePercent == 100 && bench.library.restoredLoudest == nil)
    }

    /// By the third power, as the volume goes.
    @Test func theVoiceHasALimitOfItsOwnAtNight() {
        var night = Self.night
        night.voicePercent = 25
        let bench = bench(at: 60, night)
        bench.speaker.rules.night?.mostPercent = 100
        press(bench, .setVolume(percent: 50))
        #expect(bench.speaker.voiceLevel.factor == 8192)
        press(bench, .setVolume(percent: 10))
        #expect(bench.speaker.voiceLevel.factor == 65_536)
        bench.speaker.listening.rewind.wallMinute = { 720 }
        press(bench, .setVolume(percent: 50))
        #expect(bench.speaker.voiceLevel.factor == 65_536 && bench.speaker.voiceLevel.loudness == Loudness.target)
    }

    /// The times are from almanacs: Berlin in June and December, Sydney in December, Quito in March; and places without sunset or sunrise.
    @Test func byTheSun() {
        func night(_ latitude: Int, _ longitude: Int, _ day: Int64, _ hours: Int64) -> NightHours {
            NightHours(from: 0, to: 0, sun: NightHours.Place(latitude: latitude, longitude: longitude))
                .on(day: day, aheadSeconds: hours * 3600)
        }
        let known: [(night: NightHours, from: Int, to: Int)] = [
            (night(5_252_000, 1_340_000, 20_625, 2), 21 * 60 + 33, 4 * 60 + 43),
            (night(5_252_000, 1_340_000, 20_808, 1), 15 * 60 + 54, 8 * 60 + 15),
            (night(-3_387_000, 15_121_000, 20_808, 11), 20 * 60 + 5, 5 * 60 + 41),
            (night(0, -7_850_000, 20_532, -5), 18 * 60 + 25, 6 * 60 + 18),
        ]
        for (night, from, to) in known {
            #expect(abs(night.from - from) <= 3 && abs(night.to - to) <= 3, "\(night)")
            #expect(night.contains(minute: 0) && !night.contains(minute: 720))
        }
        let tromso = (latitude: 6_965_000, longitude: 1_896_000)
        let (june, december) = (
            night(tromso.latitude, tromso.longitude, 20_625, 2), night(tromso.latitude, tromso.longitude, 20_808, 1)
        )
        #expect((0..<1440).allSatisfy { !june.contains(minute: $0) && december.contains(minute: $0) })
        // For any place and any day: minutes of a day.
        var random = SeededGenerator(seed: 11)
        for _ in 0..<20_000 {
            let place = (
                Int.random(in: -9_000_000...9_000_000, using: &random),
                Int.random(in: -18_000_000...18_000_000, using: &random)
            )
            let any = night(
                place.0, place.1, Int64.random(in: 0...60_000, using: &random),
                Int64.random(in: -12...14, using: &random))
            #expect((0...1439).contains(any.from) && (0...1440).contains(any.to))
        }
    }

    @Test func untilItBeginsOrEnds() {
        let hours = NightHours(from: 22 * 60, to: 7 * 60)
        for minute in 0..<1440 {
            let after = (minute + hours.minutesToChange(from: minute)) % 1440
            #expect(after == (hours.contains(minute: minute) ? 7 * 60 : 22 * 60))
        }
        // Near the poles: from any minute, the wait is a day at most.
        #expect((0..<1440).allSatisfy { (1...1440).contains(NightHours(from: 0, to: 1440).minutesToChange(from: $0)) })
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
        // After more than five minutes the listener does not expect it.
        bench.press(.interrupt(.begin(seconds: nil)))
        bench.pass(milliseconds: 300_001)
        bench.press(.interrupt(.end))
        #expect(!bench.player.wantsToPlay)
        bench.press(.interrupt(.begin(seconds: 3600)))
        #expect(!bench.player.wantsToPlay)
    }

    /// Playing, pausing or jumping meanwhile has its usual effect.
    @Test func aHandCountsMore() {
        for command in [Command.pause, .playPause, .stop, .next, .skip(milliseconds: 10_000)] {
            let bench = playing()
            bench.press(.interrupt(.begin(seconds: 20)), command)
            let plays = bench.player.wantsToPlay
            bench.pass(milliseconds: 20_000)
            bench.press(.interrupt(.end))
            #expect(bench.player.wantsToPlay == plays, "\(command)")
        }
        // A paused speaker stays paused.
        let bench = playing()
        bench.press(.pause, .interrupt(.begin(seconds: 5)))
        bench.pass(milliseconds: 5000)
        bench.press(.interrupt(.end))
        #expect(!bench.player.wantsToPlay)
    }
}
