// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Testing

@testable import Console
@testable import SpeakerBench
@testable import Wire

@Suite("The household on the console") struct HouseholdSessionTests {
    private let desk = Desk.playing()

    /// Returns the values of a name in the lines of an answer.
    private func values(_ name: String, _ answer: String) -> [String] {
        answer.split(separator: "\n").filter { $0.hasPrefix(name + ": ") }.map {
            String($0.dropFirst(name.count + 2))
        }
    }

    private func merge(_ record: String, _ desk: Desk) -> String {
        let quoted = record.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return answer(desk, "merge \"\(quoted)\"")
    }

    @Test func itIsJoinedToldOfAndLeft() throws {
        #expect(answer(desk, "household") == "household: off\nOK\n")
        #expect(
            answer(desk, "household on", "favourite add", "favourite add \(Desk.lesson)", "pause 1").hasSuffix("OK\n"))
        let device = try #require(values("device", answer(desk, "household")).first)
        #expect(device.utf8.count == 16)
        #expect(
            answer(desk, "household") == """
                household: on
                device: \(device)
                revision: 2
                waiting: 1
                sent: 0
                cursor:\u{20}
                OK

                """)
        #expect(answer(desk, "household sent 7 \"a b\"") == "OK\n")
        #expect(answer(desk, "household").hasSuffix("sent: 7\ncursor: a b\nOK\n"))
        #expect(answer(desk, "household sent 8") == "OK\n")
        #expect(answer(desk, "household").hasSuffix("sent: 8\ncursor: \nOK\n"))
        #expect(answer(desk, "household renumber") == "OK\n")
        #expect(values("device", answer(desk, "household")) != [device])
        #expect(answer(desk, "household").hasSuffix("sent: 0\ncursor: \nOK\n"))
        #expect(answer(desk, "household off", "household") == "OK\nhousehold: off\nOK\n")
        for command in ["renumber", "sent 7", "went 0 0"] {
            #expect(answer(desk, "household " + command).hasPrefix("ACK [50@0] {household} "))
        }
    }

    @Test func itsCarrierIsCalledAndTellsHowItWent() {
        _ = answer(desk, "household on")
        #expect(answer(desk, "household awake") == "awake: 0\nOK\n")
        desk.host.carrier.didPress()
        #expect(answer(desk, "household awake") == "awake: 120\nOK\n")
        #expect(answer(desk, "household went 60 2 \"It is away\"") == "OK\n")
        #expect(answer(desk, "household").hasSuffix("cursor: \nwait: 60\nskipped: 2\nproblem: It is away\nOK\n"))
        #expect(answer(desk, "household went 0 0") == "OK\n")
        #expect(answer(desk, "household").hasSuffix("cursor: \nthrough: 0\nOK\n"))
        desk.bench.timers.pass(milliseconds: 61_000)
        #expect(answer(desk, "household").hasSuffix("cursor: \nthrough: 61\nOK\n"))
    }

    @Test func recordsOfOneAreTakenInByAnother() throws {
        let other = Desk()
        other.shelve(Desk.lamp, title: "The same here", milliseconds: 100_500, bytes: 603_000)
        #expect(answer(desk, "journal 0").hasPrefix("ACK [50@0] {journal} "))
        for member in [desk, other] { #expect(answer(member, "household on") == "OK\n") }
        #expect(answer(desk, "journal 0") == "OK\n")
        _ = answer(desk, "favourite add \(Desk.lesson)", "favourite add", "pause 1")
        let journal = answer(desk, "journal 0")
        let records = values("record", journal)
        // The place becomes a record when it is asked for.
        #expect(values("revision", journal) == ["1", "2", "3"] && records.count == 3)
        #expect(answer(desk, "journal 1 1") == "revision: 2\nrecord: \(records[1])\nOK\n")
        #expect(answer(desk, "journal 3") == "OK\n")

        for record in records { #expect(merge(record, other) == "merged: added\nOK\n") }
        #expect(merge(records[0], other) == "merged: same\nOK\n")
        #expect(other.bench.library.favourites().map(\.item.title) == ["The same here"])
        #expect(
            other.bench.library.items(other.bench.speaker.queue.entries.map(\.itemID))[0].positionMilliseconds == 5123)
        #expect(answer(other, "household absent") == "absent: Leçon 1\nOK\n")
        #expect(answer(other, "merge nothing") == "merged: refused\nOK\n")
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
        #expect(answer(desk, command).hasPrefix("ACK [2@0]"), "\(command)")
    }
}
