// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Testing

@testable import Console

@Suite("Alarms on the console") struct AlarmSessionTests {
    @Test func theyAreSetListedAndRemoved() {
        let speaker = FakeSpeaker.playing()
        #expect(answer(speaker, "alarm list") == "OK\n")
        #expect(answer(speaker, "alarm add 06:40 mon-fri \"Tales\" rise 10 volume 60") == "alarm: 1\nOK\n")
        #expect(answer(speaker, "alarm add 7:05") == "alarm: 2\nOK\n")
        #expect(speaker.alarms[1].alarm.days == .daily && speaker.alarms[1].plays == "what was heard last")
        #expect(
            answer(speaker, "alarm list").hasPrefix(
                """
                alarm: 1
                time: 06:40
                days: mon-fri
                plays: Tales
                rise: 10
                volume: 60
                enabled: 1
                next: 2023-11-14T22:13:20Z
                alarm: 2
                time: 07:05

                """))
        #expect(answer(speaker, "alarm off 1") == "OK\n" && !speaker.alarms[0].alarm.isOn)
        #expect(answer(speaker, "alarm on 1") == "OK\n" && speaker.alarms[0].alarm.isOn)
        #expect(answer(speaker, "alarm remove 1") == "OK\n" && speaker.alarms.count == 1)
        #expect(answer(speaker, "alarm snooze") == "OK\n" && answer(speaker, "alarm end") == "OK\n")
    }

    @Test func whatIsNoAlarmIsRefused() {
        for command in [
            "add", "add 24:00", "add 06:40 sometimes twice", "add 06:40 daily Tales rise", "add 06:40 rise 61",
            "add 06:40 rise -1", "add 06:40 volume 14", "add 06:40 volume 101", "add 06:40 daily A B", "list 1",
            "remove", "remove x", "off", "on 1 2", "snooze 5", "end now", "sideways", "add 06:40 rise 99999999999",
        ] {
            let speaker = FakeSpeaker.playing()
            #expect(answer(speaker, "alarm " + command).hasPrefix("ACK [2@0] {alarm} "), "\(command)")
            #expect(speaker.alarms.isEmpty && speaker.actions.isEmpty)
        }
        for command in ["remove 1", "on 1", "off 99", "add 06:40 daily Nothing"] {
            #expect(answer(.playing(), "alarm " + command).hasPrefix("ACK [50@0] {alarm} "), "\(command)")
        }
    }

    @Test func itIsToldWhileThereIsOne() {
        let speaker = FakeSpeaker.playing()
        #expect(!answer(speaker, "status").contains("alarm") && !answer(speaker, "screenstate").contains("alarm"))
        speaker.status.alarm = AlarmStatus(.ringing, minute: 400)
        #expect(answer(speaker, "status").contains("\nalarm: 06:40 ringing\n"))
        #expect(answer(speaker, "screenstate").contains("\nalarm: 06:40 ringing\n"))
    }
}
