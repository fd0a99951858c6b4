// SPDX-License-Identifier: Apache-2.0
import CSQLite
import Core
import Foundation
import Model
import Posix
import TestSupport
import Testing

@testable import Library
@testable import SQLite

/// Listings: their order, their pages, what is asked of them.
@Suite struct PageTests {
    private let folder = TemporaryFolder()
    private let warnings = Warnings()

    @Test func listsInFolderOrderAndByPages() {
        let library = Library(folder, warnings)
        var paths: [String] = []
        for book in ["Alpha 2", "Alpha 10", "beta", "Çelik"] {
            for chapter in 1...12 { paths.append("/m/\(book)/Chapter \(chapter).mp3") }
        }
        var random = SeededGenerator(seed: 3)
        for (number, path) in paths.enumerated().shuffled(using: &random) { library.upsert(probe(number, path: path)) }
        #expect(library.allItems().map(\.path) == paths)
        for size in [1, 5, 7, 48, 100] {
            #expect(pages(library, ItemQuery(), size) == paths)
            #expect(
                pages(library, ItemQuery(isDescending: true), size) == paths.reversed())
        }
        func list(_ folder: String) -> [String] { library.allItems(ItemQuery(folder: folder)).map(\.path) }
        #expect(list("/m/Alpha 10") == Array(paths[12..<24]))
        #expect(list("/m/Alpha 10/") == Array(paths[12..<24]))
        #expect(list("/m/Alpha 1").isEmpty)
        #expect(list("/m/alpha 10").isEmpty)
        #expect(list("/").count == 48)
        #expect(library.itemIDs() == library.allItems().map(\.id))
        #expect(library.itemIDs(inFolder: "/m/beta") == library.allItems(ItemQuery(folder: "/m/beta")).map(\.id))
    }

    private func pages(_ library: Library, _ query: ItemQuery, _ size: Int) -> [String] {
        var paths: [String] = []
        var cursor: ItemCursor?
        repeat {
            let page = library.items(query, after: cursor, limit: size)
            #expect(page.items.count <= size)
            paths += page.items.map(\.path)
            cursor = page.next
        } while cursor != nil
        return paths
    }

    @Test func aFoldersContentsAreItsFoldersAndItems() {
        let library = Library(folder, warnings)
        let paths = [
            "/m/10 last.mp3", "/m/2 first/a.mp3", "/m/2 first/deep/b.mp3", "/m/2 First/c.mp3", "/m/é/d.mp3", "/m/e.mp3",
            "/m/2 first/z.mp3", "/m/book 10/x.mp3", "/m/book 9/x.mp3",
        ]
        for (number, path) in paths.enumerated() { library.upsert(probe(number, path: path)) }
        func items(_ folder: String) -> [String] {
            let query = ItemQuery(folder: folder, isRecursive: false)
            let all = library.allItems(query).map(\.path)
            for size in 1...3 { #expect(pages(library, query, size) == all) }
            return all
        }
        func folders(_ folder: String) -> [String] {
            let all = library.folders(in: folder)
            var paged: [String] = []
            var last: String?
            repeat {
                let page = library.folderPage(in: folder, after: last, limit: 1)
                paged += page.folders
                last = page.last
            } while last != nil
            #expect(paged == all)
            return all
        }
        #expect(items("/m") == ["/m/10 last.mp3", "/m/e.mp3"])
        #expect(folders("/m") == ["/m/2 First", "/m/2 first", "/m/book 9", "/m/book 10", "/m/é"])
        #expect(items("/m/2 first") == ["/m/2 first/a.mp3", "/m/2 first/z.mp3"])
        #expect(folders("/m/2 first/") == ["/m/2 first/deep"])
        #expect(items("/m/é/") == ["/m/é/d.mp3"])
        #expect(folders("/") == ["/m"])
        #expect(folders("/nowhere").isEmpty && items("/nowhere").isEmpty)
        // A folder without any present file is absent.
        library.sweep("/m/2 First")
        #expect(folders("/m") == ["/m/2 first", "/m/book 9", "/m/book 10", "/m/é"])
    }

    // MARK: Against the same in Swift

    private struct Row {
        var path, title, artist, album: String
        var modified, added: Int64
    }

    private static let words = [
        "Élan", "elan", "ÉLAN", "a", "A", "ß", "SS", "%", "_", "'", "\"", "x\0y", "москва", "МОСКВА", "1", "",
    ]

    private static func text(_ random: inout SeededGenerator) -> String {
        (0..<Int.random(in: 0...3, using: &random)).map { _ in words.randomElement(using: &random)! }
            .joined(separator: " ")
    }

    private static func filter(_ random: inout SeededGenerator, depth: Int = 0) -> ItemFilter {
        switch Int.random(in: 0...(depth < 3 ? 8 : 5), using: &random) {
        case 0...3:
            .match(
                [.tag(.title), .tag(.artist), .tag(.album), .tag(.genre), .tag(.albumArtist), .any, .file]
                    .randomElement(using: &random)!,
                ItemFilter.Comparison.allCases.randomElement(using: &random)!,
                Bool.random(using: &random) ? words.randomElement(using: &random)! : text(&random),
                foldsCase: Bool.random(using: &random))
        case 4: .base(["", "/m", "/m/a", "/m/A", "/m/a/0.mp3", "/m/a b"].randomElement(using: &random)!)
        case 5:
            Bool.random(using: &random)
                ? .modifiedSince(Int64.random(in: 0...100, using: &random))
                : .addedSince(Int64.random(in: 0...100, using: &random))
        case 6: .not(filter(&random, depth: depth + 1))
        default:
            .and((0..<Int.random(in: 0...3, using: &random)).map { _ in filter(&random, depth: depth + 1) })
        }
    }

    private static func matches(_ filter: ItemFilter, _ row: Row) -> Bool {
        switch filter {
        case .and(let terms): return terms.allSatisfy { matches($0, row) }
        case .not(let term): return !matches(term, row)
        case .base(let base): return base.isEmpty || row.path == base || row.path.hasPrefix(base + "/")
        case .modifiedSince(let seconds): return row.modified >= seconds
        case .addedSince(let seconds): return row.added >= seconds
        case .pattern, .among, .said: return false
        case .match(let column, let comparison, let text, let foldsCase):
            let texts: [String] =
                switch column {
                case .tag(.title): [row.title]
                case .tag(.artist), .tag(.albumArtist): [row.artist]
                case .tag(.album): [row.album]
                case .file: [String(row.path.dropFirst(3))]
                case .any: [row.title, row.artist, row.album].filter { !$0.isEmpty }
                case .tag: [""]
                }
            let needle = Array((foldsCase ? text.lowerCase : text).utf8)
            return texts.contains { text in
                let hay = Array((foldsCase ? text.lowerCase : text).utf8)
                return switch comparison {
                case .equals: hay == needle
                case .begins: hay.starts(with: needle)
                case .contains:
                    needle.isEmpty
                        || hay.indices.contains { hay[$0...].starts(with: needle) }
                }
            }
        }
    }

    @Test(arguments: 0..<6)
    func filtersAsPlainSwiftDoes(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let library = Library(folder, warnings)
        var rows: [Item.ID: Row] = [:]
        library.batch {
            for number in 0..<120 {
                let directory = ["/m/a", "/m/A", "/m/a b", "/m", "/m/a/c"].randomElement(using: &random)!
                var row = Row(
                    path: "\(directory)/\(number).mp3", title: PageTests.text(&random), artist: PageTests.text(&random),
                    album: PageTests.text(&random), modified: Int64.random(in: 0...100, using: &random),
                    added: Int64.random(in: 0...100, using: &random))
                let item = library.upsert(
                    Probe(
                        identity: ContentIdentity(hash: UInt64(number), audioBytes: 5), path: row.path, fileBytes: 1,
                        fileModifiedSeconds: row.modified,
                        tags: TagList([(.title, row.title), (.artist, row.artist), (.album, row.album)]),
                        durationMilliseconds: number), nowSeconds: row.added)!
                row.title = item.title
                rows[item.id] = row
            }
        }
        let order = library.allItems().map(\.id)
        for round in 0..<60 {
            let filter = PageTests.filter(&random)
            let comment: Comment = "seed \(seed) round \(round): \(filter)"
            let expected = order.filter { PageTests.matches(filter, rows[$0]!) }
            let query = ItemQuery(filter: filter, root: "/m")
            #expect(library.allItems(query).map(\.id) == expected, comment)
            let count = library.count(query)
            #expect(count.items == expected.count, comment)
            #expect(
                count.durationMilliseconds
                    == expected.reduce(0) { $0 + Int64(library.item($1)!.durationMilliseconds!) }, comment)
            // Sorted by a tag, ties in folder order.
            let sorted = expected.sorted { left, right in
                let (a, b) = (Array(rows[left]!.artist.utf8), Array(rows[right]!.artist.utf8))
                return a == b
                    ? order.firstIndex(of: left)! < order.firstIndex(of: right)! : a.lexicographicallyPrecedes(b)
            }
            var query2 = query
            query2.order = .tag(.artist)
            #expect(pages(library, query2, 7) == sorted.map { rows[$0]!.path }, comment)
            // The different values.
            let values = Set(expected.map { [rows[$0]!.album, rows[$0]!.artist] }).sorted {
                let (a, b) = ($0.map { Array($0.utf8) }, $1.map { Array($0.utf8) })
                return a[0] == b[0] ? a[1].lexicographicallyPrecedes(b[1]) : a[0].lexicographicallyPrecedes(b[0])
            }
            var paged: [[String]] = []
            var cursor: ValueCursor?
            repeat {
                let page = library.values(
                    of: .tag(.artist), groupedBy: [.tag(.album)], query, after: cursor, limit: 4)
                paged += page.rows
                cursor = page.next
            } while cursor != nil
            #expect(paged == values, comment)
        }
        #expect(warnings.all.isEmpty)
    }

    @Test func whateverIsAskedForDoesNoHarm() {
        let library = Library(folder, warnings)
        library.upsert(probe(1, title: "one two three"))
        var deep = ItemFilter.match(.tag(.title), .contains, "two", foldsCase: true)
        for _ in 0..<100 { deep = .not(.not(deep)) }
        #expect(library.allItems(ItemQuery(filter: deep)).count == 1)
        let wide = ItemFilter.and((0..<5000).map { _ in .match(.tag(.title), .contains, "one", foldsCase: true) })
        #expect(library.allItems(ItemQuery(filter: wide)).count == 1)
        let long = ItemFilter.match(.any, .contains, String(repeating: "one ", count: 100_000), foldsCase: true)
        #expect(library.allItems(ItemQuery(filter: long)).isEmpty)
        #expect(warnings.all.isEmpty)
        #expect(library.path != nil)
    }

    // MARK: What pages cost

    /// A folder with more files than may be read at once costs what may be.
    @Test func aFolderOfManyFilesIsReadInBounds() throws {
        let library = Library(stateFolder: nil) { warnings.all.append($0) }
        func fill(_ folder: String, _ count: Int) throws {
            let database = library.database
            try database.transaction { () throws(SQLiteError) in
                try Folders.row(folder, database)
                for number in 0..<count {
                    let path = "\(folder)/\(number).mp3"
                    try database.cached(
                        """
                        INSERT INTO item(content, path, pathKey, fileBytes, fileModified, title, titleKey, artist, album, duration,
                          added, isPresent) VALUES(?1, ?2, ?3, 1, ?1, ?2, x'', '', '', 1000, ?1, 1)
                        """, .integer(Int64(number) + 1), .text(path), .blob(naturalKey(path))
                    ).run()
                }
            }
        }
        try fill("/m/few", 5000)
        try fill("/m/many", 25_000)
        for (folder, files, most) in [("/m/few", 5000, 90_000), ("/m/many", 10_000, 180_000)] {
            var found = 0
            let steps = cost(library) { found = library.contents(ofFolder: folder, limit: 10_000).items.count }
            #expect(found == files && warnings.all.isEmpty)
            #expect(steps < most)
        }
    }

    /// The number of steps that SQLite takes.
    private func cost(_ library: Library, _ body: () -> Void) -> Int {
        let steps = UnsafeMutablePointer<Int>.allocate(capacity: 1)
        steps.initialize(to: 0)
        defer { steps.deallocate() }
        sqlite3_progress_handler(
            library.database.handle, 1,
            { steps in
                steps!.assumingMemoryBound(to: Int.self).pointee += 1
                return 0
            }, steps)
        body()
        sqlite3_progress_handler(library.database.handle, 0, nil, nil)
        return steps.pointee
    }

    /// 50,000 items; the cost of a page is counted in SQLite's own steps, which a busy machine does not change.
    @Test func aPageOfALargeLibraryCostsItsOwnRows() throws {
        let library = Library(stateFolder: nil) { warnings.all.append($0) }
        let database = library.database
        try database.transaction { () throws(SQLiteError) in
            for number in 0..<50_000 {
                let folder = "/m/Author \(number / 500)/Book \(number / 50)"
                let path = "\(folder)/\(number).mp3"
                if number % 50 == 0 { try Folders.row(folder, database) }
                try database.cached(
                    "INSERT INTO content(id, hash, audioBytes) VALUES(?1, ?1, 5000)", .integer(number + 1)
                ).run()
                try database.cached(
                    """
                    INSERT INTO item(content, path, pathKey, fileBytes, fileModified, title, titleKey, artist, album, duration,
                      added, isPresent) VALUES(?1, ?2, ?3, 1, ?1, ?4, x'', ?5, ?6, 1000, ?1, 1)
                    """, .integer(number + 1), .text(path), .blob(naturalKey(path)), .text("Chapter \(number)"),
                    .text("Author \(number / 500)"), .text("Book \(number / 50)")
                ).run()
                let tags = TagList([
                    (.artist, "Author \(number / 500)"), (.album, "Book \(number / 50)"),
                    (.title, "Chapter \(number)"), (.genre, "Speech"),
                ])
                try TagIndex.set(database.lastInsertedRowID, tags, database)
            }
        }
        #expect(warnings.all.isEmpty)
        func cost(_ body: () -> Void) -> Int { self.cost(library, body) }
        // Somewhere in the middle, in each order.
        for order in [ItemQuery.Order.path, .tag(.title), .tag(.artist), .tag(.album), .added, .modified] {
            let query = ItemQuery(order: order)
            var cursor = library.items(query, limit: 1).next
            for _ in 0..<20 { cursor = library.itemIDs(query, after: cursor, limit: 1200).next }
            var found = 0
            let steps = cost { found = library.items(query, after: cursor, limit: 64).items.count }
            // A page of a tag's order may be short.
            #expect(found > 30)
            #expect(steps < 12_000, "\(order)")
        }
        func expect(below most: Int, sourceLocation: SourceLocation = #_sourceLocation, _ body: () -> Void) {
            #expect(cost(body) < most, sourceLocation: sourceLocation)
        }
        expect(below: 6000) { #expect(library.folders(in: "/m").count == 100) }
        expect(below: 10_000) { #expect(library.allItems(ItemQuery(folder: "/m", isRecursive: false)).isEmpty) }
        // The menu's reads to enter a folder.
        expect(below: 16_000) { #expect(library.contents(ofFolder: "/m", limit: 10_000).folders.count == 100) }
        expect(below: 1000) {
            #expect(library.contents(ofFolder: "/m/Author 7/Book 70", limit: 10_000).items.count == 50)
        }
        let exact = ItemQuery(filter: .match(.tag(.artist), .equals, "Author 7", foldsCase: false))
        expect(below: 60_000) { #expect(library.allItems(exact).count == 500) }
        // Nothing is found, and no page looks at more than its share.
        let nothing = ItemQuery(filter: .match(.any, .contains, "zzz", foldsCase: true))
        var cursor: ItemCursor?
        var pages = 0
        repeat {
            expect(below: 10_000) { cursor = library.items(nothing, after: cursor, limit: 64).next }
            pages += 1
        } while cursor != nil
        #expect(pages == 50_000 / Library.mostExamined + 1)
        expect(below: 60_000) { _ = library.values(of: .tag(.artist), limit: 64) }
        // Counted in portions once, and not again before something changes.
        let counting = Counting(library)
        var counted: LibraryStatistics?
        while counted == nil { expect(below: 60_000) { counted = counting.next() } }
        let sums = LibraryStatistics(items: 50_000, artists: 100, albums: 1000, durationMilliseconds: 50_000_000)
        #expect(counted == sums)
        expect(below: 1) { #expect(library.counts() == sums) }
        // A place, an item: nothing grows with the library.
        expect(below: 300) { library.savePosition(40_000, milliseconds: 5) }
        expect(below: 100) { library.savePosition(40_000, milliseconds: 6) }
        expect(below: 100) { _ = library.item(40_000) }
        expect(below: 1) { #expect(library.counts() == sums) }
        expect(below: 2000) { #expect(library.takeIn(probe(90_000, path: "/m/New/1.mp3"))?.hasArrived == true) }
        expect(below: 100) {
            #expect(library.knownFile(path: "/m/New/1.mp3", fileBytes: 5000, fileModifiedSeconds: 1_700_000_000) != nil)
        }
        #expect(library.counts().items == 50_001)
        expect(below: 200) { #expect(library.itemBefore(40_000) != nil) }
        expect(below: 200) { #expect(!library.files(of: probe(90_000).identity).isEmpty) }
    }
}
