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
        bench.press(.pause)
        #expect(bench.showing.state == .paused && bench.showing.trouble == nil)
    }
}
