// SPDX-License-Identifier: Apache-2.0
import Core
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
        try FormerSchemas.make(1, database)
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

    /// As the eighth schema's program left it: a place in each file. Book A was left in its second file, book B was finished, C was marked so by
    /// hand in its first file; x was heard last of all.
    static func makeEighth(_ path: String) throws {
        let database = try Database(path: path)
        try FormerSchemas.make(8, database)
        for (id, name) in ["A/1", "A/2", "A/3", "B/1", "B/2", "C/1", "C/2", "x/x", "y/y"].enumerated() {
            let id = id + 1
            try MigrationTests.add(id, "/m/\(name).mp3", database)
            try TagIndex.set(Int64(id), TagList([(.album, String(name.prefix(1)))]), database)
            try database.prepare(
                "INSERT INTO progress VALUES(?1, ?2, ?3, ?1, 7)", .integer(id), .integer(id == 9 ? 0 : id * 1000),
                .integer(id * 10)
            ).run()
        }
        try Folders.fill(database)
        try database.execute(
            """
            INSERT INTO heard(content) VALUES(5), (2), (6), (8);
            INSERT INTO finished(content) VALUES(5), (7), (9);
            INSERT INTO speed VALUES(0, '1.1'), (-1, 'shorter'), (-3, '30'), (-9, 'always'), (-11, 'de'), (5, '1.5');
            INSERT OR IGNORE INTO bookToDo(folder) SELECT id FROM folder
            """)
    }

    /// Adds audio, and a file of it at a path if there is one, as schemas from the second on have them.
    private static func add(_ id: Int, _ path: String?, title: String = "", _ database: Database) throws {
        try database.prepare(
            "INSERT INTO content(id, hash, audioBytes) VALUES(?, ?, ?)", .integer(id),
            .integer(Int64(bitPattern: probe(id).identity.hash)), .integer(probe(id).identity.audioBytes)
        ).run()
        guard let path else { return }
        try database.prepare(
            """
            INSERT INTO item(id, content, path, pathKey, fileBytes, fileModified, title, titleKey, artist, album, duration, added,
              isPresent) VALUES(?1, ?1, ?2, ?3, 5000, 1700000000, ?4, x'', '', '', 100000, 1234, 1)
            """, .integer(id), .text(path), .blob(naturalKey(path)), .text(title)
        ).run()
    }

    /// Garbles the index that has a path: a page of type 10, the leaf of an index.
    private func garble(_ path: String) throws {
        var bytes = FileManager.default.bytes(folder.database)
        let key = Array(path.utf8)
        let page = try #require(
            bytes.indices.filter { bytes[$0...].starts(with: key) }.map { $0 / 1024 * 1024 }.first { bytes[$0] == 10 })
        for at in page..<page + 1024 { bytes[at] = 0xFF }
        folder.write("nightstand.db", bytes)
    }

    private func expectPlaces(_ library: Library, _ comment: Comment? = nil) throws {
        func book(_ id: Item.ID) throws -> Book { try #require(library.book(of: id), comment) }
        #expect(try book(1).left == Book.Place(item: 2, path: "/m/A/2.mp3", index: 1, milliseconds: 2000), comment)
        #expect(try !book(1).isFinished && book(4).isFinished && book(6).isFinished, comment)
        #expect(try book(4).left?.index == 1 && book(6).left?.index == 0, comment)
        #expect(library.begun(limit: 9) == [8, 2], comment)
        #expect(library.item(8)?.positionMilliseconds == 8000 && library.placeSavedSeconds(8) == 80, comment)
        #expect(library.restoredSpeed().percent == 110 && library.speed(ofBookOf: 4)?.percent == 150, comment)
        #expect(library.restoredSound().shortensSilences && library.restoredLanguage == "de", comment)
        #expect(library.isFinished(9) && library.item(9)?.positionMilliseconds == 0, comment)
        #expect((1...9).allSatisfy { library.item($0)?.playCount == Int($0) }, comment)
        #expect(library.smart(.finished, limit: 9).sorted() == [4, 5, 6, 7, 9], comment)
        // A book has one row from then on.
        #expect(try library.database.integer("SELECT count(*) FROM workPlace") == 5, comment)
    }

    @Test func ofThePlacesInABookTheLastOneStays() throws {
        try MigrationTests.makeEighth(folder.database)
        let library = Library(folder, warnings)
        while library.updateBooks() {}
        #expect(warnings.all == [])
        try expectPlaces(library)
        library.close()
        try expectPlaces(Library(folder, warnings))
    }

    /// A database with a garbled schema is migrated table by table.
    @Test func ofARescuedDatabaseToo() throws {
        try MigrationTests.makeEighth(folder.database)
        try garble("/m/A/1.mp3")
        let library = Library(folder, warnings)
        #expect(warnings.all.count == 1 && folder.setAside.count == 1)
        while library.updateBooks() {}
        try expectPlaces(library)
    }

    /// As the last schema before `fact` left it: of a household, with changes that have no record yet.
    private func makeTwelfth(_ path: String, isShared: Bool) throws {
        let database = try Database(path: path)
        try FormerSchemas.make(12, database)
        func key(_ id: Int) -> String { SharedKey(probe(id).identity).words }
        for id in 1...9 {
            // No file here has the ninth.
            try MigrationTests.add(id, id == 9 ? nil : "/m/\(id)/\(id).mp3", title: "Title \(id)", database)
            if id == 9 { continue }
            try TagIndex.set(Int64(id), TagList([(.title, "Title \(id)")]), database)
        }
        try Folders.fill(database)
        try database.execute(
            """
            INSERT INTO favourite(content, added) VALUES(5, 1795000300), (2, 1795000100), (7, 1795000200), (9, 1795000000);
            INSERT INTO bookmark(content, milliseconds, words, added) VALUES(3, 61000, 'one "two"', 1795000001), (3, 5, '', 1795000002);
            INSERT INTO speed VALUES(4, '1.5');
            INSERT INTO skip VALUES(4, '30 20');
            INSERT INTO feed(address, origin, name, title, author, details, picture, entityTag, lastModified, checked, problem, added)
              VALUES('https://b.example/', 'https://a.example/', 'Feed', 'Feed', '', '', '', '', '', 0, '', 1795000003);
            INSERT INTO workPlace(file, milliseconds, isFinished, saved) VALUES(1, 4000, 0, 1795000004), (6, 7000, 1, 1795000005);
            \(isShared ? FormerSchemas.playlistTable : "")
            """)
        guard isShared else { return }
        let time = HybridTime(milliseconds: 1_795_000_400_000).rawValue
        try database.execute(
            """
            INSERT INTO household VALUES(1, 77, \(time), NULL, 0, 9, 'c');
            INSERT INTO sharedPlaylist VALUES('Evening', '["\(key(1))","\(key(9))"]', '["\(key(9))"]', 1795000006000, 1795000006, 0),
              ('Gone', NULL, '[]', 1795000006000, 1795000006, 1);
            """)
        for (revision, kind, key, value) in [
            (1, "favourite", key(2), #"{"added":1795000100}"#), (2, "favourite", key(8), #"{"added":1795000050}"#),
            (3, "place", key(1), #"{"milliseconds":4000,"saved":1795000004,"finished":0}"#),
            (4, "speed", key(4), #"{"factor":"1.25"}"#), (5, "bookmark", key(1) + "-9", nil),
        ] as [(Int, String, String, String?)] {
            try database.prepare(
                "INSERT INTO shared VALUES(?, ?, ?, ?, ?, 88, 'N')", .integer(revision), .text(kind), .text(key),
                .optional(value), .integer(time)
            ).run()
        }
        // Since the last records: the favorite of 8 was removed, that of 7 added; the speed changed; the place of 6 was saved.
        for (kind, key) in [
            ("favourite", key(8)), ("favourite", key(7)), ("speed", key(4)), ("place", key(6)),
        ] {
            try database.prepare(
                "INSERT INTO sharedChange(kind, key, changed) VALUES(?, ?, 1795000500000)", .text(kind), .text(key)
            ).run()
        }
    }

    private func expectFacts(_ library: Library, isShared: Bool, _ comment: Comment? = nil) throws {
        #expect(library.favourites().map(\.item.id) == [7, 2, 5], comment)
        #expect(library.favourites().map(\.addedSeconds) == [1_795_000_200, 1_795_000_100, 1_795_000_300], comment)
        #expect(!library.isFavourite(8) && library.favouriteCount == 4, comment)
        #expect(library.bookmarks().map(\.words) == ["", "one \"two\""], comment)
        #expect(library.bookmarks().map(\.milliseconds) == [5, 61_000], comment)
        #expect(library.speed(ofBookOf: 4)?.percent == 150, comment)
        #expect(library.skippedEnds(ofBookOf: 4) == SkippedEnds(start: 30, end: 20), comment)
        #expect(library.isFinished(6) && library.item(1)?.positionMilliseconds == 4000, comment)
        // Audio that no file has yet keeps its favorite.
        _ = library.upsert(probe(9, path: "/m/9/9.mp3"))
        #expect(library.favourites().count == 4, comment)
        guard isShared else {
            #expect(library.household() == nil, comment)
            return
        }
        // Another device comes to the same.
        let other = Library(stateFolder: nil) { Issue.record("\($0)") }
        for id in 1...9 { _ = other.upsert(probe(id)) }
        #expect(other.joinHousehold(), comment)
        #expect(library.household()?.device == 77, comment)
        while library.takeChanges(limit: 3) {}
        for line in library.journal(since: 0, limit: 500) {
            let record = try #require(other.record(line.record), comment)
            if record.kind != .place || record.key.hasPrefix(SharedKey(probe(6).identity).words) {
                #expect(other.merge(record) != .refused, comment)
            }
        }
        let ids = { (library: Library) in
            library.favourites().map(\.item.identity.hash).sorted()
        }
        #expect(ids(other) == ids(library), comment)
        #expect(other.speed(ofBookOf: 4)?.percent == 150 && other.feeds().map(\.title) == ["Feed"], comment)
        #expect(other.isFinished(6), comment)
        #expect(library.sharedPlaylist("Evening") != nil, comment)
        #expect(library.duePlaylist(after: "F")?.lines == nil, comment)
    }

    @Test(arguments: [false, true]) func whatPeopleSaidBecomesOneTable(isShared: Bool) throws {
        try makeTwelfth(folder.database, isShared: isShared)
        let library = Library(folder, warnings)
        #expect(warnings.all == [])
        try expectFacts(library, isShared: isShared)
        library.close()
    }

    /// The power went before the log was moved into the file. The new file never finds the old one's log.
    @Test func anEarlierOneWithALogIsTakenOverWhole() throws {
        do {
            let database = try Database(path: folder.database)
            database.keepsLogWhenClosed = true
            try FormerSchemas.make(12, database)
            try MigrationTests.add(1, "/m/1.mp3", title: "Title 1", database)
            try database.execute("INSERT INTO favourite(content, added) VALUES(1, 5)")
        }
        #expect(!FileManager.default.bytes(folder.database + "-wal").isEmpty)
        let library = Library(folder, warnings)
        #expect(warnings.all == [] && folder.setAside.isEmpty)
        #expect(library.favourites().map(\.item.id) == [1])
        #expect(try library.database.prepare("PRAGMA integrity_check").firstText() == "ok")
        library.close()
        let before = try Database(path: folder.database + ".before-\(Schema.version)")
        #expect(try before.integer("PRAGMA user_version") == 12)
        #expect(try before.integer("SELECT count(*) FROM favourite") == 1)
    }

    /// A database with a garbled schema is migrated table by table.
    @Test(arguments: [false, true]) func ofARescuedDatabaseItIsTaken(isShared: Bool) throws {
        try makeTwelfth(folder.database, isShared: isShared)
        try garble("/m/1/1.mp3")
        let library = Library(folder, warnings)
        #expect(warnings.all.count == 1 && folder.setAside.count == 1)
        try expectFacts(library, isShared: isShared)
    }

    /// A row of audio that is lost has its identity in the keys of what was said of it.
    @Test func lostIdentitiesStandInTheFacts() throws {
        let library = Library(folder, warnings)
        for id in 1...3 { _ = library.upsert(probe(id)) }
        #expect(library.addFavourite(2) == .added)
        #expect(library.addBookmark(3, milliseconds: 61_000, words: "w") == .added)
        try library.database.execute("DELETE FROM content WHERE id > 1")
        library.close()
        try garble("/nowhere/books/1/")
        let rescued = Library(folder, warnings)
        #expect(folder.setAside.count == 1)
        #expect(rescued.favourites().map(\.item.identity) == [probe(2).identity])
        #expect(rescued.bookmarks().map(\.milliseconds) == [61_000])
    }
}
