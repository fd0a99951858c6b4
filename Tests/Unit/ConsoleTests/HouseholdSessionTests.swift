// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Testing

@testable import Console

@Suite("The household on the console") struct HouseholdSessionTests {
    @Test func itIsJoinedToldOfAndLeft() {
        let speaker = FakeSpeaker.playing()
        #expect(answer(speaker, "household") == "household: off\nOK\n")
        #expect(answer(speaker, "household on") == "OK\n")
        #expect(
            answer(speaker, "household") == """
                household: on
                device: 00000000000000ff
                revision: 2
                waiting: 1
                sent: 0
                cursor:\u{20}
                OK

                """)
        #expect(answer(speaker, "household absent") == "absent: A tale\nOK\n")
        #expect(answer(speaker, "household renumber") == "OK\n" && speaker.actions.last == "renumber")
        #expect(answer(speaker, "household sent 7 \"a b\"") == "OK\n" && speaker.actions.last == "sent 7 a b")
        #expect(answer(speaker, "household sent 7") == "OK\n" && speaker.actions.last == "sent 7 ")
        #expect(answer(speaker, "household awake") == "awake: 7\nOK\n")
        #expect(answer(speaker, "household went 60 2 \"It is away\"") == "OK\n")
        #expect(answer(speaker, "household").hasSuffix("wait: 60\nskipped: 2\nproblem: It is away\nOK\n"))
        #expect(answer(speaker, "household went 0 0") == "OK\n" && speaker.householdRun == HouseholdRun())
        speaker.householdRun.sinceSeconds = 61
        #expect(answer(speaker, "household").hasSuffix("cursor: \nthrough: 61\nOK\n"))
        #expect(answer(speaker, "household off") == "OK\n" && speaker.household == nil)
    }

    @Test func recordsAreToldAndTaken() {
        let speaker = FakeSpeaker.playing()
        #expect(
            answer(speaker, "journal 1") == "revision: 2\nrecord: {\"n\":2}\nrevision: 3\nrecord: {\"n\":3}\nOK\n")
        #expect(answer(speaker, "journal 0 1") == "revision: 1\nrecord: {\"n\":1}\nOK\n")
        #expect(speaker.actions.last == "journal 0 1")
        #expect(answer(speaker, "merge \"{\\\"n\\\":1}\"") == "merged: added\nOK\n")
        #expect(speaker.actions.last == "merge {\"n\":1}")
        #expect(answer(speaker, "merge nothing") == "merged: refused\nOK\n")
    }

    @Test(arguments: [
        "household maybe", "household on 1", "household sent", "household sent x", "household sent -1",
        "household off 2",
        "journal", "journal x", "journal -1", "journal 9999999999999999999", "journal 0 0", "journal 0 501",
        "journal 0 1 2",
        "merge", "merge a b", "household sent 1 a b", "household awake 1", "household went 1", "household went -1 0",
        "household went 3601 0",
        "household went 0 -1", "household went 0 0 a b",
    ])
    func whatIsWrongIsSaid(command: String) {
        #expect(answer(FakeSpeaker.playing(), command).hasPrefix("ACK [2@0]"), "\(command)")
    }
}
