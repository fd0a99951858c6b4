// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Testing

@testable import Console

@Suite("Speed on the console") struct SpeedSessionTests {
    @Test func itIsToldAndSet() {
        let speaker = FakeSpeaker.playing()
        #expect(answer(speaker, "speed") == "speed: 1\nspeed_speaker: 1\nOK\n")
        for line in ["speed 1.5", "speed +0.1", "speed -0.05", "speed 3", "speed +1", "speed 0.50", "speed -0.3"] {
            #expect(answer(speaker, line) == "OK\n", "\(line)")
        }
        #expect(
            speaker.actions == ["speed 1.5", "speed 1.6", "speed 1.55", "speed 3", "speed 3", "speed 0.5", "speed 0.5"])
        #expect(answer(speaker, "status").contains("\nspeed: 0.5\n"))
    }

    @Test func aBookHasItsOwn() {
        let speaker = FakeSpeaker.playing()
        #expect(answer(speaker, "speed 1.25 book") == "OK\n")
        #expect(answer(speaker, "speed +0.1") == "OK\n")
        #expect(answer(speaker, "speed") == "speed: 1.35\nspeed_speaker: 1\nspeed_book: 1.35\nOK\n")
        #expect(answer(speaker, "speed off book") == "OK\n")
        #expect(speaker.actions == ["speed 1.25 book", "speed 1.35", "speed off"])
        #expect(answer(FakeSpeaker(), "speed 1.5 book") == "ACK [55@0] {speed} Not playing\n")
    }

    @Test func theTimeLeftAtItIsTold() {
        let speaker = FakeSpeaker.playing()
        speaker.status.positionMilliseconds = 60_000
        speaker.status.durationMilliseconds = 360_000
        #expect(!answer(speaker, "status").contains("remaining"))
        _ = answer(speaker, "speed 1.5")
        #expect(answer(speaker, "status").contains("\nduration: 360.000\nremaining: 200.000\n"))
    }

    @Test func whatIsSkippedIsToldAndSet() {
        let speaker = FakeSpeaker.playing()
        #expect(answer(speaker, "skip") == "ACK [55@0] {skip} Not playing\n")
        speaker.settings = [
            SettingStatus(.skipStart, "30", choices: ["0", "30"]), SettingStatus(.skipEnd, "12", choices: ["0"]),
        ]
        #expect(answer(speaker, "skip") == "skipstart: 30\nskipend: 12\nOK\n")
        #expect(answer(speaker, "skip 20 0") == "OK\n")
        #expect(speaker.actions == ["setting skipstart 20", "setting skipend 0"])
        for words in ["30", "30 x", "-1 2", "0 3601", "1.5 2"] {
            #expect(answer(speaker, "skip \(words)").hasPrefix("ACK [2@0] {skip} "), "\(words)")
        }
        #expect(answer(speaker, "setting skipstart next") == "OK\n")
    }

    @Test(arguments: ["0", "0.45", "3.05", "1.53", "1.501", "x", "", "nan", "off", "1.5x", "99999999999999999999"])
    func whatIsNoSpeedIsRefused(word: String) {
        let speaker = FakeSpeaker.playing()
        #expect(answer(speaker, "speed \"\(word)\"").hasPrefix("ACK [2@0] {speed} "), "\(word)")
        #expect(speaker.actions.isEmpty)
    }

    @Test func silencesAreToldAndSet() {
        let speaker = FakeSpeaker.playing()
        #expect(answer(speaker, "silence") == "silence: own\nsaved: 12.345\nsaved_in_all: 67.890\nOK\n")
        #expect(answer(speaker, "silence shorter") == "OK\n")
        #expect(answer(speaker, "silence").hasPrefix("silence: shorter\n"))
        #expect(answer(speaker, "silence off") == "OK\n" && !speaker.status.sound.shortensSilences)
        #expect(answer(speaker, "silence long").hasPrefix("ACK [2@0] {silence} Expected shorter or own"))
    }

    @Test func theLevelIsToldAndSet() {
        let speaker = FakeSpeaker.playing()
        speaker.loudness = (-325, -1475)
        for mode in ["track", "album", "auto"] {
            #expect(answer(speaker, "replay_gain_mode \(mode)") == "OK\n")
            #expect(
                answer(speaker, "replay_gain_status")
                    == "replay_gain_mode: \(mode)\ngain: -3.25\nloudness: -14.75\nOK\n")
        }
        #expect(answer(speaker, "replay_gain_mode off") == "OK\n")
        #expect(answer(speaker, "replay_gain_status") == "replay_gain_mode: off\nOK\n")
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
