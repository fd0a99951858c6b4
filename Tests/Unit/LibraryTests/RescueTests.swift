// SPDX-License-Identifier: Apache-2.0
import CPosix
import Foundation
import Media
import Model
import Posix
import TestSupport
import Testing

@testable import Library
@testable import SQLite

/// Rescues from a database that has lost a part, or that a person removed.
@Suite struct RescueTests {
    private let folder = TemporaryFolder()
    private let warnings = Warnings()

    private func fill(_ library: Library, items: Int = 60) {
        library.batch {
            for number in 1...items {
                let path = "/m/Book \(number % 4)/\(number)/\(number).mp3"
                let id = library.upsert(probe(number, path: path, title: "Title \(number)", artist: "Artist"))!.id
                library.savePosition(id, milliseconds: number * 1000)
                if number % 5 == 0 { _ = library.addFavourite(id, nowSeconds: 1_750_000_000) }
            }
            library.saveQueue(.replace((1...items).map { QueueEntry(songID: $0, itemID: Int64($0)) }))
            library.save(SpeakerState(currentSongID: 7, isPlaying: true, volumePercent: 44, nextSongID: items + 1))
        }
    }

    private func expectAll(_ library: Library, _ comment: Comment? = nil, items count: Int = 60) {
        let items = library.allItems()
        #expect(items.count == count, comment)
        for item in items {
            #expect(item.identity == probe(Int(item.id)).identity, comment)
            #expect(item.title == "Title \(item.id)", comment)
            #expect(item.positionMilliseconds == Int(item.id) * 1000, comment)
            #expect(item.isFavourite == (item.id % 5 == 0), comment)
        }
        #expect(library.folders(in: "/m").count == 4, comment)
    }

    /// The places are in pages of their own: a page of the schema is not what they hang on.
    @Test func aGarbledPageOfTheSchemaLosesNothing() throws {
        do { fill(Library(folder)) }
        let whole = FileManager.default.bytes(folder.database)
        let kept = FileManager.default.bytes(folder.database + ".schema")
        var pages: [Int] = [0]
        let create = Array("CREATE ".utf8)
        for page in 1..<whole.count / 1024 {
            let bytes = whole[page * 1024..<page * 1024 + 1024]
            if bytes.indices.contains(where: { bytes[$0...].starts(with: create) }) { pages.append(page) }
        }
        #expect(pages.count >= 4)
        for page in pages {
            try? FileManager.default.removeItem(atPath: folder.path)
            var bytes = whole
            for at in page * 1024..<page * 1024 + 1024 { bytes[at] = UInt8(truncatingIfNeeded: at &* 31 &+ at >> 3) }
            folder.write("nightstand.db", bytes)
            folder.write("nightstand.db.schema", kept)
            warnings.all = []
            let library = Library(folder, warnings)
            #expect(warnings.all.count == 1, "page \(page)")
            expectAll(library, "page \(page)")
            #expect(library.restoredQueue().map(\.songID) == Array(1...60), "page \(page)")
            #expect(library.restoredState?.volumePercent == 44, "page \(page)")
            library.close()
            expectAll(Library(folder, warnings), "page \(page), again")
        }
    }

    /// A rescue in use may take longer than the service's watchdog waits: it says all the time that it works.
    @Test func aRescueSaysThatItWorks() throws {
        let path = folder.path + "/notify"
        let socket = FileDescriptor(owning: CPosix.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0))
        #expect(try UnixAddress.with(path) { CPosix.bind(socket.number, $0, $1) } == 0)
        setenv("NOTIFY_SOCKET", path, 1)
        defer { unsetenv("NOTIFY_SOCKET") }
        do { fill(Library(folder), items: 1000) }
        var bytes = FileManager.default.bytes(folder.database)
        for at in 0..<1024 { bytes[at] = 0xFF }
        folder.write("nightstand.db", bytes)
        let library = Library(folder, warnings)
        #expect(warnings.all.count == 1 && library.allItems().count == 1000)
        var signs = 0
        var buffer = [UInt8](repeating: 0, count: 64)
        while true {
            let count = recv(socket.number, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            if count <= 0 { break }
            if buffer[..<count].elementsEqual("WATCHDOG=1".utf8) { signs += 1 }
        }
        // More than fits into a socket without a reader.
        #expect(signs >= 10)
    }

    /// One index is garbled: chapters, covers and a household's playlists are as they were.
    @Test func chaptersAndCoversAreRescued() throws {
        do {
            let library = Library(folder)
            fill(library)
            for item in library.allItems() {
                library.setChapters(
                    of: item.id,
                    [Chapter(startMilliseconds: 0, title: "One"), Chapter(startMilliseconds: 500, title: "Two")])
                var probe = probe(Int(item.id), path: item.path, title: item.title, artist: "Artist")
                probe.cover = Cover(hash: UInt64(item.id % 7), byteCount: 99)
                probe.chapters = library.chapters(of: item.id)
                _ = library.upsert(probe)
            }
            #expect(library.joinHousehold())
            _ = library.note(playlist: "Evening", ["https://h/1"], modifiedSeconds: 5)
            library.close()
        }
        let before = Library(folder)
        let covers = before.allItems().map { before.cover(of: $0.id) }
        before.close()
        // The first page of an index: the schema says which.
        func asked(_ question: String) throws -> Int64 {
            try #require(try Database(path: folder.database).integer(question))
        }
        let root = try asked("SELECT rootpage FROM sqlite_schema WHERE name = 'itemOrder'")
        let size = try asked("PRAGMA page_size")
        var bytes = FileManager.default.bytes(folder.database)
        for at in Int((root - 1) * size)..<Int(root * size) { bytes[at] = 0xA5 }
        folder.write("nightstand.db", bytes)
        let library = Library(folder, warnings)
        expectAll(library)
        for (item, cover) in zip(library.allItems(), covers) {
            #expect(library.chapters(of: item.id).map { $0.title } == ["One", "Two"])
            #expect(library.cover(of: item.id) == cover && cover != nil)
        }
        #expect(library.sharedPlaylist("Evening") != nil)
    }

    /// The log that was not folded in yet counts as well.
    @Test func theLogOfADatabaseWithoutSchemaCounts() throws {
        let library = Library(folder)
        fill(library)
        library.settle()
        library.savePosition(1, milliseconds: 123_456)
        library.writeLog()
        var bytes = FileManager.default.bytes(folder.database)
        let log = FileManager.default.bytes(folder.database + "-wal")
        library.close()
        for at in 0..<1024 { bytes[at] = 0xEE }
        folder.write("nightstand.db", bytes)
        folder.write("nightstand.db-wal", log)
        #expect(Library(folder, warnings).item(1)?.positionMilliseconds == 123_456)
    }

    /// The kept schema may itself be damaged, belong to another database, or be gone: then only rows are lost.
    @Test(arguments: 1...3 as ClosedRange<UInt64>)
    func whateverWasKeptOfTheSchemaTheSpeakerWorks(seed: UInt64) throws {
        do { fill(Library(folder)) }
        var damaged = FileManager.default.bytes(folder.database)
        for at in 0..<1024 { damaged[at] = 0xEE }
        let kept = FileManager.default.bytes(folder.database + ".schema")
        #expect(kept.count > 1024)
        var dice = SeededGenerator(seed: seed)
        var rescued = 0
        for round in 0..<12 {
            try? FileManager.default.removeItem(atPath: folder.path)
            var database = damaged
            var bytes = kept
            switch round % 4 {
            case 0:
                for _ in 0..<Int.random(in: 1...20, using: &dice) {
                    bytes[Int.random(in: 0..<bytes.count, using: &dice)] = UInt8.random(in: 0...255, using: &dice)
                }
            case 1: bytes = Array(bytes.prefix(Int.random(in: 0..<bytes.count, using: &dice)))
            case 2:
                let root = Int.random(in: -3...3000, using: &dice)
                bytes = whole(of: "CREATE TABLE place AS SELECT 'item' AS name, \(root) AS rootpage, 'x' AS sql")
            // Numbers on the pages stand at their front: cells, offsets, the next page.
            default:
                for _ in 0..<Int.random(in: 1...200, using: &dice) {
                    let at = Int.random(in: 1024..<database.count, using: &dice)
                    database[at / 1024 * 1024 + at % 24] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &dice)!
                }
            }
            folder.write("nightstand.db", database)
            folder.write("nightstand.db.schema", bytes)
            let library = Library(folder, warnings)
            rescued += library.allItems().count
            let added = library.upsert(probe(900, path: "/m/new.mp3", title: "New"))!.id
            library.savePosition(added, milliseconds: 900_000)
            #expect(library.addFavourite(added) == .added, "seed \(seed), round \(round)")
            library.close()
            let again = Library(folder, warnings)
            let item = again.allItems().first { $0.path == "/m/new.mp3" }
            #expect(item?.isFavourite == true && item?.positionMilliseconds == 900_000, "seed \(seed), round \(round)")
        }
        #expect(rescued > 0)
    }

    private func whole(of statement: String) -> [UInt8] {
        let path = folder.path + "/made.db"
        try? FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        do { try? Database(path: path).execute(statement) }
        defer { try? FileManager.default.removeItem(atPath: path) }
        return FileManager.default.bytes(path)
    }

    /// After a restore, another database has the name, and its tables are elsewhere.
    @Test func whatIsKeptIsOfTheDatabaseThatIsThere() throws {
        do { fill(Library(folder)) }
        let ours = FileManager.default.bytes(folder.database + ".schema")
        // Tables in the order in which an older version made them.
        let other = folder.path + "/other.db"
        do {
            let database = try Database(path: other)
            try database.execute("PRAGMA page_size=1024;CREATE TABLE first(a);INSERT INTO first VALUES(zeroblob(9000))")
            try Schema.make(database)
        }
        let library = Library(folder, warnings)
        library.settle()
        #expect(library.canTakeUp)
        #expect(library.takeUp(other) == nil)
        #expect(FileManager.default.bytes(folder.database + ".schema") != ours)
        fill(library)
        library.close()
        var damaged = FileManager.default.bytes(folder.database)
        for at in 0..<1024 { damaged[at] = 0xEE }
        folder.write("nightstand.db", damaged)
        expectAll(Library(folder, warnings))
    }

    @Test func aDatabaseOfAnySizeIsRescuedAtTheSameCostARow() throws {
        expectLinear(smallBytes: 128 << 10) { bytes in
            try? FileManager.default.removeItem(atPath: folder.path)
            do { fill(Library(folder), items: bytes / 700) }
            var database = FileManager.default.bytes(folder.database)
            for at in 0..<1024 { database[at] = 0xEE }
            return database
        } work: { bytes in
            let path = folder.write("old.db", bytes)
            let database = Opening.inMemory().database
            Rescue(database).salvage(path, kept: folder.database + ".schema")
            let rescued = (try? database.integer("SELECT count(*) FROM item")) ?? -1
            #expect(rescued > Int64(bytes.count) / 2500)
        }
    }

    private func work(_ library: Library) {
        while let job = library.logJob() {
            job.run()
            library.finish(job)
        }
    }

    /// A person deletes the files while the speaker runs: it says so, and writes everything again.
    @Test(arguments: [true, false])
    func aRemovedDatabaseIsWrittenAgain(withItsFolder: Bool) throws {
        let library = Library(folder, warnings)
        fill(library)
        work(library)
        try FileManager.default.removeItem(atPath: withItsFolder ? folder.path : folder.database)
        #expect(library.addFavourite(1) == .added)
        library.removeFavourite(1)
        library.savePosition(3, milliseconds: 3000)
        work(library)
        #expect(warnings.all.count == 1)
        #expect(warnings.all.first?.contains("removed while in use") == true)
        #expect(library.path == folder.database)
        #expect(library.trouble == nil)
        expectAll(library)
        library.savePosition(4, milliseconds: 4000)
        work(library)
        library.close()
        let again = Library(folder, warnings)
        expectAll(again)
        #expect(again.restoredState?.volumePercent == 44)
        #expect(warnings.all.count == 1)
    }

    /// The content of an emptied file is gone, except what the speaker knows: it says so, and writes that again.
    @Test func anEmptiedDatabaseIsNoticed() throws {
        let library = Library(folder, warnings)
        library.wholeQueue = { [QueueEntry(songID: 7, itemID: 7)] }
        fill(library)
        library.settle()
        truncate(folder.database, 0)
        _ = library.addFavourite(1)
        work(library)
        #expect(warnings.all.count == 1)
        #expect(warnings.all.first?.contains("it was set aside") == true)
        #expect(library.needsScan)
        // Its files are found again, and what is done from here on is kept.
        fill(library)
        work(library)
        library.close()
        let again = Library(folder, warnings)
        expectAll(again)
        #expect(again.restoredState?.volumePercent == 44)
    }

    // MARK: Forgetting

    /// A disk that was taken away for good: no turn of the loop has much of it to do.
    @Test func manyFilesAreForgottenAFewAtATime() throws {
        let library = Library(folder, warnings)
        library.batch {
            for number in 1...450 { library.upsert(probe(number, path: "/m/\(number)/a.mp3")) }
            library.upsert(probe(451, path: "/m/kept/a.mp3"))
        }
        library.sweep(found: [451], nowSeconds: 1_800_000_000)
        // Rows of folders in which nothing is are looked at a few at a time as well.
        var folders: [String] = []
        var pages = 0
        var last: String?
        repeat {
            let page = library.folderPage(in: "/m", after: last, limit: 20, mostRows: 100)
            folders += page.folders
            last = page.last
            pages += 1
        } while last != nil
        #expect(folders == ["/m/kept"] && pages == 5)
        var counts: [Int] = []
        repeat { counts.append(library.forget(goneSince: 1_800_000_001)) } while counts.last != 0
        #expect(counts == Array(repeating: Library.mostForgottenAtOnce, count: 18) + [0])
        let left = try library.database.integer("SELECT count(*) FROM folder WHERE path LIKE '/m/%'")
        #expect(left == 1)
    }

    @Test func filesGoneForLongAreForgotten() throws {
        let library = Library(folder, warnings)
        fill(library)
        let now: Int64 = 1_800_000_000
        // All but the first ten are gone; 31 to 60 since longer.
        for (keep, when) in [(1...30, now - 1000), (1...10, now)] {
            library.sweep(found: Set(keep.map { Item.ID($0) }), nowSeconds: when)
        }
        // A copy of one of them is there.
        let copy = try #require(library.item(10))
        #expect(library.allItems().count == 10)
        library.saveSeekTable(33, [1], durationMilliseconds: 5)
        // Favourites stay: a person said so. The last ids stay, so that none is given again.
        #expect(library.forget(goneSince: now - 500) == 30 - 6)
        #expect(library.forget(goneSince: now - 500) == 0)
        #expect(library.item(33) == nil)
        #expect(library.seekTable(33) == nil)
        #expect(library.item(35)?.isFavourite == true)
        #expect(library.item(20)?.positionMilliseconds == 20_000)
        #expect(!library.restoredQueue().contains { $0.itemID == 33 })
        #expect(library.item(copy.id)?.positionMilliseconds == 10_000)
        #expect(library.forget(goneSince: now + 1) == 20 - 4)
        #expect(library.allItems().count == 10)
        let new = try #require(library.upsert(probe(900)))
        #expect(new.id > 60 && new.contentID > 60)
        #expect(new.positionMilliseconds == 0)
        #expect(try library.database.integer("SELECT count(*) FROM content") == 10 + 12 - 2 + 1)
        #expect(warnings.all.isEmpty)
    }
}
