// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import TestSupport
import Testing

@testable import Speaker
@testable import SpeakerBench

/// Headphones without a wire, by what the process that drives them tells.
@Suite("Headphones") struct HeadphoneTests {
    private static let address = "02:00:00:00:00:01"

    private func list(_ states: Headphones.State..., isScanning: Bool = false) -> HeadphoneList {
        let all = states.enumerated().compactMap { number, state in
            Headphones(
                address: "02:00:00:00:00:0\(number + 1)", name: "Ears \(number + 1)", state: state,
                isPaired: state == .known || state == .connected)
        }
        return HeadphoneList(all, isScanning: isScanning)
    }

    @Test func theyTakeTheSoundAndPauseItWhenTheyGo() {
        let bench = Bench(mixer: FakeMixer())
        bench.add("a")
        bench.press(.setVolume(percent: 80), .play)
        bench.speaker.headphonesAre(list(.connected))
        #expect(bench.player.device == "bluealsa:DEV=02:00:00:00:00:01,PROFILE=a2dp" && bench.speaker.wantsToPlay)
        #expect(bench.said() == [.connected("Ears 1")])
        // A volume of their own, of the samples; the card's stays.
        #expect(bench.showing.volumePercent == 30 && bench.player.softwarePercent == 30 && bench.mixer?.percent == 80)
        bench.press(.setVolume(percent: 50))
        #expect(bench.player.softwarePercent == 50 && bench.mixer?.percent == 80)
        bench.speaker.headphonesAre(list(.known))
        #expect(bench.player.device == nil && !bench.speaker.wantsToPlay)
        #expect(bench.showing.volumePercent == 80 && bench.player.softwarePercent == 100 && bench.mixer?.percent == 80)
        bench.speaker.headphonesAre(list(.connected))
        #expect(bench.showing.volumePercent == 50 && !bench.speaker.wantsToPlay)
    }

    @Test func theNightCapsThem() {
        let bench = Bench()
        bench.add("a")
        bench.speaker.headphonesAre(list(.connected))
        bench.press(.setVolume(percent: 90))
        bench.speaker.headphonesAre(list(.known))
        bench.press(.setVolume(percent: 10))
        bench.speaker.rules.night = PlayingRules.Night(
            hours: NightHours(from: 22 * 60, to: 7 * 60), startPercent: 20, mostPercent: 40)
        bench.speaker.listening.rewind.wallMinute = { 60 }
        bench.speaker.headphonesAre(list(.connected))
        #expect(bench.showing.volumePercent == 40)
        bench.press(.setVolume(percent: 100))
        #expect(bench.showing.volumePercent == 40)
    }

    @Test func bothVolumesAreKeptOverARestart() throws {
        let folder = try TemporaryFolder()
        let first = Bench(stateFolder: folder.path)
        first.add("a")
        first.press(.setVolume(percent: 70))
        first.speaker.headphonesAre(list(.connected))
        first.press(.setVolume(percent: 25))
        first.end()
        let second = Bench(stateFolder: folder.path)
        #expect(second.showing.volumePercent == 70)
        second.speaker.headphonesAre(list(.connected))
        #expect(second.showing.volumePercent == 25)
    }

    @Test func theMenuFindsPairsAndForgets() {
        let bench = Bench()
        var asked: [String] = []
        bench.speaker.sound.askHeadphones = {
            asked.append($0.words)
            return true
        }
        func entry() -> String { bench.speaker.menu.status?.entry.title ?? "" }
        func open() {
            bench.press(.menu(.open))
            for _ in 0..<30 where entry() != "Headphones" { bench.press(.menu(.next)) }
        }
        open()
        // Nothing of it without the process.
        #expect(entry() != "Headphones")
        bench.press(.menu(.leave))
        bench.speaker.headphonesAre(list())
        open()
        #expect(entry() == "Headphones")
        bench.press(.menu(.choose))
        #expect(entry() == "New headphones" && asked.isEmpty)
        bench.press(.menu(.choose))
        #expect(asked == ["scan"])
        bench.speaker.headphonesAre(list(isScanning: true))
        #expect(entry() == "Searching…")
        // A minute without a press, while it searches.
        bench.timers.pass(milliseconds: 50_000)
        #expect(entry() == "Searching…")
        bench.speaker.headphonesAre(list(.found, isScanning: true))
        #expect(entry() == "Ears 1")
        // The entry under the hand stays there.
        bench.speaker.headphonesAre(list(.found, .found, isScanning: true))
        #expect(entry() == "Ears 1")
        bench.press(.menu(.choose))
        #expect(asked == ["scan", "pair " + Self.address] && !bench.speaker.isMenuOpen)
        bench.speaker.headphonesAre(list(.failed))
        #expect(bench.said().last == .cannotConnect("Ears 1"))
        bench.speaker.headphonesAre(list(.connected))
        open()
        bench.press(.menu(.choose))
        #expect(entry() == "Ears 1" && bench.speaker.menu.status?.entry.isCurrent == true)
        bench.press(.menu(.choose))
        #expect(entry() == "Disconnect")
        bench.press(.menu(.next), .menu(.choose))
        #expect(asked.last == "forget " + Self.address)
    }

    /// A menu that waits for headphones closes by itself after the search.
    @Test func theMenuClosesAfterTheSearch() {
        let bench = Bench()
        bench.speaker.sound.askHeadphones = { _ in true }
        bench.speaker.headphonesAre(list(isScanning: true))
        _ = bench.speaker.menu.open(.newHeadphones)
        bench.timers.pass(milliseconds: 40_000)
        #expect(bench.speaker.isMenuOpen)
        bench.speaker.headphonesAre(list())
        bench.timers.pass(milliseconds: 30_000)
        #expect(!bench.speaker.isMenuOpen)
    }

    @Test func withoutTheProcessTheAnswerIsNo() {
        let bench = Bench()
        #expect(!bench.speaker.ask(.scan) && bench.said() == [.cannotConnect("Headphones")])
    }
}
