// SPDX-License-Identifier: Apache-2.0
import CSQLite
import Core
import Foundation
import Model
import Posix
import Scanning
import TestSupport
import Testing

@testable import Console
@testable import Library
@testable import SQLite
@testable import SpeakerBench
@testable import Wire

/// Answers of any size, given in portions between which the loop goes round.
@Suite struct StreamingTests {
    private final class Bench {
        let folder = TemporaryFolder()
        let loop: EventLoop
        let desk: Desk
        let server: ConsoleServer
        let steps: LibrarySteps
        /// The number of songs that one turn of the loop may look up.
        let stepsOfTurn: Int
        /// The most that were taken in one turn of the loop, and turns so far.
        private(set) var mostStepsATurn = 0
        private(set) var turns = 0

        init(_ desk: Desk) throws {
            loop = try EventLoop()
            self.desk = desk
            server = try ConsoleServer(path: folder.path + "/socket", host: desk.host, loop: loop)
            steps = LibrarySteps(desk.bench.library)
            _ = desk.host.queue.songs(0..<min(WorkBudget.turn, desk.host.queue.count))
            stepsOfTurn = steps.taken
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
                let before = steps.taken
                try loop.waitOnce()
                turns += 1
                mostStepsATurn = max(mostStepsATurn, steps.taken - before)
            }
            loop.cancel(deadline)
            return condition()
        }

        /// A page of the library takes a fourth more than one of the queue.
        func expectShortTurns(_ times: Int = 2, sourceLocation: SourceLocation = #_sourceLocation) {
            #expect(mostStepsATurn <= times * stepsOfTurn, sourceLocation: sourceLocation)
        }
    }

    @Test func anAnswerOfAnySizeArrivesWhole() throws {
        let bench = try Bench(.playing(of: 25_000))
        let peer = try bench.connect()
        peer.send("playlistinfo\n")
        #expect(try bench.turn { peer.hasWholeAnswer })
        // More than all clients together may have waiting.
        #expect(peer.received.count > 3_000_000)
        #expect(peer.lineCount("Id: ") == 25_000)
        #expect(peer.text.hasPrefix("file: shelf/0.mp3\n") && peer.text.hasSuffix("Pos: 24999\nId: 25000\nOK\n"))
        bench.expectShortTurns()
        // The same of the library.
        peer.forget()
        peer.send("listallinfo\n")
        #expect(try bench.turn { peer.hasWholeAnswer })
        #expect(peer.lineCount("file: ") == 25_000)
        bench.expectShortTurns()
    }

    /// However many ask for all there is, between two turns of the loop no more is done than for one.
    @Test func twentyClientsThatAskForAllHoldNobodyUp() throws {
        let bench = try Bench(.playing(of: 2000))
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
        bench.expectShortTurns()
        // Its turn comes once each of the others has had one.
        #expect(longestWait <= 30)
    }

    @Test(arguments: ["playlistinfo", "playlistfind title \"Chapter 7\"", "find title \"Chapter 7\"", "count title x"])
    func aListOfManyQuestionsIsAnsweredInTurns(question: String) throws {
        let bench = try Bench(.playing(of: 300))
        let peer = try bench.connect()
        let count = 200
        peer.send("command_list_ok_begin\n" + String(repeating: question + "\n", count: count) + "command_list_end\n")
        let other = try bench.connect()
        other.send("status\n")
        #expect(try bench.turn { other.hasWholeAnswer })
        #expect(!peer.hasWholeAnswer)
        #expect(try bench.turn { peer.hasWholeAnswer })
        #expect(peer.lineCount("list_OK") == count)
        bench.expectShortTurns()
    }

    @Test func commandsWaitForTheAnswerUnderWay() throws {
        let bench = try Bench(.playing(of: 1000))
        let peer = try bench.connect()
        peer.send("playlistinfo\nnext\nidle\n")
        try bench.loop.runWhatIsReady()
        #expect(bench.desk.host.status.current?.position == 0)
        bench.server.notify(.mixer)
        #expect(try bench.turn { peer.text.hasSuffix("Id: 1000\nOK\nOK\nchanged: mixer\nOK\n") })
        #expect(bench.desk.host.status.current?.position == 1)
    }

    @Test func aRefusalInTheMiddleOfAListEndsIt() throws {
        let bench = try Bench(.playing(of: 1000))
        let peer = try bench.connect()
        peer.send("command_list_ok_begin\nplaylistinfo\nlistall\nplay 99999\nnext\ncommand_list_end\n")
        #expect(try bench.turn { peer.hasWholeAnswer })
        #expect(peer.lineCount("list_OK") == 2 && peer.lineCount("file: ") == 2000)
        #expect(peer.text.hasSuffix("list_OK\nACK [2@2] {play} Bad song index: 99999 (the queue holds 1000, from 0)\n"))
        #expect(bench.desk.host.status.current?.position == 0)
    }

    /// Edits made while it is told are not in it.
    @Test func aQueueIsToldAsItStood() throws {
        let bench = try Bench(.playing(of: 5000))
        let reader = try bench.connect()
        let editor = try bench.connect()
        let version = bench.desk.host.status.queueVersion
        reader.send("playlistinfo\n")
        try bench.loop.runWhatIsReady()
        editor.send("delete 10:4990\n")
        #expect(try bench.turn { editor.hasWholeAnswer })
        #expect(try bench.turn { reader.hasWholeAnswer })
        #expect(reader.lineCount("Id: ") == 5000)
        reader.forget()
        reader.send("plchangesposid \(version)\n")
        #expect(try bench.turn { reader.hasWholeAnswer })
        // Those that moved up; the first ten are as they were.
        #expect(reader.lineCount("cpos: ") == 10)
    }

    /// One that never reads costs a portion and no more, and gets everything once it reads.
    @Test func whoReadsSlowlyIsNotDroppedAndHoldsNobodyUp() throws {
        let bench = try Bench(.playing(of: 5000))
        var deaf: [Peer] = []
        for _ in 0..<10 {
            let peer = try bench.connect()
            peer.setReading(false)
            peer.send("playlistinfo\n")
            deaf.append(peer)
        }
        let other = try bench.connect()
        for _ in 0..<300 { #expect(try other.ask("ping") == "OK\n") }
        let taken = bench.steps.taken
        // That is 2500 songs for each of them.
        #expect(taken < 10 * 2500 / WorkBudget.turn * bench.stepsOfTurn)
        #expect(bench.server.heldBytes < 10 * 40 * 1024)
        for _ in 0..<100 { #expect(try other.ask("ping") == "OK\n") }
        #expect(bench.steps.taken == taken)
        for peer in deaf { peer.setReading(true) }
        #expect(try bench.turn { deaf.allSatisfy { $0.hasWholeAnswer } })
        for peer in deaf { #expect(peer.lineCount("Id: ") == 5000) }
        #expect(bench.server.heldBytes == 0)
    }

    @Test func nobodyIsToldAnythingAfterGoingAway() throws {
        let bench = try Bench(.playing(of: 10_000))
        var peer: Peer? = try bench.connect()
        peer?.send("playlistinfo\n")
        #expect(try bench.turn { peer!.received.count > 100_000 })
        peer = nil
        #expect(try bench.turn { bench.server.clients.count == 0 })
        #expect(bench.steps.taken < 5000 / WorkBudget.turn * bench.stepsOfTurn)
    }

    /// The commands before the end are carried out, although they take many turns.
    @Test func theCommandsOfOneWhoGoesAwayAreCarriedOut() throws {
        let bench = try Bench(.playing(of: 10))
        var peer: Peer? = try bench.connect()
        peer?.send(
            "command_list_begin\n" + String(repeating: "volume -1\n", count: 90)
                + "command_list_end\nadd shelf\nstop\n")
        peer = nil
        #expect(try bench.turn { bench.server.clients.count == 0 })
        let status = bench.desk.host.status
        #expect(status.volumePercent == 10 && status.state == .stopped && bench.desk.queue.count == 20)
    }

    @Test func foldersAreAddedInPortions() throws {
        let bench = try Bench(.playing(of: 1000))
        let peer = try bench.connect()
        peer.send("add shelf 0\nfindadd artist \"Ada Reader\" window 0:10\n")
        #expect(try bench.turn { peer.text.hasSuffix("OK\nOK\n") })
        #expect(peer.text == "OK\nOK\n")
        // Each song is written into the queue, too.
        bench.expectShortTurns(4)
        let queue = bench.desk.queue
        #expect(queue.count == 2010 && queue[..<1000] == queue[1000..<2000])
        #expect(queue[..<1000].elementsEqual((0..<1000).map { "shelf/\($0).mp3" }))
    }

    @Test func aFullQueueRefusesWithMPDsWords() throws {
        let bench = try Bench(.playing(of: 8500))
        let peer = try bench.connect()
        #expect(try peer.ask("add shelf") == "ACK [51@0] {add} Playlist is too large\n")
        #expect(bench.desk.host.status.queueLength == 16_384)
    }
}

/// Counts the steps that SQLite takes for a library, which a busy machine does not change.
private final class LibrarySteps {
    private let library: Library
    private let count = UnsafeMutablePointer<Int>.allocate(capacity: 1)

    init(_ library: Library) {
        self.library = library
        count.initialize(to: 0)
        sqlite3_progress_handler(
            library.database.handle, 1,
            { count in
                count!.assumingMemoryBound(to: Int.self).pointee += 1
                return 0
            }, count)
    }

    deinit {
        sqlite3_progress_handler(library.database.handle, 0, nil, nil)
        count.deallocate()
    }

    var taken: Int { count.pointee }
}

extension Desk {
    /// So many songs as `holding` has, of which the speaker is told at once; the first one plays.
    static func playing(of count: Int) -> Desk {
        let desk = Desk()
        var arrivals: [Arrival] = []
        desk.bench.disk.paths.insert("/books/shelf")
        desk.bench.library.batch {
            for number in 0..<count {
                let path = "/books/shelf/\(number).mp3"
                desk.bench.disk.paths.insert(path)
                let probe = Probe(
                    identity: ContentIdentity(hash: UInt64(number) + 1, audioBytes: 960_000), path: path,
                    fileBytes: 960_000, fileModifiedSeconds: 1,
                    tags: TagList([(.title, "Chapter \(number)"), (.artist, "Ada Reader"), (.album, "Nights")]),
                    durationMilliseconds: 60_000)
                arrivals.append(Arrival(id: desk.bench.library.upsert(probe)!.id, place: .last))
            }
        }
        desk.bench.speaker.libraryDidGain(arrivals)
        desk.bench.press(.play)
        desk.turn()
        return desk
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
