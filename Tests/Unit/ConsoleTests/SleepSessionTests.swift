// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Speaker
import Testing

@testable import Console
@testable import SpeakerBench
@testable import Wire

@Suite("Sleep timer on the console") struct SleepSessionTests {
    @Test func itIsToldAndSet() {
        let desk = Desk.playing()
        #expect(answer(desk, "sleep") == "sleep: off\nOK\n")
        #expect(!answer(desk, "status").contains("sleep"))
        #expect(desk.effect("sleep 30") == "sleep 1800.000")
        #expect(answer(desk, "sleep") == "sleep: 1800.000\nOK\n")
        #expect(answer(desk, "status").contains("\nsleep: 1800.000\n"))
        #expect(answer(desk, "screenstate").contains("\nsleep: 1800.000\n"))
        for word in ["chapter", "item"] {
            #expect(desk.effect("sleep \(word)") == "sleep \(word)")
            #expect(answer(desk, "status").contains("\nsleep: \(word)\n"))
        }
        #expect(desk.effect("sleep off") == "sleep off")
        desk.bench.pass(milliseconds: 1_800_000)
        #expect(desk.host.status.state == .playing)
        #expect(answer(desk, "sleep 30") == "OK\n")
        desk.bench.pass(milliseconds: 1_800_000)
        #expect(desk.host.status.state == .paused)
    }

    @Test(arguments: ["0", "1441", "-5", "+5x", "1.5", "", "night", "99999999999999999999"])
    func whatIsNoLengthIsRefused(word: String) {
        let desk = Desk.playing()
        #expect(answer(desk, "sleep \"\(word)\"").hasPrefix("ACK [2@0] {sleep} "), "\(word)")
        #expect(desk.host.status.sleep == .off)
    }

    @Test func whatCanBeChosenIsToldAndChosen() {
        let desk = Desk()
        let speaker = desk.bench.speaker
        speaker.audience.languages = Languages(["de"], current: "de", folder: "/none", worker: desk.bench.worker)
        let choices = ["30", "40", "50", "60", "70", "80", "90", "100"]
        #expect(
            answer(desk, "setting")
                == "setting: loudest\nvalue: 100\nwords: 100 %\n" + choices.map { "choice: \($0)\n" }.joined()
                + "setting: language\nvalue: de\nwords: Deutsch\nchoice: de\nchoice: en\nOK\n")
        for (command, setting, value) in [
            ("loudest 70", .loudest, "70"), ("loudest next", .loudest, "80"), ("loudest previous", .loudest, "70"),
            ("language next", .language, "en"),
        ] as [(String, SpeakerSetting, String)] {
            #expect(answer(desk, "setting " + command) == "OK\n")
            desk.turn()
            #expect(speaker.status(of: setting)?.value == value, "\(command)")
        }
        #expect(desk.host.status.volumePercent == 70)
        for (command, expected) in [
            ("loudest 75", "next, previous or one of 30, 40, 50"), ("loudest", "next, previous"),
            ("voice all", "loudest, language"),
            ("language \"\"", "de, en"), ("color red", "one of loudest, language"),
        ] {
            let refusal = answer(desk, "setting " + command)
            #expect(refusal.hasPrefix("ACK [2@0] {setting} ") && refusal.contains(expected), "\(refusal)")
        }
        #expect(speaker.status(of: .loudest)?.value == "70" && speaker.status(of: .language)?.value == "en")
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
        let desk = Desk.playing()
        var session = Session(host: desk.host, manner: .plain)
        var response = ResponseBuffer()
        var budget = WorkBudget()
        desk.bench.player.isLettingGoOfCard = true
        session.receive(.complete(Array("interrupt begin".utf8)[...]), &budget, &response)
        #expect(session.isBusy && session.isWaiting && response.isEmpty && desk.bench.player.timesLetGo == 1)
        desk.bench.player.isLettingGoOfCard = false
        #expect(!session.isWaiting)
        session.goOn(&budget, &response)
        #expect(!session.isBusy && String(decoding: response.bytes, as: UTF8.self) == "OK\n")
    }

    @Test func interruptionsAreBegunAndEnded() {
        let desk = Desk.playing()
        #expect(desk.effect("interrupt begin") == "paused 0 at 5123" && desk.bench.player.timesLetGo == 1)
        // From where the last sentence began.
        #expect(desk.effect("interrupt end") == "playing 0 at 3000")
        #expect(desk.effect("interrupt begin 20") == "paused 0 at 3000")
        desk.bench.pass(milliseconds: 19_999)
        #expect(desk.host.status.state == .paused)
        for command in [
            "interrupt begin 0", "interrupt begin 3601", "interrupt begin x", "interrupt stop", "interrupt end 5",
            "interrupt",
        ] {
            #expect(answer(desk, command).hasPrefix("ACK [2@0] {interrupt} "), "\(command)")
        }
        #expect(desk.host.status.state == .paused && desk.bench.player.timesLetGo == 2)
        desk.bench.pass(milliseconds: 1)
        #expect(desk.host.status.state == .playing)
    }
}
