import Core
import Display
import Library
import TestSupport
import Testing

@testable import Speaker

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
        #expect(bench.showing.state == .waitingForDevice && bench.showing.trouble == .noSoundDevice)
        #expect(bench.speaker.troubleMessage == "sound device hw: No such device")
        #expect(bench.changed() == [.player, .output])
        bench.press(.pause)
        #expect(bench.showing.state == .paused && bench.showing.trouble == nil)
    }
}

@Suite("What is shown") struct PresenterTests {
    @Test func anEmptyLibrary() {
        let bench = Bench()
        bench.scans.isScanning = true
        bench.scans.hasScanned = false
        #expect(bench.showing.state == .stopped && bench.showing.trouble == .lookingForAudio)
        bench.scans.isScanning = false
        bench.scans.hasScanned = true
        #expect(bench.showing.state == .waitingForLibrary && bench.showing.trouble == .noAudioFound)
    }

    @Test func theTranscriptAroundTheEar() {
        let bench = Bench()
        bench.add("a")
        bench.worker.runAll()
        bench.press(.play, .seek(milliseconds: 2500))
        #expect(bench.showing.transcript?.text == "Two.")
        #expect(bench.showing.nextLine == nil)
        let more = bench.speaker.showing(.neighbours)
        #expect(more.previousLine?.text == "One." && more.nextLine?.text == "Three.")
        bench.press(.seek(milliseconds: 1500))
        #expect(bench.showing.transcript == nil)
        #expect(bench.speaker.showing(.neighbours).previousLine?.text == "One.")
        bench.press(.stop)
        #expect(bench.showing.transcript == nil)
    }

    @Test func thePageInFocus() throws {
        let bench = Bench()
        let items = bench.add("a", "b", "c")
        bench.press(.open(.queue), .next)
        #expect(bench.showing.page == .queue && bench.showing.rows == nil)
        let rows = try #require(bench.speaker.showing(.pages).rows)
        #expect(rows.rows.map(\.title) == ["a", "b", "c"] && rows.currentIndex == 1 && rows.count == 3)
        bench.press(.toggleFavourite, .open(.favourites))
        let favourites = try #require(bench.speaker.showing(.pages).rows)
        #expect(favourites.rows.map(\.item) == [items[1]] && favourites.currentIndex == 0)
    }

    @Test func everyWordFitsASmallGlass() {
        for notice in Notice.allCases { #expect(notice.words.utf8.count <= 32, "\(notice)") }
        for trouble in Trouble.allCases { #expect(trouble.words.utf8.count <= 32, "\(trouble)") }
    }
}
