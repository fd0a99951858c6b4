// SPDX-License-Identifier: Apache-2.0
import Foundation
import Posix
import TestSupport
import Testing

@testable import Console

/// Answers of any size, given in portions between which the loop goes round.
@Suite struct StreamingTests {
    private final class Bench {
        let folder = TemporaryFolder()
        let loop: EventLoop
        let speaker: FakeSpeaker
        let server: ConsoleServer
        /// The most songs that were looked up in one turn of the loop, and turns so far.
        private(set) var mostSongsATurn = 0
        private(set) var turns = 0

        init(_ speaker: FakeSpeaker) throws {
            loop = try EventLoop()
            self.speaker = speaker
            server = try ConsoleServer(path: folder.path + "/socket", speaker: speaker, loop: loop)
        }

        deinit { server.close() }

        func connect() throws -> Peer {
            let peer = try Peer(folder.path + "/socket", loop)
            #expect(try turn { !peer.received.isEmpty })
            peer.forget()
            return peer
        }

        /// Goes round until the condition holds; false if it does not within a minute.
        func turn(until condition: () -> Bool) throws -> Bool {
            var isTooLate = false
            let deadline = loop.schedule(at: MonotonicTime.now.adding(milliseconds: 60_000)) { isTooLate = true }
            while !condition() && !isTooLate {
                let before = speaker.songsLookedUp
                try loop.waitOnce()
                turns += 1
                mostSongsATurn = max(mostSongsATurn, speaker.songsLookedUp - before)
            }
            loop.cancel(deadline)
            return condition()
        }
    }

    @Test func anAnswerOfAnySizeArrivesWhole() throws {
        let bench = try Bench(.holding(50_000))
        let peer = try bench.connect()
        peer.send("playlistinfo\n")
        #expect(try bench.turn { peer.hasWholeAnswer })
        #expect(peer.received.count > 6_000_000)
        #expect(peer.lineCount("Id: ") == 50_000)
        #expect(peer.text.hasPrefix("file: shelf/0.mp3\n") && peer.text.hasSuffix("Pos: 49999\nId: 50099\nOK\n"))
        #expect(bench.mostSongsATurn <= WorkBudget.turn)
        // The same of the library.
        peer.forget()
        peer.send("listallinfo\n")
        #expect(try bench.turn { peer.hasWholeAnswer })
        #expect(peer.lineCount("file: ") == 50_000)
        #expect(bench.mostSongsATurn <= WorkBudget.turn)
    }

    /// However many ask for all there is, between two turns of the loop no more is done than for one.
    @Test func twentyClientsThatAskForAllHoldNobodyUp() throws {
        let bench = try Bench(.holding(2000))
        var askers: [Peer] = []
        for _ in 0..<20 { askers.append(try bench.connect()) }
        let other = try bench.connect()
        for asker in askers { asker.send("playlistinfo\n") }
        var longestWait = 0
        while !askers.allSatisfy({ $0.hasWholeAnswer }) {
            other.forget()
            let before = bench.turns
            other.send("status\n")
            try #require(try bench.turn { other.hasWholeAnswer })
            longestWait = max(longestWait, bench.turns - before)
        }
        for asker in askers { #expect(asker.lineCount("Id: ") == 2000) }
        #expect(bench.mostSongsATurn <= WorkBudget.turn)
        // Its turn comes once each of the others has had one.
        #expect(longestWait <= 30)
    }

    @Test(arguments: ["playlistinfo", "playlistfind title \"Chapter 7\"", "find title \"Chapter 7\"", "count title x"])
    func aListOfThousandsOfQuestionsIsAnsweredInTurns(question: String) throws {
        let bench = try Bench(.holding(100))
        let peer = try bench.connect()
        let count = question == "playlistinfo" ? 8000 : 500
        peer.send("command_list_ok_begin\n" + String(repeating: question + "\n", count: count) + "command_list_end\n")
        let other = try bench.connect()
        other.send("status\n")
        #expect(try bench.turn { other.hasWholeAnswer })
        #expect(!peer.hasWholeAnswer)
        #expect(try bench.turn { peer.hasWholeAnswer })
        #expect(peer.lineCount("list_OK") == count)
        #expect(bench.mostSongsATurn <= WorkBudget.turn)
    }

    @Test func commandsWaitForTheAnswerUnderWay() throws {
        let bench = try Bench(.holding(1000))
        let peer = try bench.connect()
        peer.send("playlistinfo\nnext\nidle\n")
        try bench.loop.runWhatIsReady()
        #expect(bench.speaker.actions.isEmpty)
        bench.server.notify(.mixer)
        #expect(try bench.turn { peer.text.hasSuffix("Id: 1099\nOK\nOK\nchanged: mixer\nOK\n") })
        #expect(bench.speaker.actions == ["next"])
    }

    @Test func aRefusalInTheMiddleOfAListEndsIt() throws {
        let bench = try Bench(.holding(1000))
        let peer = try bench.connect()
        peer.send("command_list_ok_begin\nplaylistinfo\nlistall\nplay 99999\nnext\ncommand_list_end\n")
        #expect(try bench.turn { peer.hasWholeAnswer })
        #expect(peer.lineCount("list_OK") == 2 && peer.lineCount("file: ") == 2000)
        #expect(peer.text.hasSuffix("list_OK\nACK [2@2] {play} Bad song index: 99999 (the queue holds 1000, from 0)\n"))
        #expect(bench.speaker.actions.isEmpty)
    }

    /// Edits made while it is told are not in it.
    @Test func aQueueIsToldAsItStood() throws {
        let bench = try Bench(.holding(5000))
        let reader = try bench.connect()
        let editor = try bench.connect()
        reader.send("playlistinfo\n")
        try bench.loop.runWhatIsReady()
        editor.send("delete 10:4990\n")
        #expect(try bench.turn { editor.hasWholeAnswer })
        #expect(try bench.turn { reader.hasWholeAnswer })
        #expect(reader.lineCount("Id: ") == 5000)
        reader.forget()
        reader.send("plchangesposid 1\n")
        #expect(try bench.turn { reader.hasWholeAnswer })
        // Those that moved up; the first ten are as they were.
        #expect(reader.lineCount("cpos: ") == 10)
    }

    /// One that never reads costs a portion and no more, and gets everything once it reads.
    @Test func whoReadsSlowlyIsNotDroppedAndHoldsNobodyUp() throws {
        let bench = try Bench(.holding(20_000))
        var deaf: [Peer] = []
        for _ in 0..<10 {
            let peer = try bench.connect()
            peer.setReading(false)
            peer.send("playlistinfo\n")
            deaf.append(peer)
        }
        let other = try bench.connect()
        for _ in 0..<300 { #expect(try other.ask("ping") == "OK\n") }
        let lookedUp = bench.speaker.songsLookedUp
        #expect(lookedUp < 10 * 10_000)
        #expect(bench.server.heldBytes < 10 * 40 * 1024)
        for _ in 0..<100 { #expect(try other.ask("ping") == "OK\n") }
        #expect(bench.speaker.songsLookedUp == lookedUp)
        for peer in deaf { peer.setReading(true) }
        #expect(try bench.turn { deaf.allSatisfy { $0.hasWholeAnswer } })
        for peer in deaf { #expect(peer.lineCount("Id: ") == 20_000) }
        #expect(bench.server.heldBytes == 0)
    }

    @Test func nobodyIsToldAnythingAfterGoingAway() throws {
        let bench = try Bench(.holding(50_000))
        var peer: Peer? = try bench.connect()
        peer?.send("playlistinfo\n")
        #expect(try bench.turn { peer!.received.count > 100_000 })
        peer = nil
        #expect(try bench.turn { bench.server.clients.count == 0 })
        #expect(bench.speaker.songsLookedUp < 25_000)
    }

    /// What came before the end is carried out, although it takes many turns.
    @Test func theCommandsOfOneWhoGoesAwayAreCarriedOut() throws {
        let bench = try Bench(.holding(10))
        var peer: Peer? = try bench.connect()
        peer?.send(
            "command_list_begin\n" + String(repeating: "next\n", count: 100) + "command_list_end\nadd shelf\nstop\n")
        peer = nil
        #expect(try bench.turn { bench.server.clients.count == 0 })
        #expect(bench.speaker.actions.count == 102)
        #expect(bench.speaker.actions.last == "stop" && bench.speaker.entries.count == 20)
    }

    @Test func foldersAreAddedInPortions() throws {
        let bench = try Bench(.holding(1000))
        let peer = try bench.connect()
        peer.send("add shelf 0\nfindadd artist \"Ada Reader\" window 0:10\n")
        #expect(try bench.turn { peer.text.hasSuffix("OK\nOK\n") })
        #expect(peer.text == "OK\nOK\n")
        #expect(bench.mostSongsATurn <= WorkBudget.turn)
        #expect(bench.speaker.entries.count == 2010)
        #expect(bench.speaker.entries[..<1000].map(\.uri) == (0..<1000).map { "shelf/\($0).mp3" })
    }

    @Test func aFullQueueRefusesWithMPDsWords() throws {
        let bench = try Bench(.holding(1000))
        bench.speaker.mostEntries = 1100
        let peer = try bench.connect()
        #expect(try peer.ask("add shelf") == "ACK [51@0] {add} Playlist is too large\n")
        #expect(bench.speaker.entries.count == 1100)
    }
}

extension Peer {
    /// The last line ends an answer.
    var hasWholeAnswer: Bool {
        if received.last != .newline { return false }
        let line = received.dropLast().suffix(while: { $0 != .newline })
        return line.elementsEqual("OK".utf8) || line.starts(with: "ACK [".utf8)
    }

    /// Lines that begin so.
    func lineCount(_ start: String) -> Int {
        received.split(separator: .newline).count { $0.starts(with: start.utf8) }
    }
}

extension BidirectionalCollection {
    fileprivate func suffix(while holds: (Element) -> Bool) -> SubSequence {
        var start = endIndex
        while start > startIndex, holds(self[index(before: start)]) { start = index(before: start) }
        return self[start...]
    }
}
