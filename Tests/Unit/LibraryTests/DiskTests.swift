// SPDX-License-Identifier: Apache-2.0
import CSQLite
import Core
import Foundation
import Glibc
import Model
import Testing

@testable import Library
@testable import SQLite

/// The user that file permissions are checked for, of the calling thread alone; Swift's Glibc leaves it out.
@_silgen_name("setfsuid") private func setfsuid(_ user: UInt32) -> Int32

/// Full, read-only and missing disks, and the cost of saving.
@Suite struct DiskTests {
    private let folder = TemporaryFolder()
    private let warnings = Warnings()

    // MARK: What saving costs

    /// All jobs that there are, as a worker does them.
    private func work(_ library: Library, isIdle: Bool = false) {
        while let job = library.logJob(isIdle: isIdle) {
            job.run()
            library.finish(job)
            if library.trouble != nil { return }
        }
    }

    @Test func theControlThreadNeverWaitsForTheDisk() throws {
        let library = Library(folder, warnings)
        library.upsert(probe(1))
        let record = FaultyFile.record(library)
        func night() throws {
            for second in 0..<300 { library.savePosition(1, milliseconds: second * 5000) }
            library.saveQueue(.replace([QueueEntry(songID: 1, itemID: 1)]))
            library.save(SpeakerState(volumePercent: record.writes % 100))
            let id = try #require(library.upsert(probe(record.writes + 10))).id
            _ = library.addFavourite(id)
            library.removeFavourite(id)
            library.countPlay(id)
            library.saveSeekTable(id, [UInt8](repeating: 1, count: 20_000), durationMilliseconds: 5)
            library.setPresent([id], false)
        }
        try night()
        #expect(record.syncs == 0)
        #expect(!record.operations.contains { $0.kind == .database })
        #expect(library.isBehind)
        work(library)
        // The log, the database, and the log's end.
        #expect(record.syncs == 3)
        #expect(!library.isBehind)
        // Nor does beginning the log anew.
        try night()
        #expect(record.syncs == 3)
        work(library)
        #expect(record.syncs == 6)
        // With nothing to do it does nothing.
        let operations = record.operations.count
        work(library, isIdle: true)
        library.settle()
        #expect(record.operations.count == operations)
        #expect(record.controlSyncs == 0)
        #expect(warnings.all.isEmpty)
    }

    /// Saves during the worker's wait are not checkpointed before the disk has them, and are not lost.
    @Test func whatIsSavedMeanwhileIsSynced() throws {
        let library = Library(folder, warnings)
        let id = try #require(library.upsert(probe(1))).id
        let record = FaultyFile.record(library)
        for second in 0..<300 { library.savePosition(id, milliseconds: second) }
        var position = 1000
        func save() {
            position += 1
            library.savePosition(id, milliseconds: position)
        }
        // While the log is synced: it has to be synced again first.
        for _ in 0..<3 {
            let job = try #require(library.logJob())
            #expect(library.logJob() == nil)
            save()
            job.run()
            library.finish(job)
            #expect(!record.operations.contains { $0.kind == .database })
        }
        var job = try #require(library.logJob())
        job.run()
        library.finish(job)
        #expect(record.operations.contains { $0.kind == .database })
        // While the database file is synced: nothing may go to the log.
        job = try #require(library.logJob())
        let writes = record.writes
        for _ in 0..<50 { save() }
        #expect(library.addFavourite(id) == .added)
        #expect(record.writes == writes)
        #expect(library.item(id)?.positionMilliseconds == position)
        job.run()
        library.finish(job)
        #expect(record.writes > writes)
        #expect(!library.isBehind)
        work(library)
        #expect(library.logJob() == nil)
        library.close()
        let again = Library(folder, warnings)
        #expect(again.item(id)?.positionMilliseconds == position)
        #expect(again.isFavourite(id))
        #expect(warnings.all.isEmpty)
    }

    /// A disk so slow that nothing is ever synced before the next is saved: the log ends growing all the same.
    @Test func theLogIsBoundedWhateverHappens() throws {
        let library = Library(folder, warnings)
        let id = try #require(library.upsert(probe(1))).id
        let job = try #require(library.logJob())
        for number in 0..<40 {
            library.saveSeekTable(id, [UInt8](repeating: UInt8(number), count: 1 << 20), durationMilliseconds: nil)
        }
        library.savePosition(id, milliseconds: 77)
        let bytes = FileManager.default.bytes(folder.database + "-wal").count
        #expect(bytes < 36 << 20)
        #expect(warnings.all.count == 1)
        #expect(library.trouble?.contains("does not keep up") == true)
        #expect(library.item(id)?.positionMilliseconds == 77)
        job.run()
        library.finish(job)
        while let job = library.logJob() {
            job.run()
            library.finish(job)
        }
        library.savePosition(id, milliseconds: 78)
        #expect(library.trouble == nil)
        library.close()
        #expect(Library(folder).item(id)?.positionMilliseconds == 78)
    }

    @Test func aPositionIsOneSmallPageOfTheLog() throws {
        let library = Library(folder, warnings)
        library.batch { for number in 1...1000 { library.upsert(probe(number)) } }
        library.settle()
        library.savePosition(500, milliseconds: 36_000_000)
        let record = FaultyFile.record(library)
        for second in 0..<100 { library.savePosition(500, milliseconds: second * 500) }
        #expect(record.bytesWritten == 100 * (1024 + 24))
        // An unchanged state is not written.
        let state = SpeakerState(nextSongID: 1001)
        library.save(state)
        let before = record.bytesWritten
        library.save(state)
        #expect(record.bytesWritten == before)
        var louder = state
        louder.volumePercent = 50
        library.save(louder)
        #expect(record.bytesWritten == before + 1048)
    }

    /// A press saves all its changes at once. The part that the disk refuses is known until the disk accepts something again.
    @Test func aBatchThatTheDiskRefusesGoesWithTheNextSave() throws {
        let library = Library(folder, warnings)
        library.batch { for number in 1...2 { library.upsert(probe(number)) } }
        library.settle()
        let record = FaultyFile.record(library)
        record.writeResult = SQLITE_FULL
        library.batch {
            library.savePosition(1, milliseconds: 5000)
            library.save(Speed(percent: 125))
            library.save(SpeakerState(volumePercent: 3))
        }
        #expect(library.item(1)?.positionMilliseconds == 5000)
        record.writeResult = SQLITE_OK
        library.batch { library.savePosition(2, milliseconds: 6000) }
        library.save(SpeakerState(volumePercent: 3))
        library.close()
        let again = Library(folder, warnings)
        #expect(again.item(1)?.positionMilliseconds == 5000)
        #expect(again.item(2)?.positionMilliseconds == 6000)
        #expect(again.restoredSpeed() == Speed(percent: 125))
        #expect(again.restoredState?.volumePercent == 3)
    }

    /// The kernel does not write refused pages again, so everything behind them in the log would be lost.
    @Test func aLogThatTheDiskRefusedIsMovedIntoTheDatabase() throws {
        let library = Library(folder, warnings)
        library.upsert(probe(1))
        work(library)
        library.savePosition(1, milliseconds: 5000)
        #expect(library.trouble == nil)
        let record = FaultyFile.record(library)
        record.refusal = "write log: Input/output error"
        for _ in 0..<3 {
            library.savePosition(1, milliseconds: 10_000)
            work(library)
            #expect(library.trouble?.contains("Input/output error") == true)
        }
        #expect(record.syncs == 0)
        #expect(warnings.all.count == 1)
        record.refusal = nil
        work(library)
        #expect(library.trouble == nil)
        #expect(record.operations.contains { $0.kind == .database })
        #expect(record.syncs == 3)
        library.savePosition(1, milliseconds: 15_000)
        work(library)
        #expect(record.syncs == 4)
        #expect(warnings.all.count == 1)
    }

    /// The log is written over from its start, so that a night of playing does not fill the card.
    @Test func theLogIsUsedAgain() throws {
        let library = Library(folder, warnings)
        library.upsert(probe(1))
        var largest = 0
        for round in 0..<20 {
            for second in 0..<256 { library.savePosition(1, milliseconds: round * 1000 + second) }
            #expect(library.isBehind)
            library.settle()
            #expect(!library.isBehind)
            largest = max(largest, FileManager.default.bytes(folder.database + "-wal").count)
        }
        #expect(largest < 400 * 1048)
        #expect(folder.names == ["nightstand.db", "nightstand.db-wal", "nightstand.db.schema"])
    }

    // MARK: Full disk

    @Test(arguments: [SQLITE_FULL, SQLITE_IOERR | 3 << 8, SQLITE_READONLY])
    func aFailingWriteIsOneWarningForAWhile(result: Int32) throws {
        let library = Library(folder, warnings)
        let id = try #require(library.upsert(probe(1))).id
        library.savePosition(id, milliseconds: 1000)
        let record = FaultyFile.record(library)
        record.writeResult = result
        for second in 0..<50 { library.savePosition(id, milliseconds: second * 5000) }
        #expect(library.addFavourite(id) == .notSaved)
        #expect(library.upsert(probe(2)) == nil)
        library.save(SpeakerState(volumePercent: 3))
        library.batch { for number in 10..<400 { library.upsert(probe(number)) } }
        library.settle()
        #expect(warnings.all.count == 1)
        #expect(warnings.all.first?.contains("playing on without") == true)
        // The place is known until the power goes, and nothing is half done.
        #expect(library.item(id)?.positionMilliseconds == 49 * 5000)
        #expect(library.allItems().count == 1)
        #expect(folder.setAside.isEmpty)
        // There is room again.
        record.writeResult = SQLITE_OK
        library.savePosition(id, milliseconds: 7000)
        #expect(library.item(id)?.positionMilliseconds == 7000)
        library.save(SpeakerState(volumePercent: 3))
        #expect(warnings.all.count == 1)
        record.writeResult = result
        library.savePosition(id, milliseconds: 8000)
        library.savePosition(id, milliseconds: 9000)
        // Soon after the first: it is shown, and not said again.
        #expect(warnings.all.count == 1)
        #expect(library.trouble?.contains("cannot be saved") == true)
        record.writeResult = SQLITE_OK
        library.close()
        let again = Library(folder, warnings)
        #expect(again.item(id)?.positionMilliseconds == 7000)
        #expect(again.restoredState?.volumePercent == 3)
        #expect(warnings.all.count == 1)
    }

    /// Items were changed while the disk was full: all of it is saved as soon as anything can be.
    @Test func whatCouldNotBeSavedIsSavedLater() throws {
        let library = Library(folder, warnings)
        let ids = try (1...3).map { try #require(library.upsert(probe($0))).id }
        let record = FaultyFile.record(library)
        record.writeResult = SQLITE_FULL
        library.savePosition(ids[0], milliseconds: 11_000)
        library.savePosition(ids[1], milliseconds: 12_000)
        let state = SpeakerState(currentSongID: 2, isPlaying: true, volumePercent: 3)
        library.save(state)
        #expect(library.allItems().map(\.positionMilliseconds) == [11_000, 12_000, 0])
        #expect(library.trouble != nil)
        record.writeResult = SQLITE_OK
        library.savePosition(ids[2], milliseconds: 13_000)
        #expect(library.trouble == nil)
        library.close()
        let again = Library(folder, warnings)
        #expect(again.allItems().map(\.positionMilliseconds) == [11_000, 12_000, 13_000])
        #expect(again.restoredState == state)
        #expect(warnings.all.count == 1)
    }

    /// A checkpoint that fails half way leaves a database that is whole, and the next one mends it.
    @Test func aFailingCheckpointHarmsNothing() throws {
        let library = Library(folder, warnings)
        let id = try #require(library.upsert(probe(1))).id
        let record = FaultyFile.record(library)
        for second in 0..<20 { library.savePosition(id, milliseconds: second) }
        record.writeResult = SQLITE_FULL
        library.settle()
        #expect(warnings.all.count == 1)
        record.writeResult = SQLITE_OK
        for second in 0..<20 { library.savePosition(id, milliseconds: 100 + second) }
        library.settle()
        #expect(!library.isBehind)
        let before = record.syncs
        library.savePosition(id, milliseconds: 555)
        #expect(record.syncs == before)
        library.close()
        #expect(Library(folder, warnings).item(id)?.positionMilliseconds == 555)
        #expect(warnings.all.count == 1)
    }

    // MARK: No disk

    private func expectUsableInMemory(_ library: Library) throws {
        #expect(warnings.all.count == 1)
        #expect(warnings.all.first?.contains("until the power goes off") == true)
        #expect(library.path == nil)
        let id = try #require(library.upsert(probe(77))).id
        library.savePosition(id, milliseconds: 5)
        library.save(SpeakerState(volumePercent: 3))
        #expect(library.addFavourite(id) == .added)
        library.settle()
        #expect(!library.isBehind)
        #expect(library.item(id)?.positionMilliseconds == 5)
        #expect(warnings.all.count == 1)
    }

    @Test func aFolderThatCannotBeMadeIsOneWarning() throws {
        for bad in [
            folder.write("file", [1, 2, 3]) + "/state", "/proc/nightstand", "",
            folder.path + "/" + String(repeating: "x", count: 300),
        ] {
            warnings.all = []
            try expectUsableInMemory(Library(stateFolder: bad) { warnings.all.append($0) })
        }
    }

    @Test func aFolderOfTheDatabasesNameIsOneWarning() throws {
        folder.write("nightstand.db/x", [1])
        try expectUsableInMemory(Library(folder, warnings))
    }

    @Test func noFolderIsAQuietLibraryInMemory() throws {
        let library = Library(stateFolder: nil) { warnings.all.append($0) }
        #expect(library.path == nil)
        #expect(library.upsert(probe(1)) != nil)
        #expect(warnings.all.isEmpty)
    }

    @Test func anotherProcessThatHasTheDatabaseIsOneWarning() throws {
        do { Library(folder).upsert(probe(1)) }
        let descriptor = open(folder.database, O_RDWR)
        defer { close(descriptor) }
        // An open file description's lock conflicts with SQLite's own, as another process' would.
        var lock = Glibc.flock(
            l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: 0x4000_0000, l_len: 600, l_pid: 0)
        let setLock: Int32 = 37  // F_OFD_SETLK, which Swift's Glibc leaves out
        #expect(fcntl(descriptor, setLock, &lock) == 0)
        let library = Library(folder, warnings)
        #expect(warnings.all.first?.contains("another process") == true && library.isUsedElsewhere)
        try expectUsableInMemory(library)
        #expect(folder.setAside.isEmpty)
    }

    /// The card was remounted read-only, as cards are when they fail.
    @Test func aReadOnlyDiskStillTellsWhereTheSpeakerWas() throws {
        do {
            let library = Library(folder)
            for number in 1...5 { library.upsert(probe(number)) }
            library.savePosition(3, milliseconds: 33_000)
            library.save(SpeakerState(currentSongID: 9, volumePercent: 21))
            _ = library.addFavourite(4)
            library.writeLog()
            // Ends without closing: the log is part of what there is to read.
            let log = FileManager.default.bytes(folder.database + "-wal")
            #expect(log.count > 1000)
            let copy = FileManager.default.bytes(folder.database)
            library.close()
            folder.write("nightstand.db", copy)
            folder.write("nightstand.db-wal", log)
        }
        chmod(folder.database, 0o444)
        chmod(folder.database + "-wal", 0o444)
        chmod(folder.path, 0o555)
        defer { chmod(folder.path, 0o755) }
        // Root may write everything; on this thread, be user 65534.
        if geteuid() == 0 { _ = setfsuid(65534) }
        defer { if geteuid() == 0 { _ = setfsuid(0) } }
        try #require(access(folder.path, W_OK) != 0 || geteuid() == 0)
        let library = Library(folder, warnings)
        #expect(library.restoredState?.volumePercent == 21)
        #expect(library.item(3)?.positionMilliseconds == 33_000)
        #expect(library.favourites().map(\.item.id) == [4])
        #expect(library.allItems().count == 5)
        try expectUsableInMemory(library)
        #expect(folder.setAside.isEmpty)
    }

    @Test func theLogIsFoldedInAfterAtMost256Saves() throws {
        // The log's length is what opening after a kill costs; folding it in bounds it.
        let library = Library(folder, warnings)
        library.upsert(probe(1))
        var saves = 0
        while !library.isBehind {
            library.savePosition(1, milliseconds: saves)
            saves += 1
        }
        #expect((200...256).contains(saves))
    }
}
