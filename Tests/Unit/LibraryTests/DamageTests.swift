// SPDX-License-Identifier: Apache-2.0
import CSQLite
import Core
import Foundation
import Model
import TestSupport
import Testing

@testable import Library
@testable import SQLite

/// Databases that cannot be used, found at opening and later.
@Suite struct DamageTests {
    private let folder = TemporaryFolder()
    private let warnings = Warnings()

    /// A library of some size with a favourite, positions and a queue; its bytes after a clean end.
    private static func fill(_ library: Library, items: Int = 60) {
        library.batch {
            for number in 1...items {
                let id = library.upsert(
                    probe(
                        number, title: "Title \(number)", artist: "Artist \(number % 7)", album: "Album \(number % 3)"))!
                    .id
                library.savePosition(id, milliseconds: number * 1000)
                if number % 5 == 0 { _ = library.addFavourite(id) }
                if number % 20 == 0 {
                    library.saveSeekTable(id, [UInt8](repeating: UInt8(number), count: 3000), durationMilliseconds: 1)
                }
            }
            library.saveQueue(.replace((1...items).map { QueueEntry(songID: $0, itemID: Int64($0)) }))
            library.save(
                SpeakerState(currentSongID: 7, isPlaying: true, volumePercent: 44, nextSongID: items + 1))
        }
    }

    private func filled() -> [UInt8] {
        do { DamageTests.fill(Library(folder)) }
        return FileManager.default.bytes(folder.database)
    }

    /// After any damage to the file, a person can continue from here, and new writes survive a restart.
    private func expectUsable(_ library: Library, _ comment: Comment? = nil) throws {
        let before = warnings.all.count
        let id = try #require(library.upsert(probe(9999, title: "Zzz new")), comment).id
        library.savePosition(id, milliseconds: 4321)
        library.saveQueue(.replace([QueueEntry(songID: 5, itemID: id)]))
        library.save(SpeakerState(currentSongID: 5, nextSongID: 6))
        _ = library.addFavourite(id)
        #expect(library.item(id)?.positionMilliseconds == 4321, comment)
        #expect(library.favourites().first?.item.id == id, comment)
        #expect(warnings.all.count <= before + 2, comment)
        if library.path != nil {
            library.close()
            let again = Library(folder, warnings)
            #expect(again.item(id)?.positionMilliseconds == 4321, comment)
            #expect(again.restoredState?.currentSongID == 5, comment)
        }
    }

    @Test(arguments: [
        [UInt8](repeating: 0x5A, count: 5000), Array("This is not a database, but a letter to my aunt.".utf8),
        [UInt8](repeating: 0, count: 4096), Array("SQLite format 3\0".utf8),
        Array("SQLite format 3\0".utf8) + [UInt8](repeating: 0xFF, count: 2000),
    ])
    func whatIsNoDatabaseIsSetAside(bytes: [UInt8]) throws {
        folder.write("nightstand.db", bytes)
        let library = Library(folder, warnings)
        #expect(warnings.all.count == 1)
        #expect(folder.setAside.count == 1)
        let name = try #require(folder.setAside.first)
        #expect(name.wholeMatch(of: /nightstand\.db\.damaged-\d{8}-\d{6}/) != nil)
        #expect(FileManager.default.bytes(folder.path + "/" + name) == bytes)
        #expect(warnings.all.first?.contains(name) == true)
        #expect(library.restoredState == nil)
        #expect(library.allItems().isEmpty)
        try expectUsable(library)
    }

    /// SQLite takes a file too short for anything as one to begin.
    @Test(arguments: [[], [0x53]] as [[UInt8]])
    func anEmptyFileIsANewDatabase(bytes: [UInt8]) throws {
        folder.write("nightstand.db", bytes)
        let library = Library(folder, warnings)
        #expect(warnings.all.isEmpty)
        try expectUsable(library)
        #expect(folder.setAside.isEmpty)
    }

    @Test func aTruncatedDatabaseNeverCostsAWorkingSpeaker() throws {
        let whole = filled()
        for length in stride(from: 1, to: whole.count, by: 1777) {
            try? FileManager.default.removeItem(atPath: folder.path)
            folder.write("nightstand.db", Array(whole[..<length]))
            try expectUsable(Library(folder, warnings), "cut at \(length)")
        }
    }

    /// Bytes flipped, pages swapped and filled with rubbish.
    @Test(arguments: 0..<8)
    func aDamagedDatabaseNeverCostsAWorkingSpeaker(seed: Int) throws {
        let whole = filled()
        var random = SeededGenerator(seed: UInt64(seed))
        for round in 0..<40 {
            var bytes = whole
            switch round % 4 {
            case 0:
                // A few bytes anywhere.
                for _ in 0..<Int.random(in: 1...20, using: &random) {
                    bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
                }
            case 1:
                // The header and the schema.
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    bytes[Int.random(in: 0..<3072, using: &random)] ^= 1 << UInt8.random(in: 0...7, using: &random)
                }
            case 2:
                let page = Int.random(in: 0..<bytes.count / 1024, using: &random) * 1024
                for at in page..<page + 1024 { bytes[at] = UInt8.random(in: 0...255, using: &random) }
            default:
                let a = Int.random(in: 0..<bytes.count / 1024, using: &random) * 1024
                let b = Int.random(in: 0..<bytes.count / 1024, using: &random) * 1024
                for at in 0..<1024 { bytes.swapAt(a + at, b + at) }
            }
            try? FileManager.default.removeItem(atPath: folder.path)
            folder.write("nightstand.db", bytes)
            let library = Library(folder, warnings)
            // Looks at everything: some damage shows only now.
            for item in library.allItems() { _ = item.resumeMilliseconds }
            for tag in [Tag.artist, .album, .title] { _ = library.values(of: .tag(tag)) }
            _ = library.folders(in: "/nowhere")
            _ = library.restoredQueue()
            for order in [Favourite.Order.newest, .title, .duration, .mostPlayed] { _ = library.favourites(by: order) }
            for id in 1...60 as ClosedRange<Int64> { _ = library.seekTable(id) }
            _ = library.counts()
            try expectUsable(library, "seed \(seed) round \(round)")
        }
    }

    /// A log that is damaged is cut where the damage begins, and so no damage to the database.
    @Test(arguments: 0..<4)
    func aDamagedLogCostsTheLastWritesOnly(seed: Int) throws {
        let folder = TemporaryFolder()
        let running = Library(folder)
        DamageTests.fill(running)
        running.settle()
        for second in 1...50 { running.savePosition(1, milliseconds: 100_000 + second) }
        let database = FileManager.default.bytes(folder.database)
        let log = FileManager.default.bytes(folder.database + "-wal")
        var random = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<30 {
            var bytes = log
            let at = Int.random(in: 0..<bytes.count, using: &random)
            if Bool.random(using: &random) { bytes[at] ^= 0x10 } else { bytes.removeLast(bytes.count - at) }
            try? FileManager.default.removeItem(atPath: self.folder.path)
            self.folder.write("nightstand.db", database)
            self.folder.write("nightstand.db-wal", bytes)
            let library = Library(self.folder, warnings)
            let position = try #require(library.item(1)).positionMilliseconds
            #expect(position == 1000 || (100_001...100_050).contains(position))
            #expect(library.allItems().count == 60)
            #expect(library.restoredState?.volumePercent == 44)
            #expect(try library.database.prepare("PRAGMA integrity_check").firstText() == "ok")
        }
        #expect(warnings.all.isEmpty)
    }

    @Test func whatCanBeReadIsCarriedOver() throws {
        var bytes = filled()
        // The leaves of `item` hold its titles and their keys: spoil one in the middle.
        let title = Array("Title 31title 0".utf8)
        let at = try #require((0..<bytes.count - title.count).first { bytes[$0...].starts(with: title) })
        let page = at / 1024 * 1024
        for at in page..<page + 1024 { bytes[at] = 0xFF }
        folder.write("nightstand.db", bytes)
        let library = Library(folder, warnings)
        #expect(!library.needsScan)
        let items = library.allItems()
        #expect(library.needsScan)
        #expect(warnings.all.count == 1)
        #expect(folder.setAside.count == 1)
        // Some of 60 are lost, a page's worth; the others are whole, and under their own ids.
        #expect((50...58).contains(items.count))
        for item in items {
            #expect(item.title == "Title \(item.id)")
            #expect(item.positionMilliseconds == Int(item.id) * 1000)
            #expect(item.isFavourite == (item.id % 5 == 0))
        }
        #expect(library.seekTable(60)?.count == 3000)
        #expect(library.restoredState?.volumePercent == 44)
        // Finding the file again gives back its position and favourite.
        let lost = try #require((1...60).first { number in !items.contains { $0.id == Int64(number) } })
        let found = try #require(library.upsert(probe(lost)))
        #expect(found.id != 0)
        try expectUsable(library)
    }

    @Test func theSpeakersStateIsNotLostWithTheDatabase() throws {
        let library = Library(folder, warnings)
        library.wholeQueue = { (1...60).map { QueueEntry(songID: $0, itemID: Int64($0)) } }
        DamageTests.fill(library)
        library.settle()
        // The whole file turns to rubbish while it is in use; the pages in memory are forgotten.
        let bytes = FileManager.default.bytes(folder.database)
        let handle = try #require(FileHandle(forWritingAtPath: folder.database))
        handle.write(Data(repeating: 0xA5, count: bytes.count))
        handle.closeFile()
        library.database.releaseMemory()
        library.savePosition(3, milliseconds: 1)
        _ = library.allItems()
        _ = library.seekTable(20)
        #expect(library.needsScan)
        #expect(warnings.all.count == 1)
        try #require(folder.setAside.count == 1)
        #expect(library.path != nil)
        library.close()
        let again = Library(folder, warnings)
        #expect(again.restoredState?.volumePercent == 44)
        // Entries of forgotten items are of no use.
        #expect(again.restoredQueue().isEmpty)
        #expect(warnings.all.count == 1)
    }

    @Test func aCardThatKeepsSpoilingTheDatabaseIsGivenUp() throws {
        let library = Library(folder, warnings)
        for _ in 0..<4 {
            DamageTests.fill(library)
            library.settle()
            if library.path == nil { break }
            let handle = try #require(FileHandle(forWritingAtPath: folder.database))
            handle.write(Data(repeating: 0xA5, count: FileManager.default.bytes(folder.database).count))
            handle.closeFile()
            library.database.releaseMemory()
            _ = library.allItems()
            for tag in [Tag.artist, .album, .title] { _ = library.values(of: .tag(tag)) }
            _ = library.folders(in: "/nowhere")
            _ = library.restoredQueue()
        }
        #expect(library.path == nil)
        #expect(warnings.all.count == 2)
        #expect(folder.setAside.count == 2)
        try expectUsable(library)
    }

    @Test func aDatabaseOfTheFutureIsLeftAsItIs() throws {
        do {
            let library = Library(folder)
            DamageTests.fill(library)
            try library.database.execute("PRAGMA user_version = 1000")
        }
        let before = FileManager.default.bytes(folder.database)
        let library = Library(folder, warnings)
        #expect(warnings.all.count == 1)
        #expect(warnings.all.first?.contains("newer Nightstand") == true)
        #expect(library.isForNowOnly && !library.isUsedElsewhere)
        library.upsert(probe(1))
        library.close()
        #expect(folder.setAside.isEmpty && FileManager.default.bytes(folder.database) == before)
    }

    /// Interrupted anywhere, a rescue is begun again by the next start, or is whole.
    @Test func aRescueThatWasInterruptedLosesNothing() throws {
        do { DamageTests.fill(Library(folder)) }
        var damaged = FileManager.default.bytes(folder.database)
        for at in 0..<100 { damaged[at] = 0xEE }
        // Begun, and no more than half.
        folder.write("nightstand.db", damaged)
        folder.write("nightstand.db.rescued", Array(damaged[..<3000]))
        folder.write("nightstand.db.rescued-journal", [1, 2, 3])
        let first = Library(folder, warnings)
        let favourites = first.favourites().map { $0.item.path }
        let places = first.allItems().map { $0.positionMilliseconds }
        #expect(!favourites.isEmpty && places.contains { $0 > 0 } && folder.setAside.count == 1)
        first.close()
        // Whole, and the power went before it took its place: then the new one has it.
        let whole = FileManager.default.bytes(folder.database)
        for name in folder.names { try FileManager.default.removeItem(atPath: folder.path + "/" + name) }
        folder.write("nightstand.db", damaged)
        folder.write("nightstand.db.rescued", whole)
        let second = Library(folder, warnings)
        #expect(second.favourites().map { $0.item.path } == favourites)
        #expect(second.allItems().map { $0.positionMilliseconds } == places)
        #expect(folder.setAside.count == 1 && !folder.names.contains("nightstand.db.rescued"))
        second.close()
        // A library that is whole, and a rest of an earlier rescue that was not.
        folder.write("nightstand.db.rescued", Array(whole[..<3000]))
        let third = Library(folder, warnings)
        #expect(third.favourites().map { $0.item.path } == favourites && warnings.all.count == 1)
        #expect(!folder.names.contains("nightstand.db.rescued"))
    }

    /// The power went while a restored library took the place of this one.
    @Test func aRestoreThatWasInterruptedLeavesOneThatIsWhole() throws {
        do { DamageTests.fill(Library(folder)) }
        let whole = FileManager.default.bytes(folder.database)
        folder.write("nightstand.db.replaced", whole)
        var items = Library(folder, warnings).allItems().count
        #expect(items > 0 && !folder.names.contains("nightstand.db.replaced"))
        try FileManager.default.removeItem(atPath: folder.database)
        folder.write("nightstand.db.replaced", whole)
        items -= Library(folder, warnings).allItems().count
        #expect(items == 0 && warnings.all.isEmpty)
    }

    @Test func tablesOfAnotherProgramAreSetAside() throws {
        do {
            let database = try Database(path: folder.database)
            try database.execute("CREATE TABLE item(x); INSERT INTO item VALUES(1); PRAGMA user_version = 1")
        }
        let library = Library(folder, warnings)
        #expect(warnings.all.count == 1)
        #expect(folder.setAside.count == 1)
        try expectUsable(library)
    }

    @Test(arguments: FormerSchemas.versions)
    func everyEarlierVersionIsBroughtUpToDate(version: Int) throws {
        do { try FormerSchemas.make(version, Database(path: folder.database)) }
        let library = Library(folder, warnings)
        #expect(try library.database.integer("PRAGMA user_version") == Schema.version)
        #expect(warnings.all.isEmpty)
        try expectUsable(library)
    }

    @Test func twoSetAsideInOneSecondAreBothKept() throws {
        for count in 1...5 {
            folder.write("nightstand.db", Array("rubbish \(count)".utf8))
            _ = Library(folder, warnings)
            #expect(folder.setAside.count == count)
        }
        let contents = Set(
            folder.setAside.map { String(decoding: FileManager.default.bytes(folder.path + "/" + $0), as: UTF8.self) })
        #expect(contents == Set((1...5).map { "rubbish \($0)" }))
    }
}

extension Statement {
    /// The first column of the first row.
    func firstText() throws -> String? { try step() ? text(0) : nil }
}
