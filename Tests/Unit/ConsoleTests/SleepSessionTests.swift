// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Testing

@testable import Console

@Suite("Sleep timer on the console") struct SleepSessionTests {
    @Test func itIsToldAndSet() {
        let speaker = FakeSpeaker.playing()
        #expect(answer(speaker, "sleep") == "sleep: off\nOK\n")
        #expect(!answer(speaker, "status").contains("sleep"))
        #expect(answer(speaker, "sleep 30") == "OK\n")
        #expect(answer(speaker, "sleep") == "sleep: 1800.000\nOK\n")
        #expect(answer(speaker, "status").contains("\nsleep: 1800.000\n"))
        #expect(answer(speaker, "screenstate").contains("\nsleep: 1800.000\n"))
        for word in ["chapter", "item"] {
            #expect(answer(speaker, "sleep \(word)") == "OK\n")
            #expect(answer(speaker, "status").contains("\nsleep: \(word)\n"))
        }
        #expect(answer(speaker, "sleep off") == "OK\n")
        #expect(speaker.actions == ["sleep 30 min", "sleep end of chapter", "sleep end of item", "sleep off"])
    }

    @Test(arguments: ["0", "1441", "-5", "+5x", "1.5", "", "night", "99999999999999999999"])
    func whatIsNoLengthIsRefused(word: String) {
        #expect(answer(.playing(), "sleep \"\(word)\"").hasPrefix("ACK [2@0] {sleep} "), "\(word)")
    }

    @Test func whatCanBeChosenIsToldAndChosen() {
        let speaker = FakeSpeaker.playing()
        #expect(answer(speaker, "setting") == "OK\n")
        speaker.settings = [
            SettingStatus(.loudest, "80", choices: ["70", "80", "90"]),
            SettingStatus(.language, "de", choices: ["de", "en"]),
        ]
        #expect(
            answer(speaker, "setting")
                == "setting: loudest\nvalue: 80\nwords: 80 %\nchoice: 70\nchoice: 80\nchoice: 90\n"
                + "setting: language\nvalue: de\nwords: Deutsch\nchoice: de\nchoice: en\nOK\n")
        for command in ["loudest 70", "loudest next", "language previous", "language en"] {
            #expect(answer(speaker, "setting " + command) == "OK\n")
        }
        let chosen = ["setting loudest 70", "setting loudest 90", "setting language de", "setting language en"]
        #expect(speaker.actions == chosen)
        for (command, expected) in [
            ("loudest 75", "next, previous or one of 70, 80, 90"), ("loudest", "next, previous"),
            ("voice all", "loudest, language"),
            ("language \"\"", "de, en"), ("color red", "one of loudest, language"),
        ] {
            let refusal = answer(speaker, "setting " + command)
            #expect(refusal.hasPrefix("ACK [2@0] {setting} ") && refusal.contains(expected), "\(refusal)")
        }
        #expect(speaker.actions == chosen)
    }

    @Test func aStepFromBetweenTwoIsToTheNext() {
        let status = SettingStatus(.loudest, "85", choices: ["70", "80", "90"])
        #expect(status.stepped(forward: true) == "90" && status.stepped(forward: false) == "80")
        let ends = ["70", "90"].map { SettingStatus(.loudest, $0, choices: ["70", "80", "90"]) }
        #expect(ends.map { $0.stepped(forward: true) } == ["80", "90"])
        #expect(ends.map { $0.stepped(forward: false) } == ["70", "80"])
        #expect(SettingStatus(.loudest, "95", choices: ["70", "80", "90"]).index == 2)
        #expect(SettingStatus(.voice, "x", choices: []).stepped(forward: true) == "x")
    }

    /// A hook that is answered may open the card.
    @Test func anInterruptionIsAnsweredOnceTheCardIsClosed() {
        let speaker = FakeSpeaker.playing()
        var session = Session(speaker: speaker, manner: .plain)
        var response = ResponseBuffer()
        var budget = WorkBudget()
        speaker.isLettingGoOfCard = true
        session.receive(.complete(Array("interrupt begin".utf8)[...]), &budget, &response)
        #expect(session.isBusy && session.isWaiting && response.isEmpty && speaker.actions.count == 1)
        speaker.isLettingGoOfCard = false
        #expect(!session.isWaiting)
        session.goOn(&budget, &response)
        #expect(!session.isBusy && String(decoding: response.bytes, as: UTF8.self) == "OK\n")
    }

    @Test func interruptionsAreBegunAndEnded() {
        let speaker = FakeSpeaker.playing()
        for command in ["interrupt begin", "interrupt begin 20", "interrupt end"] {
            #expect(answer(speaker, command) == "OK\n")
        }
        #expect(speaker.actions.count == 3)
        for command in [
            "interrupt begin 0", "interrupt begin 3601", "interrupt begin x", "interrupt stop", "interrupt end 5",
        ] {
            #expect(answer(speaker, command).hasPrefix("ACK [2@0] {interrupt} "), "\(command)")
        }
        #expect(answer(speaker, "interrupt").hasPrefix("ACK [2@0] {interrupt} ") && speaker.actions.count == 3)
    }
}
