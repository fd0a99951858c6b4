import Foundation
import Model
import Testing

@testable import Library
@testable import SQLite

/// Databases that earlier releases made.
@Suite struct MigrationTests {
    private let folder = TemporaryFolder()
    private let warnings = Warnings()

    /// As the first schema's program left it: three items, one missing.
    static func makeFirst(_ path: String, queueIsLibrary: Bool) throws {
        let database = try Database(path: path)
        try database.execute("PRAGMA page_size=1024;PRAGMA journal_mode=WAL")
        try Schema.steps[0].run(database)
        try database.execute("PRAGMA user_version = 1")
        for (id, present) in [(1, 1), (2, 0), (7, 1)] {
            try database.prepare(
                """
                INSERT INTO item(id, hash, audioBytes, path, pathKey, fileBytes, fileModified, title, titleKey, artist, album,
                  duration, transcript, artwork, added, isPresent)
                VALUES(?1, ?2, ?3, ?4, ?5, 5000, 1700000000, ?6, ?7, 'Artist', 'Album', 100000, '/x.srt', 'embedded', 1234, ?8)
                """, .integer(id), .integer(Int64(bitPattern: probe(id).identity.hash)),
                .integer(probe(id).identity.audioBytes), .text("/m/Book/\(id).mp3"),
                .blob(naturalKey("/m/Book/\(id).mp3")), .text("Title \(id)"), .blob(naturalKey("Title \(id)")),
                .integer(present)
            ).run()
            try database.prepare(
                "INSERT INTO progress VALUES(?, ?, 5, ?, NULL)", .integer(id), .integer(id * 1000), .integer(id)
            ).run()
            try database.prepare("INSERT INTO itemText(rowid, title) VALUES(?, 'x')", .integer(id)).run()
        }
        try database.execute("INSERT INTO favourite VALUES(1, 7, 99), (2, 2, 100)")
        try database.prepare("INSERT INTO frameIndex VALUES(7, ?)", .blob([9, 8, 7])).run()
        // Song 4 is item 7, song 9 is item 1, and song 10 is item 7 again: differences, zigzag.
        try database.prepare("INSERT INTO queue VALUES(1, ?)", .blob([8, 14, 10, 11, 2, 12])).run()
        try database.prepare(
            "INSERT INTO speaker VALUES(1, 9, 1, 44, 11, ?)", .integer(queueIsLibrary ? 1 : 0)
        ).run()
    }

    @Test(arguments: [false, true])
    func everythingRememberedSurvives(queueIsLibrary: Bool) throws {
        try MigrationTests.makeFirst(folder.database, queueIsLibrary: queueIsLibrary)
        let library = Library(folder, warnings)
        #expect(warnings.all.isEmpty)
        #expect(folder.setAside.isEmpty)
        #expect(try library.database.integer("PRAGMA user_version") == Schema.version)
        #expect(library.allItems().map(\.id) == [1, 7])
        for id in [1, 2, 7] as [Item.ID] {
            let item = try #require(library.item(id))
            #expect(item.identity == probe(Int(id)).identity)
            #expect(item.path == "/m/Book/\(id).mp3")
            #expect(item.title == "Title \(id)")
            #expect(item.artist == "Artist" && item.album == "Album" && item.artwork == "embedded")
            #expect(item.addedSeconds == 1234)
            #expect(item.positionMilliseconds == Int(id) * 1000)
            #expect(item.playCount == Int(id))
            #expect(item.isFavourite == (id != 1))
            #expect(item.isPresent == (id != 2))
        }
        #expect(library.favourites().map(\.item.id) == [2, 7])
        #expect(library.favourites().map(\.addedSeconds) == [100, 99])
        #expect(library.seekTable(7) == [9, 8, 7])
        let state = try #require(library.restoredState)
        #expect(
            state
                == SpeakerState(
                    currentSongID: 9, currentItemID: 1, isPlaying: true, volumePercent: 44, nextSongID: 11,
                    queueIsLibrary: queueIsLibrary))
        let queue = [(4, 7), (9, 1), (10, 7)].map { QueueEntry(songID: $0.0, itemID: Int64($0.1)) }
        #expect(library.restoredQueue() == (queueIsLibrary ? [] : queue))
        #expect(library.folders(in: "/m") == ["/m/Book"])
        // The file is looked into once more, for tags that were not asked for then, and is known as before, and its audio under
        // another name as well.
        #expect(library.knownItem(path: "/m/Book/1.mp3", fileBytes: 5000, fileModifiedSeconds: 1_700_000_000) == nil)
        #expect(library.upsert(probe(1, path: "/m/Book/1.mp3"))?.id == 1)
        #expect(library.knownItem(path: "/m/Book/1.mp3", fileBytes: 5000, fileModifiedSeconds: 1_700_000_000) == 1)
        let copy = try #require(library.upsert(probe(7, path: "/m/copy.mp3")))
        #expect(copy.id != 7 && copy.contentID == 7 && copy.isFavourite && copy.positionMilliseconds == 7000)
        #expect(try library.database.prepare("PRAGMA integrity_check").firstText() == "ok")
        library.close()
        let again = Library(folder, warnings)
        #expect(again.allItems().count == 3)
        #expect(warnings.all.isEmpty)
    }

    /// An old database that is damaged is brought over as far as it can be read.
    @Test func aDamagedOneIsRescued() throws {
        try MigrationTests.makeFirst(folder.database, queueIsLibrary: false)
        var bytes = FileManager.default.bytes(folder.database)
        // The index by path has no room in it for another page.
        let key = Array("/m/Book/1.mp3".utf8)
        let places = bytes.indices.filter { bytes[$0...].starts(with: key) }
        // The leaf of an index, type 10, that has it.
        let page = try #require(places.map { $0 / 1024 * 1024 }.first { bytes[$0] == 10 })
        for at in page..<page + 1024 { bytes[at] = 0xFF }
        folder.write("nightstand.db", bytes)
        let library = Library(folder, warnings)
        #expect(warnings.all.count == 1)
        #expect(folder.setAside.count == 1)
        #expect(library.allItems().map(\.id) == [1, 7])
        #expect(library.favourites().map(\.item.id) == [2, 7])
        #expect(library.item(1)?.positionMilliseconds == 1000)
        #expect(library.restoredQueue().map(\.songID) == [4, 9, 10])
        #expect(library.folders(in: "/m") == ["/m/Book"])
    }

    /// What is said had its tables in the library's own file.
    @Test func theOldIndexOfWhatIsSaidGoes() throws {
        do {
            let database = try Database(path: folder.database)
            try database.execute("PRAGMA page_size=1024;PRAGMA journal_mode=WAL")
            for step in Schema.steps[..<7] { try step.run(database) }
            try database.execute(
                """
                PRAGMA user_version = 7;
                CREATE VIRTUAL TABLE spokenWord USING fts5(
                  words, content = '', detail = none, columnsize = 0, tokenize = 'unicode61 remove_diacritics 2');
                INSERT INTO spokenWord(rowid, words) VALUES(16, 'The red fox.');
                INSERT INTO spokenBlock(item, sentences) VALUES(1, x'0102');
                INSERT INTO spokenItem(item, code, stamp, firstBlock, lastBlock) VALUES(1, x'', 5, 1, 1)
                """)
        }
        let library = Library(folder, warnings)
        #expect(warnings.all == [])
        #expect(try library.database.integer("PRAGMA user_version") == Schema.version)
        #expect(try library.database.integer("SELECT count(*) FROM sqlite_schema WHERE name LIKE 'spoken%'") == 0)
    }
}
