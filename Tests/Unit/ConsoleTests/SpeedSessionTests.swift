// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Model
import Testing

@testable import Console
@testable import SpeakerBench
@testable import Wire

@Suite("Speed on the console") struct SpeedSessionTests {
    @Test func itIsToldAndSet() {
        let desk = Desk.playing()
        #expect(answer(desk, "speed") == "speed: 1\nspeed_speaker: 1\nOK\n")
        for (line, thousandths) in [
            ("1.5", 1500), ("+0.1", 1600), ("-0.05", 1550), ("3", 3000), ("+1", 3000), ("0.50", 500), ("-0.3", 500),
        ] {
            #expect(answer(desk, "speed " + line) == "OK\n" && desk.bench.player.track?.speed == thousandths, "\(line)")
        }
        #expect(answer(desk, "status").contains("\nspeed: 0.5\n"))
    }

    @Test func aBookHasItsOwn() {
        let desk = Desk.playing()
        #expect(desk.effect("speed 1.25 book") == "speed 1.25, book 1.25")
        #expect(desk.effect("speed +0.1") == "speed 1.35, book 1.35")
        #expect(answer(desk, "speed") == "speed: 1.35\nspeed_speaker: 1\nspeed_book: 1.35\nOK\n")
        #expect(answer(desk, "play 2", "speed") == "OK\nspeed: 1\nspeed_speaker: 1\nOK\n")
        #expect(answer(desk, "play 0", "speed").contains("\nspeed_book: 1.35\n"))
        #expect(desk.effect("speed off book") == "speed 1, book none")
        #expect(answer(Desk(), "speed 1.5 book") == "ACK [55@0] {speed} Not playing\n")
    }

    @Test func theTimeLeftAtItIsTold() {
        let desk = Desk.playing()
        desk.bench.player.positionMilliseconds = 10_500
        #expect(!answer(desk, "status").contains("remaining"))
        _ = answer(desk, "speed 1.5")
        #expect(answer(desk, "status").contains("\nduration: 100.500\nremaining: 60.000\n"))
    }

    @Test func whatIsSkippedIsToldAndSet() {
        #expect(answer(Desk(), "skip") == "ACK [55@0] {skip} Not playing\n")
        let desk = Desk.playing()
        #expect(answer(desk, "skip") == "skipstart: 0\nskipend: 0\nOK\n")
        #expect(answer(desk, "skip 20 7", "skip") == "OK\nskipstart: 20\nskipend: 7\nOK\n")
        for words in ["30", "30 x", "-1 2", "0 3601", "1.5 2"] {
            #expect(answer(desk, "skip \(words)").hasPrefix("ACK [2@0] {skip} "), "\(words)")
        }
        #expect(answer(desk, "setting skipend next", "skip") == "OK\nskipstart: 20\nskipend: 10\nOK\n")
    }

    @Test(arguments: ["0", "0.45", "3.05", "1.53", "1.501", "x", "", "nan", "off", "1.5x", "99999999999999999999"])
    func whatIsNoSpeedIsRefused(word: String) {
        let desk = Desk.playing()
        #expect(answer(desk, "speed \"\(word)\"").hasPrefix("ACK [2@0] {speed} "), "\(word)")
        #expect(desk.host.status.speed == .own)
    }

    @Test func silencesAreToldAndSet() {
        let desk = Desk.playing()
        // The rest was saved in what was heard before.
        desk.bench.player.savedMilliseconds = 55_545
        _ = answer(desk, "next")
        desk.bench.player.savedMilliseconds = 67_890
        #expect(answer(desk, "silence") == "silence: own\nsaved: 12.345\nsaved_in_all: 67.890\nOK\n")
        #expect(desk.effect("silence shorter") == "sound true off" && desk.bench.player.track?.shortensSilences == true)
        #expect(answer(desk, "silence").hasPrefix("silence: shorter\n"))
        #expect(desk.effect("silence off") == "sound false off" && desk.bench.player.track?.shortensSilences == false)
        #expect(answer(desk, "silence long").hasPrefix("ACK [2@0] {silence} Expected shorter or own"))
    }

    @Test func theLevelIsToldAndSet() throws {
        let desk = Desk.playing()
        var loudness = Loudness()
        (loudness.track, loudness.album, loudness.measured) = (-325, -450, -1475)
        desk.bench.library.save(loudness, of: try #require(desk.bench.speaker.currentItem).id)
        for (mode, gain) in [("track", -325), ("album", -450), ("auto", -450)] {
            #expect(desk.effect("replay_gain_mode \(mode)") == "sound false \(mode)")
            #expect(desk.bench.player.track?.gain == Loudness.factor(ofGain: gain))
            #expect(
                answer(desk, "replay_gain_status")
                    == "replay_gain_mode: \(mode)\ngain: \(gain == -325 ? "-3.25" : "-4.5")\nloudness: -14.75\nOK\n")
        }
        #expect(answer(desk, "replay_gain_mode off") == "OK\n" && desk.bench.player.track?.gain == nil)
        #expect(answer(desk, "replay_gain_status") == "replay_gain_mode: off\nOK\n")
    }

    @Test func moreWordsAreRefused() {
        for word in ["off", "fast", "nan", "1:30"] {
            #expect(
                answer(.playing(), "speed \(word)").hasPrefix(
                    "ACK [2@0] {speed} Expected 0.5 to 3 in steps of 0.05, a change"))
        }
        #expect(answer(.playing(), "speed 1.5 shelf").hasPrefix("ACK [2@0] {speed} Expected book"))
    }
}
