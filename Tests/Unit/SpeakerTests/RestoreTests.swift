// SPDX-License-Identifier: Apache-2.0
import Core
import Foundation
import Model
import Scanning
import TestSupport
import Testing

@testable import Library
@testable import Speaker
@testable import SpeakerBench

@Suite("What is remembered") struct RestoreTests {
    /// An item of the restored library may have the number of the one that played.
    @Test func aRestoredLibraryHasTranscriptsOfItsOwn() {
        let bench = Bench()
        bench.add("a")
        bench.press(.play)
        bench.worker.runAll()
        #expect(bench.speaker.transcripts.transcript != nil)
        #expect(bench.speaker.replaceLibrary { nil } == nil)
        #expect(bench.speaker.currentItem != nil)
        #expect(bench.speaker.transcripts.transcript == nil && bench.speaker.transcripts.isReading)
        bench.worker.runAll()
        #expect(bench.speaker.transcripts.transcript != nil)
    }

    /// A queue of more entries than a turn has time to write: whenever the program ends, its next run has the library or the queue.
    @Test func theFirstEditOfALongLibraryIsWrittenOverSeveralTurns() throws {
        let folder = try TemporaryFolder()
        let bench = Bench(stateFolder: folder.path)
        bench.add("a")
        let item = try #require(bench.speaker.queue.current?.itemID)
        bench.speaker.libraryDidGain((0..<4000).map { Arrival(id: ItemID($0 + 1000), place: .last) })
        bench.speaker.edit { $0.move(0..<1, to: 5) }
        #expect(bench.library.restoredQueue().isEmpty)
        #expect(bench.library.saveMoreOfQueue())
        var looks = 0
        while bench.library.saveMoreOfQueue() { looks += 1 }
        #expect(looks > 1 && bench.library.restoredQueue().map(\.itemID) == [item])
        let rows = try bench.library.database.integer("SELECT count(*) FROM queueEntry")
        #expect(rows == 4001)
        // Each edit after it, by the speaker's own turns.
        bench.speaker.shuffle(0..<4001)
        for _ in 0..<60 {
            bench.worker.runAll()
            bench.timers.pass(milliseconds: 1)
        }
        #expect(!bench.library.saveMoreOfQueue() && bench.library.isSynced)
        let first = try bench.library.database.integer("SELECT song FROM queueEntry ORDER BY place LIMIT 1")
        #expect(first == bench.speaker.queue.entries.first.map { Int64($0.songID) })
    }

    @Test func aQueueThatIsTheLibraryComesBack() throws {
        let folder = try TemporaryFolder()
        let first = Bench(stateFolder: folder.path)
        first.add("a", "b", "c")
        first.press(.play, .next, .seek(milliseconds: 20_000), .setVolume(percent: 30))
        first.end()
        let second = Bench(stateFolder: folder.path)
        #expect(second.title == "b" && second.player.positionMilliseconds == 20_000 && second.player.wantsToPlay)
        #expect(second.speaker.queue.count == 3 && second.speaker.queue.currentIndex == 1)
        #expect(second.speaker.queue.followsScans && second.speaker.status.volumePercent == 30)
    }

    @Test func anEditedQueueComesBack() throws {
        let folder = try TemporaryFolder()
        let first = Bench(stateFolder: folder.path)
        let items = first.add("a", "b", "c")
        first.speaker.remove(0..<1)
        _ = try first.speaker.insert([items[0], items[2]], at: 1)
        first.press(.next, .play, .pause)
        let queue = first.speaker.queue
        first.end()
        let second = Bench(stateFolder: folder.path)
        #expect(second.speaker.queue.entries == queue.entries)
        #expect(second.speaker.queue.currentIndex == queue.currentIndex && !second.player.wantsToPlay)
        #expect(!second.speaker.queue.followsScans)
        _ = try second.speaker.insert([items[1]])
        #expect(second.speaker.queue.entries.last.map { $0.songID >= queue.nextSongID } == true)
    }

    /// The rescue of a damaged database may leave items, and no state of playback.
    @Test func itemsWithoutAStateAreTheQueue() throws {
        let folder = try TemporaryFolder()
        let known = Library(stateFolder: folder.path) { _ in }
        for number in 1...3 as ClosedRange<UInt64> {
            let probe = Probe(
                identity: ContentIdentity(hash: number, audioBytes: 960_000), path: "/books/\(number).mp3",
                fileBytes: 960_128, fileModifiedSeconds: 1, tags: TagList([(.title, "\(number)")]),
                durationMilliseconds: 60_000)
            #expect(known.upsert(probe) != nil)
        }
        known.close()
        let bench = Bench(stateFolder: folder.path)
        #expect(bench.speaker.queue.count == 3 && bench.speaker.queue.followsScans)
        #expect(bench.title == "1" && !bench.player.wantsToPlay)
    }

    /// For any power cut during writes, the song that was current is in the queue, at its place.
    @Test(arguments: [1, 2, 3] as [UInt64]) func aPowerCutLeavesQueueAndStateOfOneMind(seed: UInt64) throws {
        let folder = try TemporaryFolder()
        let bench = Bench(stateFolder: folder.path)
        let items = bench.add("a", "b", "c", "d")
        bench.press(.next, .play)
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<40 {
            let count = bench.speaker.queue.count
            switch Int.random(in: 0..<3, using: &generator) {
            case 0:
                let some = (0..<2).map { _ in items.randomElement(using: &generator)! }
                _ = try bench.speaker.insert(some, at: Int.random(in: 0...count, using: &generator))
            case 1 where count > 0:
                let first = Int.random(in: 0..<count, using: &generator)
                bench.speaker.remove(first..<min(count, first + 2))
            default: bench.press(.next)
            }
            // A save over several turns completes, and the worker writes it without a checkpoint.
            bench.timers.pass(milliseconds: 0)
            bench.worker.runAll()
        }
        let database = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/nightstand.db"))
        let log = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/nightstand.db-wal"))
        let pageBytes = 1024
        var cuts = 0
        // After each frame of the log that ends a transaction (sqlite.org/fileformat2.html, "WAL Frame Header").
        for frame in 0..<(log.count - 32) / (24 + pageBytes) {
            let header = 32 + frame * (24 + pageBytes)
            if log[header + 4..<header + 8].allSatisfy({ $0 == 0 }) { continue }
            let after = try TemporaryFolder()
            try FileManager.default.createDirectory(atPath: after.path, withIntermediateDirectories: true)
            try database.write(to: URL(fileURLWithPath: after.path + "/nightstand.db"))
            try log[..<(header + 24 + pageBytes)].write(to: URL(fileURLWithPath: after.path + "/nightstand.db-wal"))
            let again = Bench(stateFolder: after.path)
            if let song = again.library.restoredState?.currentSongID {
                #expect(again.speaker.queue.index(ofSongID: song) != nil, "cut behind frame \(frame)")
                cuts += 1
            }
        }
        #expect(cuts >= 10)
    }

    @Test func onePressIsOneJobForTheDisk() throws {
        let folder = try TemporaryFolder()
        let bench = Bench(stateFolder: folder.path)
        bench.add("a", "b")
        bench.pass(milliseconds: 100)
        let before = bench.worker.takenCount
        bench.press(.play)
        bench.timers.pass(milliseconds: 0)
        #expect(bench.worker.jobs.map(\.key) == ["log"])
        #expect(bench.worker.takenCount == before + 1)
        bench.worker.runAll()
        bench.press(.next)
        bench.timers.pass(milliseconds: 0)
        // The next item's transcript, and the log.
        #expect(bench.worker.jobs.compactMap(\.key).sorted() == ["log", "transcript"])
    }

    /// Place, state, when it was paused and how long it sleeps are of one moment: either all of them are in the log, or none.
    @Test func onePressIsOneTransaction() throws {
        let folder = try TemporaryFolder()
        let bench = Bench(stateFolder: folder.path)
        bench.add("a", "b")
        for command in [Command.play, .pause, .play, .skip(milliseconds: 10_000), .next, .previous, .pause] {
            bench.pass(milliseconds: 100)
            bench.worker.runAll()
            let before = try transactions(folder)
            bench.press(command)
            bench.timers.pass(milliseconds: 0)
            bench.worker.runAll()
            let after = try transactions(folder)
            #expect(after == before + 1, "\(command): \(after - before)")
        }
    }

    /// The frames of the log that end a transaction (sqlite.org/fileformat2.html, "WAL Frame Header").
    private func transactions(_ folder: TemporaryFolder) throws -> Int {
        let log = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/nightstand.db-wal"))
        return (0..<(log.count - 32) / (24 + 1024)).count { frame in
            let header = 32 + frame * (24 + 1024)
            let isOld = log[header + 8..<header + 16] != log[16..<24]
            return !isOld && !log[header + 4..<header + 8].allSatisfy { $0 == 0 }
        }
    }

    @Test func editsWhileNothingPlaysDoNotMakeTheLogGrow() throws {
        let folder = try TemporaryFolder()
        let bench = Bench(stateFolder: folder.path)
        let items = bench.add("a", "b", "c")
        for _ in 0..<3600 {
            _ = try bench.speaker.insert(items)
            bench.pass(milliseconds: 10)
        }
        #expect(folder.bytes("nightstand.db-wal") < 8 << 20)
        bench.pass(milliseconds: 30_000)
        #expect(folder.bytes("nightstand.db-wal") < 8 << 20)
        #expect(bench.speaker.queue.count == 10_803)
    }

    @Test func whatIsNamedBeginsWhenItIsThere() {
        let bench = Bench(source: .named(["/books"]))
        #expect(!bench.player.wantsToPlay)
        bench.add("a", "b")
        #expect(bench.title == "a" && bench.player.wantsToPlay)
        bench.speaker.scanDidEnd(foundAny: true)
        #expect(bench.title == "a" && bench.timesEnded == 0)
    }

    @Test func whatIsNamedBeginsWithWhatWasPlayedLast() throws {
        let folder = try TemporaryFolder()
        let first = Bench(source: .named(["/books"]), stateFolder: folder.path)
        let items = first.add("a", "b")
        first.press(.next, .seek(milliseconds: 20_000))
        first.end()
        let second = Bench(source: .named(["/books"]), stateFolder: folder.path)
        second.speaker.libraryDidGain([Arrival(id: items[0], place: .last)])
        #expect(second.title == nil)
        second.speaker.libraryDidGain([Arrival(id: items[1], place: .last)])
        #expect(second.title == "b" && second.player.positionMilliseconds == 20_000 && second.player.wantsToPlay)
    }

    @Test func whatIsNamedMayBeNothing() {
        let bench = Bench(source: .named(["/books"]))
        bench.speaker.scanDidEnd(foundAny: false)
        #expect(bench.timesEnded == 1)
    }
}
