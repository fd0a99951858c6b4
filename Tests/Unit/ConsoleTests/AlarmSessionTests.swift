// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Posix
import Speaker
import Testing

@testable import Console
@testable import SpeakerBench
@testable import Wire

@Suite("Alarms on the console") struct AlarmSessionTests {
    private final class Wall { var seconds: Int64 = 1_700_000_000 }

    /// At first it shows Tuesday, the 14th of November 2023, 22:13:20.
    private let wall = Wall()
    private let desk: Desk
    private let folder = TemporaryFolder()

    init() {
        desk = .playing(playlists: folder.path)
        desk.bench.speaker.alarms.clock.seconds = { [wall] in wall.seconds }
        desk.bench.speaker.alarms.clock.local = LocalTime { _ in 0 }
        _ = desk.bench.said()
    }

    private var alarms: [Alarm] { desk.bench.speaker.alarms.all }

    @Test func theyAreSetListedAndRemoved() {
        #expect(answer(desk, "alarm list") == "OK\n")
        #expect(answer(desk, "alarm add 06:40 mon-fri \"The Moth\" rise 10 volume 60") == "alarm: 1\nOK\n")
        #expect(answer(desk, "alarm add 7:05") == "alarm: 2\nOK\n")
        let second = """
            alarm: 2
            time: 07:05
            days: daily
            plays: what was heard last
            rise: 5
            volume: 50
            enabled: 1
            next: 2023-11-15T07:05:00Z
            OK

            """
        #expect(
            answer(desk, "alarm list") == """
                alarm: 1
                time: 06:40
                days: mon-fri
                plays: The Moth
                rise: 10
                volume: 60
                enabled: 1
                next: 2023-11-15T06:40:00Z

                """ + second)
        #expect(answer(desk, "alarm off 1") == "OK\n" && !alarms[0].isOn && alarms[1].isOn)
        #expect(answer(desk, "alarm list").contains("\nenabled: 0\nalarm: 2\n"))
        #expect(answer(desk, "alarm on 1") == "OK\n" && alarms[0].isOn)
        #expect(answer(desk, "alarm remove 1") == "OK\n" && answer(desk, "alarm list") == second)
    }

    /// By the name of a book, a folder, a list that makes itself or a stored playlist.
    @Test func whatOnePlaysIsFoundByItsName() {
        _ = answer(desk, "save evening")
        for (name, words) in [
            ("Nights", "Nights"), ("stories", "Nights"), ("stories/lamp.mp3", "Under the Lamp"), ("Newest", "Newest"),
            ("evening", "evening"),
        ] {
            #expect(answer(desk, "alarm add 06:40 once \(name)") == "alarm: 1\nOK\n")
            #expect(answer(desk, "alarm list").contains("\nplays: \(words)\n"), "\(name)")
            _ = answer(desk, "alarm remove 1")
        }
    }

    @Test func whatIsNoAlarmIsRefused() {
        for command in [
            "add", "add 24:00", "add 06:40 sometimes twice", "add 06:40 daily Tales rise", "add 06:40 rise 61",
            "add 06:40 rise -1", "add 06:40 volume 29", "add 06:40 volume 101", "add 06:40 daily A B", "list 1",
            "remove", "remove x", "off", "on 1 2", "snooze 5", "end now", "sideways", "add 06:40 rise 99999999999",
        ] {
            #expect(answer(desk, "alarm " + command).hasPrefix("ACK [2@0] {alarm} "), "\(command)")
        }
        for command in ["remove 1", "on 1", "off 99", "add 06:40 daily Nothing"] {
            #expect(answer(desk, "alarm " + command).hasPrefix("ACK [50@0] {alarm} "), "\(command)")
        }
        for _ in 0..<Alarm.most { _ = answer(desk, "alarm add 06:40") }
        _ = desk.bench.said()
        #expect(answer(desk, "alarm add 06:40").hasPrefix("ACK [51@0] {alarm} There are 100 alarms already"))
    }

    @Test func itIsToldWhileThereIsOne() {
        func told(_ words: String) -> Bool {
            ["status", "screenstate"].allSatisfy { answer(desk, $0).contains("\nalarm: 06:40 \(words)\n") }
        }
        #expect(!answer(desk, "status").contains("alarm") && !answer(desk, "screenstate").contains("alarm"))
        _ = answer(desk, "alarm add 06:40")
        #expect(told("waiting"))
        wall.seconds = 1_700_030_400
        desk.bench.speaker.alarms.look()
        #expect(told("ringing"))
        #expect(answer(desk, "alarm snooze") == "OK\n" && told("snoozed"))
        #expect(answer(desk, "alarm end") == "OK\n" && told("waiting"))
        #expect(desk.bench.said() == [.alarmSet, .snoozing, .alarmOff])
    }
}
