// SPDX-License-Identifier: Apache-2.0
import Core
import Testing

@testable import Console

@Suite("Order of the queue") struct QueueOrderTests {
    private func acted(_ lines: String...) -> [String] {
        let speaker = FakeSpeaker.playing()
        for line in lines { _ = answer(speaker, line) }
        return speaker.actions
    }

    private func refusal(_ line: String) -> String { answer(FakeSpeaker.playing(), line) }

    @Test func entriesAreMoved() {
        #expect(acted("move 0 2", "moveid 100 0") == ["move 0..<1 to 2", "move 2..<3 to 0"])
        #expect(
            acted("move 1:3 0", "move 2 +0", "move 1:3 -0") == [
                "move 1..<3 to 0", "move 2..<3 to 1", "move 1..<3 to 0",
            ])
        #expect(acted("swap 0 2", "swapid 101 102") == ["swap 0 2", "swap 1 0"])
        #expect(acted("shuffle", "shuffle 1:9") == ["shuffle 0..<3", "shuffle 1..<3"])
        #expect(
            acted("prio 7 0:2 -1", "prioid 255 102") == [
                "prioritise 0..<2 7", "prioritise 0..<3 7", "prioritise 2..<3 255",
            ])
    }

    @Test func aPriorityIsShown() {
        let speaker = FakeSpeaker.playing()
        #expect(answer(speaker, "prio 9 1") == "OK\n")
        #expect(answer(speaker, "playlistinfo 1").hasSuffix("Pos: 1\nId: 101\nPrio: 9\nOK\n"))
        #expect(!answer(speaker, "playlistinfo 0").contains("Prio"))
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
        ("addtagid 100 artist x", "ACK [4@0] {addtagid} Cannot edit tags of local file"),
        ("addtagid 7 artist x", "ACK [50@0] {addtagid} No such song"),
        ("addtagid 100 nonsense x", "ACK [2@0] {addtagid} Unknown tag type: nonsense"),
        ("cleartagid 100", "ACK [4@0] {cleartagid} Cannot edit tags of local file"),
        ("rangeid 100 x", "ACK [2@0] {rangeid} Bad range"),
        ("rangeid 7 1:2", "ACK [50@0] {rangeid} No such song"),
        ("single 2", "ACK [2@0] {single} Unrecognized single mode, expected 0, 1, or oneshot"),
        ("random x", "ACK [2@0] {random} Boolean (0/1) expected: x"),
        ("consume oneshot", "ACK [2@0] {consume} Boolean (0/1) expected: oneshot"),
        ("crossfade -1", "ACK [2@0] {crossfade} Number too large: -1"),
        ("mixrampdb x", "ACK [2@0] {mixrampdb} Float expected: x"),
    ])
    func whatMakesNoSenseIsRefused(line: String, expected: String) { #expect(refusal(line) == expected + "\n") }

    @Test func whatIsNotDoneIsSaid() {
        #expect(refusal("rangeid 100 1:2").contains("played whole"))
        #expect(refusal("rangeid 100 :") == "OK\n")
        #expect(refusal("crossfade 5").contains("not mixed"))
        #expect(refusal("crossfade 0") == "OK\n")
    }

    @Test func modesAreToldByTheStatus() {
        let speaker = FakeSpeaker.playing()
        #expect(answer(speaker, "status").contains("repeat: 0\nrandom: 0\nsingle: 0\nconsume: 0\n"))
        for line in ["random 1", "repeat 1", "single oneshot", "consume 1", "mixrampdb -17.5", "mixrampdelay 2"] {
            #expect(answer(speaker, line) == "OK\n")
        }
        let status = answer(speaker, "status")
        #expect(status.contains("repeat: 1\nrandom: 1\nsingle: oneshot\nconsume: 1\n"))
        #expect(status.contains("mixrampdb: -17.5\nstate: play\nmixrampdelay: 2\n"))
        #expect(answer(speaker, "mixrampdelay nan", "status").contains("mixrampdelay") == false)
    }

    @Test func theQueueIsListedByItsPaths() {
        #expect(answer(FakeSpeaker.playing(), "playlist").hasPrefix("0:file: stories/lamp.mp3\n1:file: "))
    }
}
