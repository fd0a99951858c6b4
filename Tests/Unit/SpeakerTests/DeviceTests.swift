// SPDX-License-Identifier: Apache-2.0
import Core
import Display
import Library
import TestSupport
import Testing

@testable import Speaker
@testable import SpeakerBench

@Suite("Cards and their volume") struct DeviceTests {
    @Test func aCardThatComesBackIsToldTheVolume() {
        let mixer = FakeMixer()
        let bench = Bench(mixer: mixer)
        bench.add("a")
        bench.press(.setVolume(percent: 30), .play)
        bench.player.loseDevice()
        // Another card, or the same with its own idea of loud.
        mixer.percent = 100
        bench.player.findDevice()
        #expect(mixer.percent == 30)
        #expect(bench.speaker.troubleMessage == nil)
    }

    @Test func aCardThatComesLateIsToldTheVolume() {
        let mixer = FakeMixer()
        mixer.isThere = false
        let bench = Bench(mixer: mixer)
        bench.add("a")
        bench.player.hasDevice = false
        bench.press(.setVolume(percent: 30))
        mixer.isThere = true
        // Opened for the first time, without ever having been missed.
        bench.player.hasDevice = true
        bench.press(.play)
        #expect(mixer.percent == 30)
        let times = mixer.timesSet
        bench.press(.pause, .play)
        #expect(mixer.timesSet == times)
        #expect(bench.player.softwarePercent == nil)
    }

    @Test func withoutAMixerTheSamplesAreMadeQuieter() {
        let bench = Bench()
        bench.press(.setVolume(percent: 40))
        #expect(bench.player.softwarePercent == 40)
    }

    @Test func aCardThatIsAwayIsShown() {
        let bench = Bench()
        bench.add("a")
        bench.press(.play)
        _ = bench.changed()
        bench.player.loseDevice()
        #expect(bench.showing.wait == .device && bench.showing.trouble == .noSoundDevice)
        #expect(bench.speaker.troubleMessage == "sound device hw: No such device")
        #expect(bench.changed() == [.player, .output])
        bench.player.isDeviceBusy = true
        #expect(bench.showing.wait == .device && bench.showing.standingWords == "Sound card in use")
        bench.player.cardHolder = "squeezelite"
        #expect(bench.showing.guest == "squeezelite" && bench.showing.standingWords == "squeezelite plays here")
        bench.press(.pause)
        #expect(bench.showing.state == .paused && bench.showing.trouble == nil)
    }

    /// A guest that plays for longer than an interruption may last leaves a paused book; an earlier end lets it begin.
    @Test func aBusyCardIsWaitedForFiveMinutes() {
        let bench = Bench()
        bench.add("a")
        bench.player.isDeviceBusy = true
        bench.player.loseDevice()
        bench.press(.play)
        bench.pass(milliseconds: 299_999)
        #expect(bench.showing.trouble == .soundDeviceBusy && bench.player.wantsToPlay)
        bench.player.isDeviceBusy = false
        bench.player.findDevice()
        bench.pass(milliseconds: 300_000)
        #expect(bench.player.wantsToPlay && bench.showing.trouble == nil)
        bench.player.isDeviceBusy = true
        bench.player.loseDevice()
        bench.pass(milliseconds: 299_999)
        #expect(bench.player.wantsToPlay)
        bench.pass(milliseconds: 1)
        #expect(!bench.player.wantsToPlay && bench.showing.trouble == nil)
        // A card that is away is waited for without an end.
        bench.player.isDeviceBusy = false
        bench.press(.play)
        bench.pass(milliseconds: 3_600_000)
        #expect(bench.player.wantsToPlay)
    }
}
