import Foundation
import Model
import TestSupport
import Testing

@testable import Library
@testable import SQLite

/// What is saved from a database of which a part is lost, or that somebody took away.
@Suite struct RescueTests {
    private let folder = TemporaryFolder()
    private let warnings = Warnings()

    private func fill(_ library: Library, items: Int = 60) {
        library.batch {
            for number in 1...items {
                let path = "/m/Book \(number % 4)/\(number).mp3"
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

    // MARK: What it costs

    /// Takes over what the pages of a database say, whose schema nobody can read.
    private func rescue(_ bytes: [UInt8]) -> Int64 {
        try? FileManager.default.removeItem(atPath: folder.path)
        let path = folder.write("old.db", bytes)
        let database = Opening.inMemory().database
        RescuedPages(path).insert(into: database)
        return (try? database.integer("SELECT count(*) FROM item")) ?? -1
    }

    /// Pages of rows that all seem to lie in one place and to go on over all other pages.
    private func entangled(_ bytes: Int) -> [UInt8] {
        let count = bytes / 1024
        var file: [UInt8] = []
        for number in 1...count {
            var page = [UInt8](repeating: 0x01, count: 1024)
            let next = number / 2 * 2 % count + 2
            page.replaceSubrange(0..<4, with: [0, 0, UInt8(next >> 8), UInt8(next & 0xFF)])
            if number % 2 == 1 {
                // A leaf of 200 cells, each a row of 900,000 bytes at 450, of which 360 are here. It goes on at the second page.
                page.replaceSubrange(0..<8, with: [0x0D, 0, 0, 0, 200, 0, 0, 0])
                for cell in 0..<200 { page.replaceSubrange(8 + 2 * cell..<10 + 2 * cell, with: [1, 194]) }
                page.replaceSubrange(450..<454, with: [0xB6, 0xF7, 0x20, 5])
                page.replaceSubrange(814..<818, with: [0, 0, 0, 2])
            }
            file += page
        }
        file.replaceSubrange(16..<18, with: [4, 0])
        return file
    }

    @Test func entangledPagesCostNoMoreThanTheyAre() {
        expectLinear(smallBytes: 64 << 10) {
            entangled($0)
        } work: {
            #expect(rescue($0) == 0)
        }
    }

    @Test func aDatabaseOfAnySizeIsRescuedAtTheSameCostARow() throws {
        expectLinear(smallBytes: 128 << 10) { bytes in
            try? FileManager.default.removeItem(atPath: folder.path)
            do { fill(Library(folder), items: bytes / 700) }
            return FileManager.default.bytes(folder.database)
        } work: {
            #expect(rescue($0) > Int64($0.count) / 2500)
        }
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func whateverIsOnThePagesCostsWhatItIs(seed: UInt64) throws {
        do { fill(Library(folder)) }
        let whole = FileManager.default.bytes(folder.database)
        var dice = SeededGenerator(seed: seed)
        var rescued: Int64 = 0
        for round in 0..<40 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...200, using: &dice) {
                let at = Int.random(in: 0..<bytes.count, using: &dice)
                switch Int.random(in: 0..<4, using: &dice) {
                case 0: bytes[at] = UInt8.random(in: 0...255, using: &dice)
                case 1: bytes[at / 1024 * 1024] = 0x0D
                // Numbers of cells, offsets and lengths stand at the front.
                case 2: bytes[at / 1024 * 1024 + at % 24] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &dice)!
                default:
                    let from = Int.random(in: 0..<bytes.count - 64, using: &dice)
                    let to = min(at, bytes.count - 64)
                    for offset in 0..<64 { bytes[to + offset] = whole[from + offset] }
                }
            }
            rescued += expectCost(
                CostBound(fixedMilliseconds: 1000, fixedBytes: 2 << 20, bytesPerByte: 16), inputBytes: bytes.count,
                "seed \(seed), round \(round)"
            ) { rescue(bytes) }
        }
        #expect(rescued > 0)
    }

    private func work(_ library: Library) {
        while let job = library.logJob() {
            job.run()
            library.finish(job)
        }
    }

    /// Somebody cleans up while the speaker runs: it says so, and writes everything again.
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

    /// What an emptied file held is gone but for what is known here: that is said, and written again.
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
        #expect(counts == [100, 100, 100, 100, 50, 0])
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
