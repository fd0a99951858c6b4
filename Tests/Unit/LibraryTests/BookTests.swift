// SPDX-License-Identifier: Apache-2.0
import Core
import Media
import Model
import TestSupport
import Testing

@testable import Library

@Suite struct BookTests {
    let folder = TemporaryFolder()
    let warnings = Warnings()

    @discardableResult
    private func add(
        _ library: Library, _ path: String, _ number: Int, _ tags: [(Core.Tag, String)] = [], chapters: [Chapter] = [],
        cover: Cover? = nil
    ) -> Item.ID {
        var found = probe(number, path: path)
        found.tags = TagList(tags)
        found.chapters = chapters
        found.cover = cover
        return library.upsert(found)!.id
    }

    private func names(_ library: Library, _ book: Book?) -> [String] {
        guard let book else { return [] }
        return library.items(library.items(of: book.id)).map { String($0.path.split(separator: "/").last!) }
    }

    @Test func aFolderIsABookInNaturalOrder() throws {
        let library = Library(folder, warnings)
        library.root = "/m"
        let ten = add(library, "/m/Dune/Part 10.mp3", 10, [(.album, "Dune"), (.artist, "Frank Herbert")])
        let two = add(
            library, "/m/Dune/Part 2.mp3", 2, [(.series, "Dune Saga"), (.seriesPart, "1"), (.date, "1965-08")])
        let loose = add(library, "/m/Part 3.mp3", 3)
        let book = try #require(library.book(of: ten))
        #expect(library.items(of: book.id) == [two, ten])
        #expect(book.title == "Dune" && book.author == "Frank Herbert" && book.series == "Dune Saga")
        #expect(book.seriesPart == "1" && book.year == "1965" && book.path == "/m/Dune")
        #expect(book.itemCount == 2 && book.firstItem == two && book.durationMilliseconds == 200_000)
        #expect(book.left == nil && !book.isFinished)
        // Files that lie in the library's folder itself are no book.
        #expect(library.book(of: loose) == nil)
        #expect(library.areOneBook(two, ten) && !library.areOneBook(two, loose) && !library.areOneBook(two, two))
        // One more comes, and one goes.
        let one = add(library, "/m/Dune/Part 1.mp3", 1)
        #expect(library.book(of: ten).map { library.items(of: $0.id) } == [one, two, ten])
        library.markMissing(two)
        #expect(library.book(of: ten).map { library.items(of: $0.id) } == [one, ten])
        #expect(library.book(of: ten)?.id == book.id)
        #expect(warnings.all.isEmpty)
    }

    @Test func discsAndTracksOrderWhereAllHaveThem() {
        let library = Library(folder, warnings)
        let a = add(library, "/m/B/a.mp3", 1, [(.track, "2/3"), (.disc, "1")])
        add(library, "/m/B/b.mp3", 2, [(.track, "1"), (.disc, "2/2")])
        let c = add(library, "/m/B/c.mp3", 3, [(.track, "1"), (.disc, "1")])
        #expect(names(library, library.book(of: a)) == ["c.mp3", "a.mp3", "b.mp3"])
        // Two of the same place: the names decide.
        add(library, "/m/B/c.mp3", 3, [(.track, "2"), (.disc, "1")])
        #expect(names(library, library.book(of: c)) == ["a.mp3", "b.mp3", "c.mp3"])
        // Discs in folders of their own.
        let first = add(library, "/m/D/CD 1/2.mp3", 11, [(.album, "D (Disc 1)"), (.track, "2")])
        add(library, "/m/D/CD 1/1.mp3", 12, [(.album, "D (Disc 1)"), (.track, "1")])
        add(library, "/m/D/Disc 2/x.mp3", 13, [(.album, "D (Disc 2)"), (.track, "1")])
        let book = library.book(of: first)
        #expect(book?.path == "/m/D")
        #expect(names(library, book) == ["1.mp3", "2.mp3", "x.mp3"])
    }

    /// The library's order, which lists, queue and the scans go by.
    private func order(_ library: Library) -> [String] {
        library.presentItems(in: nil, after: nil, limit: 100).items.map { $0.path }
    }

    @Test func aBookStandsInItsOwnOrderInTheLibrary() {
        let library = Library(folder, warnings)
        library.root = "/m"
        func tags(_ track: String) -> [(Core.Tag, String)] { [(.track, track), (.album, "B")] }
        let end = add(library, "/m/B/Beginning of the end.mp3", 1, tags("3/3"))
        let one = add(library, "/m/B/The first.mp3", 2, tags("1"))
        let two = add(library, "/m/B/Chapter 2.mp3", 3, tags("2"))
        let before = add(library, "/m/A/x.mp3", 4)
        let after = add(library, "/m/B2/y.mp3", 5)
        #expect(
            order(library).map { String($0.split(separator: "/").last!) } == [
                "x.mp3", "Beginning of the end.mp3", "Chapter 2.mp3", "The first.mp3", "y.mp3",
            ])
        while library.updateBooks() {}
        #expect(library.takeRearranged() == [one, two, end])
        #expect(library.takeRearranged().isEmpty)
        func ids() -> [Item.ID] { library.presentItems(in: nil, after: nil, limit: 100).items.map { $0.id } }
        #expect(ids() == [before, one, two, end, after])
        #expect(library.presentItems(in: "/m/B", after: nil, limit: 100).items.map { $0.id } == [one, two, end])
        #expect(library.itemBefore(end) == two)
        // A file that is written anew goes back into its place, and where the tags go, the names decide.
        add(library, "/m/B/The first.mp3", 12, tags("1/3"))
        while library.updateBooks() {}
        #expect(
            order(library).filter { $0.hasPrefix("/m/B/") }.map { String($0.split(separator: "/").last!) } == [
                "The first.mp3", "Chapter 2.mp3", "Beginning of the end.mp3",
            ])
        add(library, "/m/B/Chapter 2.mp3", 13, [(.album, "B")])
        while library.updateBooks() {}
        #expect(
            order(library).filter { $0.hasPrefix("/m/B/") }.map { String($0.split(separator: "/").last!) } == [
                "Beginning of the end.mp3", "Chapter 2.mp3", "The first.mp3",
            ])
        #expect(warnings.all.isEmpty)
    }

    @Test func whatIsNoBookOrOneFileOnly() {
        let library = Library(folder, warnings)
        let chapters = [Chapter(startMilliseconds: 0, title: "One"), Chapter(startMilliseconds: 5000, title: "Ünd")]
        let single = add(library, "/m/S/1.mp3", 1, [(.album, "A")])
        let whole = add(library, "/m/S/2.mp3", 2, [(.album, "B"), (.artist, "X")], chapters: chapters)
        #expect(library.book(of: single) == nil)
        #expect(library.book(of: whole)?.title == "B")
        #expect(library.book(of: whole)?.path == "/m/S/2.mp3")
        #expect(library.chapters(of: whole) == chapters && library.chapters(of: single).isEmpty)
        add(library, "/m/S/2.mp3", 2, [(.album, "B")])
        #expect(library.chapters(of: whole).isEmpty && library.book(of: whole) == nil)
        // Several without an album, each with chapters: each is one.
        let left = add(library, "/m/T/1.mp3", 21, [(.title, "L")], chapters: chapters)
        let right = add(library, "/m/T/2.mp3", 22, [(.title, "R")], chapters: chapters)
        #expect(library.book(of: left)?.title == "L" && library.book(of: right)?.title == "R")
        for name in ["CD 1", "cd01", "Disc-2", "DISK_3", "disc.4"] { #expect(BookMaking.disc(name) != nil) }
        for name in ["CD", "CDs", "Disc one", "Disco 2", "cd 1234", "", "2"] { #expect(BookMaking.disc(name) == nil) }
        #expect(BookMaking.albumKey("Dune, CD 2") == BookMaking.albumKey("dune [Disc 1]"))
        #expect(BookMaking.albumKey("Blake's 7") != BookMaking.albumKey("Blake's 8"))
    }

    /// Novels of one file each are books, in the library's own folder and side by side in another; parts of one thing are one.
    @Test func novelsOfOneFileEach() {
        let library = Library(folder, warnings)
        library.root = "/m"
        func add(_ path: String, _ number: Int, minutes: Int, _ tags: [(Core.Tag, String)] = []) -> Item.ID {
            var found = probe(number, path: path)
            found.tags = TagList(tags)
            found.durationMilliseconds = minutes * 60_000
            return library.upsert(found)!.id
        }
        let emma = add("/m/emma.mp3", 1, minutes: 900, [(.title, "Emma")])
        let song = add("/m/song.mp3", 2, minutes: 4)
        let short = add("/m/short.m4b", 3, minutes: 5)
        #expect(library.book(of: emma)?.title == "Emma" && library.book(of: emma)?.path == "/m/emma.mp3")
        #expect(library.book(of: song) == nil && library.book(of: short)?.title == "short")
        #expect(!library.sharesPlace(emma))
        let novels = [add("/m/N/Dracula.mp3", 11, minutes: 700), add("/m/N/The Monk.mp3", 12, minutes: 800)]
        #expect(novels.map { library.book(of: $0)?.title } == ["Dracula", "The Monk"])
        for (first, second) in [
            ("1 Storm", "2 Calm"), ("Ulysses, Telemachus", "Ulysses, Nestor"), ("Part 9", "Part 10"),
        ] {
            let one = add("/m/\(first)/\(first).mp3", first.utf8.count + 100, minutes: 60)
            let two = add("/m/\(first)/\(second).mp3", second.utf8.count + 200, minutes: 60)
            #expect(library.areOneBook(one, two), "\(first)")
        }
        // Short files are one book under any names, and so are files that name an album.
        let tales = [add("/m/T/Wolf.mp3", 31, minutes: 10), add("/m/T/Fox.mp3", 32, minutes: 20)]
        #expect(library.areOneBook(tales[0], tales[1]))
        let named = [("Wolf", 41), ("Fox", 42)].map { add("/m/A/\($0).mp3", $1, minutes: 60, [(.album, "Tales")]) }
        #expect(library.areOneBook(named[0], named[1]))
    }

    @Test func chaptersAreKeptAndGarbledOnesDoNoHarm() {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<200 {
            var start = 0
            let chapters = (0..<Int.random(in: 0...20, using: &random)).map { number in
                start += Int.random(in: 0...5_000_000, using: &random)
                return Chapter(startMilliseconds: start, title: String(repeating: "é", count: number * 9))
            }
            var bytes = ChapterBytes.bytes(chapters)
            #expect(ChapterBytes.chapters(bytes) == chapters)
            for _ in 0..<5 where !bytes.isEmpty {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            _ = ChapterBytes.chapters(bytes)
        }
        #expect(ChapterBytes.chapters([UInt8](repeating: 0xFF, count: 100)).isEmpty)
    }

    @Test func aPictureIsKnownByWhatItHolds() {
        let library = Library(folder, warnings)
        let cover = Cover(hash: 0xFEDC_BA98_7654_3210, byteCount: 5000)
        let one = add(library, "/m/S/1.mp3", 1, cover: cover)
        let two = add(library, "/m/S/2.mp3", 2, cover: cover)
        #expect(library.cover(of: one) == cover && library.cover(of: two) == cover)
        add(library, "/m/S/2.mp3", 2)
        #expect(library.cover(of: two) == nil && library.cover(of: one) == cover)
    }

    @Test func whereABookWasLeftAndThatItIsFinished() throws {
        let library = Library(folder, warnings)
        let ids = (1...3).map { add(library, "/m/B/\($0).mp3", $0, [(.album, "B")]) }
        let single = add(library, "/m/S/x.mp3", 9, [(.album, "Y")])
        _ = add(library, "/m/S/y.mp3", 10, [(.album, "Z")])
        var book: Book { library.book(of: ids[0])! }
        #expect(library.smart(.unfinished, limit: 10).isEmpty)
        library.savePosition(ids[2], milliseconds: 70_000)
        library.savePosition(ids[0], milliseconds: 80_000)
        library.savePosition(ids[1], milliseconds: 20_000)
        #expect(book.left?.item == ids[1] && book.left?.index == 1 && book.left?.milliseconds == 20_000)
        #expect(book.heardMilliseconds == 120_000 && book.durationMilliseconds == 300_000 && !book.isFinished)
        library.savePosition(single, milliseconds: 90_000)
        #expect(library.smart(.unfinished, limit: 10) == [single, ids[1], ids[2]])
        #expect(library.smart(.unfinished, offset: 1, limit: 1) == [ids[1]])
        // To the end of a file, and to the end of the last.
        library.savePosition(ids[1], milliseconds: 100_000)
        #expect(!library.isFinished(ids[1]))
        library.didHearToEnd(ids[1])
        #expect(!book.isFinished)
        library.savePosition(ids[2], milliseconds: 99_000)
        library.didHearToEnd(ids[2])
        library.didHearToEnd(ids[2])
        #expect(book.isFinished)
        #expect(library.smart(.unfinished, limit: 10) == [single])
        #expect(library.smart(.finished, limit: 10) == ids)
        // Renamed, it is finished still; of a rescued database too.
        library.markMissing(ids[2])
        #expect(book.itemCount == 2)
        add(library, "/m/B/4.mp3", 3, [(.album, "B")])
        #expect(book.isFinished && book.itemCount == 3)
        // A person's word, and played anew from the start of the book.
        library.setFinished(ids[0], false)
        #expect(!book.isFinished)
        library.setFinished(ids[0], true)
        #expect(book.isFinished && ids.allSatisfy { library.isFinished($0) })
        library.savePosition(ids[0], milliseconds: 61_000)
        #expect(book.isFinished)
        library.savePosition(ids[0], milliseconds: 4000)
        library.didBeginAnew(ids[0])
        #expect(!book.isFinished)
        library.setFinished(single, true)
        #expect(library.smart(.finished, limit: 10) == [single])
        library.close()
        let again = Library(folder, warnings)
        #expect(again.isFinished(single) && again.book(of: ids[0])?.left?.item == ids[0])
        #expect(warnings.all.isEmpty)
    }

    @Test func booksAreListedInPages() {
        let library = Library(folder, warnings)
        for number in 1...12 {
            let tags: [(Core.Tag, String)] = [
                (.album, "Title \(13 - number)"), (.artist, "Author \(number % 3)"),
                (.series, number % 2 == 0 ? "S" : ""), (.seriesPart, "\(number)"),
            ]
            library.upsert(
                Probe(
                    identity: ContentIdentity(hash: UInt64(number), audioBytes: 5), path: "/m/\(number)/a.mp3",
                    fileBytes: 1, fileModifiedSeconds: 1, tags: TagList(tags), durationMilliseconds: 1000),
                nowSeconds: Int64(number))
        }
        while library.updateBooks() {}
        func titles(_ order: Book.Order) -> [String] {
            var titles: [String] = []
            for page in 0..<3 { titles += library.books(by: order, offset: 5 * page, limit: 5).map(\.title) }
            return titles
        }
        #expect(titles(.newest) == (1...12).map { "Title \($0)" })
        #expect(titles(.title) == (1...12).map { "Title \($0)" })
        #expect(titles(.author).prefix(4) == ["Title 1", "Title 4", "Title 7", "Title 10"])
        #expect(titles(.series).prefix(3) == ["Title 11", "Title 9", "Title 7"])
        #expect(library.smart(.newest, limit: 2) == library.books(by: .newest, offset: 0, limit: 2).map(\.firstItem))
        #expect(library.smart(.mostPlayed, limit: 5).isEmpty)
        library.countPlay(3)
        library.countPlay(5)
        library.countPlay(5)
        #expect(library.smart(.mostPlayed, limit: 5) == [5, 3])
        #expect(library.smart(.favourites, limit: 5).isEmpty)
        #expect(warnings.all.isEmpty)
    }

    @Test func aBookIsFoundByWhatAPersonCallsIt() {
        let library = Library(folder, warnings)
        for (number, title) in ["Der Überfall", "Der Zug", "Moby Dick", "Moby Dick Returns", "The Lamp"].enumerated() {
            library.upsert(
                Probe(
                    identity: ContentIdentity(hash: UInt64(number + 1), audioBytes: 5), path: "/m/\(number)/a.mp3",
                    fileBytes: 1, fileModifiedSeconds: 1, tags: TagList([(.album, title), (.title, "x")]),
                    durationMilliseconds: 1000),
                nowSeconds: 1)
        }
        while library.updateBooks() {}
        func found(_ name: String, _ path: String = "/m/nowhere") -> [String] {
            let found = library.books(named: name, path: path)
            return found.books.map { library.book($0.id)?.title ?? "" } + [found.isSure ? "!" : "?"]
        }
        #expect(found("moby dick") == ["Moby Dick", "!"])
        #expect(found("MOBY DICK R") == ["Moby Dick Returns", "!"])
        #expect(found("der uberf") == ["Der Überfall", "!"])
        #expect(found("moby") == ["Moby Dick", "Moby Dick Returns", "?"])
        #expect(found("lamp") == ["The Lamp", "?"])
        #expect(found("x", "/m/1/a.mp3") == ["Der Zug", "!"])
        #expect(found("x", "/m/4").last == "!")
        #expect(found("nowhere") == ["?"] && found("") == ["?"])
    }

    /// A folder of very many files is no book, and looking at it is bounded.
    @Test func aFolderOfThousandsIsNone() {
        let library = Library(folder, warnings)
        library.batch { for number in 0..<2000 { add(library, "/m/B/\(number).mp3", number) } }
        #expect(library.book(of: 1) == nil)
        #expect(library.updateBooks() == false)
        #expect(library.smart(.newest, offset: 990, limit: 20).count == 10)
        #expect(library.smart(.newest, offset: 1500, limit: 20).isEmpty)
    }

    /// A page counted from any book is the page that is counted from the beginning, titles that are equal among them.
    @Test func pagesFromABookThatIsKnown() {
        let library = Library(folder, warnings)
        library.root = "/m"
        for number in 0..<60 { add(library, "/m/\(number)/1.mp3", number + 1, [(.album, "Book \(number % 23)")]) }
        while library.updateBooks() {}
        let all = library.books(by: .title, offset: 0, limit: 100).map { $0.id }
        #expect(all.count == 60)
        for (place, known) in all.enumerated() {
            for start in stride(from: 0, to: 64, by: 16) {
                let end = min(start + 16, all.count)
                // As the menu asks: pages beside each other, none across what is known.
                if start < place && place < end { continue }
                let page = library.booksByTitle(from: known, offset: start - place, limit: end - start)
                #expect(page.map { $0.id } == Array(all[start..<end]))
            }
        }
        // By letters, as one counts them by hand.
        let letters = all.map { library.book($0)!.title.first!.lowercased() }
        for (place, known) in all.enumerated() {
            let forward = letters[place...].prefix { $0 == letters[place] }.count
            let back = letters[..<place].reversed().prefix { $0 == letters[max(0, place - 1)] }.count
            for limit in [1, 5, 1000] {
                #expect(library.booksToLetter(from: known, isForward: true, limit: limit) == min(limit, forward))
                let found = library.booksToLetter(from: known, isForward: false, limit: limit)
                #expect(found == (place == 0 ? nil : min(limit, back)))
            }
        }
        #expect(library.booksToLetter(from: 9999, isForward: true, limit: 5) == nil)
        #expect(library.booksByTitle(from: 9999, offset: 3, limit: 16).isEmpty)
    }
}
