// SPDX-License-Identifier: Apache-2.0
import Core
import Testing

@testable import Console
@testable import SpeakerBench
@testable import Wire

@Suite("Order of the queue") struct QueueOrderTests {
    /// The Ids in the queue after commands.
    private func order(_ lines: String...) -> [String] {
        let desk = Desk.playing()
        for line in lines { _ = answer(desk, line) }
        return desk.ids
    }

    private func refusal(_ line: String) -> String { answer(Desk.playing(), line) }

    @Test func entriesAreMoved() {
        #expect(order("move 0 2") == ["2", "3", "1"])
        #expect(order("move 0 2", "moveid 1 0") == ["1", "2", "3"])
        #expect(order("move 1:3 0") == ["2", "3", "1"])
        #expect(order("move 2 +0") == ["1", "3", "2"])
        #expect(order("play 2", "move 0 -0") == ["2", "1", "3"])
        #expect(order("swap 0 2") == ["3", "2", "1"])
        #expect(order("swapid 2 3") == ["1", "3", "2"])
    }

    @Test func shuffledEntriesAreTheSame() {
        #expect(order("shuffle").sorted() == ["1", "2", "3"])
        let desk = Desk.playing()
        var orders: Set<[String]> = []
        for _ in 0..<40 {
            #expect(answer(desk, "shuffle 1:9") == "OK\n")
            orders.insert(desk.ids)
        }
        #expect(orders == [["1", "2", "3"], ["1", "3", "2"]])
    }

    @Test func prioritiesAreSet() {
        let desk = Desk.playing()
        func priorities() -> [UInt8] { desk.bench.speaker.queue.entries.map(\.priority) }
        #expect(answer(desk, "prio 7 0:2") == "OK\n" && priorities() == [7, 7, 0])
        #expect(answer(desk, "prioid 255 3") == "OK\n" && priorities() == [7, 7, 255])
        #expect(answer(desk, "prio 5 -1") == "OK\n" && priorities() == [5, 5, 5])
    }

    @Test func aPriorityIsShown() {
        let desk = Desk.playing()
        #expect(answer(desk, "prio 9 1") == "OK\n")
        #expect(answer(desk, "playlistinfo 1").hasSuffix("Pos: 1\nId: 2\nPrio: 9\nOK\n"))
        #expect(!answer(desk, "playlistinfo 0").contains("Prio"))
    }

    /// As MPD 0.23.12 words them.
    @Test(arguments: [
        ("move 0: 1", "ACK [2@0] {move} Open-ended range not supported"),
        ("move 5 0", "ACK [2@0] {move} Bad song index"),
        ("move 0 3", "ACK [2@0] {move} Number too large: 3"),
        ("move 0 +0", "ACK [2@0] {move} Cannot move current song relative to itself"),
        ("move x 1", "ACK [2@0] {move} Integer or range expected: x"),
        ("moveid 7 0", "ACK [50@0] {moveid} No such song"),
        ("swap 0 9", "ACK [2@0] {swap} Bad song index"),
        ("swapid 0 9", "ACK [50@0] {swapid} No such song"),
        ("shuffle 9:", "ACK [2@0] {shuffle} Bad song index"),
        ("prio 256 0", "ACK [2@0] {prio} Number too large: 256"),
        ("prio 1 9", "ACK [2@0] {prio} Bad song index"),
        ("prioid 1 9", "ACK [50@0] {prioid} No such song"),
        ("addtagid 1 artist x", "ACK [4@0] {addtagid} Cannot edit tags of local file"),
        ("addtagid 7 artist x", "ACK [50@0] {addtagid} No such song"),
        ("addtagid 1 nonsense x", "ACK [2@0] {addtagid} Unknown tag type: nonsense"),
        ("cleartagid 1", "ACK [4@0] {cleartagid} Cannot edit tags of local file"),
        ("rangeid 1 x", "ACK [2@0] {rangeid} Bad range"),
        ("rangeid 7 1:2", "ACK [50@0] {rangeid} No such song"),
        ("single 2", "ACK [2@0] {single} Unrecognized single mode, expected 0, 1, or oneshot"),
        ("random x", "ACK [2@0] {random} Boolean (0/1) expected: x"),
        ("consume oneshot", "ACK [2@0] {consume} Boolean (0/1) expected: oneshot"),
        ("crossfade -1", "ACK [2@0] {crossfade} Number too large: -1"),
        ("mixrampdb x", "ACK [2@0] {mixrampdb} Float expected: x"),
    ])
    func whatMakesNoSenseIsRefused(line: String, expected: String) { #expect(refusal(line) == expected + "\n") }

    @Test func whatIsNotDoneIsSaid() {
        #expect(refusal("rangeid 1 1:2").contains("played whole"))
        #expect(refusal("rangeid 1 :") == "OK\n")
        #expect(refusal("crossfade 5").contains("not mixed"))
        #expect(refusal("crossfade 0") == "OK\n")
    }

    @Test func modesAreToldByTheStatus() {
        let desk = Desk.playing()
        #expect(answer(desk, "status").contains("repeat: 0\nrandom: 0\nsingle: 0\nconsume: 0\n"))
        for line in ["random 1", "repeat 1", "single oneshot", "consume 1", "mixrampdb -17.5", "mixrampdelay 2"] {
            #expect(answer(desk, line) == "OK\n")
        }
        let status = answer(desk, "status")
        #expect(status.contains("repeat: 1\nrandom: 1\nsingle: oneshot\nconsume: 1\n"))
        #expect(status.contains("mixrampdb: -17.5\nstate: play\nmixrampdelay: 2\n"))
        #expect(answer(desk, "mixrampdelay nan", "status").contains("mixrampdelay") == false)
    }

    @Test func theQueueIsListedByItsPaths() {
        #expect(answer(Desk.playing(), "playlist").hasPrefix("0:file: stories/lamp.mp3\n1:file: "))
    }
}
