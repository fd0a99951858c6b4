// SPDX-License-Identifier: Apache-2.0
import Core
import Foundation
import Media
import Model
import TestSupport
import Testing

@testable import Library
@testable import SQLite

@Suite struct PodcastTests {
    private let folder = TemporaryFolder()
    private let warnings = Warnings()

    private func library(_ root: String = "/m") -> Library {
        let library = Library(folder, warnings)
        library.root = root
        return library
    }

    private func draft(_ number: Int, token: String = "") -> EpisodeDraft {
        var draft = EpisodeDraft(identity: "guid \(number)", address: "https://h/\(number).mp3" + token)
        draft.title = "Episode \(number)"
        draft.publishedSeconds = 1_700_000_000 + Int64(number) * 86_400
        draft.durationSeconds = 600
        return draft
    }

    private func subscribe(_ library: Library, _ numbers: [Int], title: String = "Owls") throws -> Feed {
        let feed = try #require(library.addFeed(address: "https://h/" + title, title: title))
        _ = library.takeIn(numbers.map { draft($0) }, of: feed)
        return try #require(library.feed(feed.id))
    }

    private func titles(_ library: Library) -> [String] {
        library.items(library.itemIDs(inFolder: "/")).map { $0.title }
    }

    /// A serial is listed and played from its first part on: by season and number, then by date; a person's order goes before the feed's.
    @Test func aSerialBeginsWithItsFirstPart() throws {
        let library = library()
        let feed = try subscribe(library, [1, 2, 3])
        func order() throws -> [String] { library.episodes(of: feed.id, limit: 9).map { library.item($0.item)!.title } }
        let newest = ["Episode 3", "Episode 2", "Episode 1"]
        #expect(try order() == newest && titles(library) == newest)
        var head = FeedHead()
        head.title = "Owls"
        head.isSerial = true
        library.note(head, of: feed.id)
        #expect(try order() == newest.reversed() && titles(library) == newest.reversed())
        #expect(library.takeRearranged().count == 3 && library.feed(feed.id)?.order == .oldest)
        #expect(library.book(of: library.itemIDs()[0]).map { library.items(of: $0.id) } == library.itemIDs())
        // The second season came out before the first; one without a number stands first.
        var drafts = [4, 5].map { draft($0) }
        drafts[0].number = 200_001
        drafts[1].number = 100_002
        _ = library.takeIn(drafts, of: try #require(library.feed(feed.id)))
        #expect(try order() == ["Episode 1", "Episode 2", "Episode 3", "Episode 5", "Episode 4"])
        // The listener's choice counts, against anything in the feed.
        #expect(library.setOrder(.newest, of: feed.id))
        #expect(try order() == ["Episode 5", "Episode 4"] + newest)
        library.note(FeedHead(), of: feed.id)
        library.note(head, of: feed.id)
        #expect(try order().first == "Episode 5")
        #expect(library.setOrder(nil, of: feed.id))
        #expect(try order().first == "Episode 1")
        #expect(library.setOrder(.oldest, of: feed.id))
        library.note(FeedHead(), of: feed.id)
        library.close()
        let again = Library(folder, warnings)
        again.root = "/m"
        #expect(again.feed(feed.id)?.order == .oldest && titles(again).first == "Episode 1")
    }

    /// Going on with a serial plays the part behind the one that was heard, with news the newest.
    @Test func goingOnWithAPodcast() throws {
        let library = library()
        var feed = try subscribe(library, [1, 2, 3, 4])
        func id(_ number: Int) -> Item.ID { library.item(titled: "Episode \(number)")! }
        func next(_ left: Int?) throws -> String? {
            library.episodeToGoOn(with: try #require(library.feed(feed.id)), left: left.map(id)).flatMap {
                library.item($0)?.title
            }
        }
        #expect(try next(nil) == "Episode 4")
        library.setFinished(id(2), true)
        #expect(try next(2) == "Episode 4" && next(3) == "Episode 3")
        #expect(library.setOrder(.oldest, of: feed.id))
        feed = try #require(library.feed(feed.id))
        #expect(try next(nil) == "Episode 1" && next(2) == "Episode 3" && next(1) == "Episode 1")
        #expect(library.nextEpisodes(of: feed, limit: 2).map { $0.item } == [id(1), id(3)])
        library.setFinished(id(3), true)
        library.setFinished(id(4), true)
        #expect(try next(4) == "Episode 1")
        library.setFinished(id(1), true)
        #expect(try next(4) == "Episode 1")
    }

    /// A feed that gives its episodes other names each time has the same episodes.
    @Test func namesThatChange() throws {
        let library = library()
        let feed = try subscribe(library, [1, 2, 3])
        let before = library.episodes(of: feed.id, limit: 9)
        var drafts = [1, 2, 3].map { draft($0) }
        for index in drafts.indices { drafts[index].identity = "new \(index)" }
        drafts[1].address = "https://other/2.mp3"
        drafts[2].title = "Episode 3, mended"
        let taken = library.takeIn(drafts, of: feed)
        #expect(taken.arrived.isEmpty)
        let after = library.episodes(of: feed.id, limit: 9)
        #expect(after.map { $0.item } == before.map { $0.item })
        #expect(after.map { $0.cacheName } == before.map { $0.cacheName })
        #expect(after[1].address == "https://other/2.mp3" && titles(library).contains("Episode 3, mended"))
        // Another title at the same second, and the same title at another, are others.
        var others = [draft(1), draft(1)]
        for index in others.indices {
            others[index].identity = "other \(index)"
            others[index].address = "https://h/other\(index)"
        }
        others[0].title = "Another"
        others[1].publishedSeconds += 1
        #expect(library.takeIn(others, of: feed).arrived.count == 2)
    }

    @Test func aFeedIsABookOfItsEpisodesNewestFirst() throws {
        let library = library()
        library.upsert(probe(1, path: "/m/Zoo/1.mp3"))
        let feed = try subscribe(library, [1, 3, 10, 2])
        #expect(titles(library).first == "Episode 10")
        #expect(library.folders(in: "/m") == ["/m/Podcasts", "/m/Zoo"])
        #expect(library.folders(in: "/m/Podcasts") == ["/m/Podcasts/Owls"])
        let first = try #require(library.episodes(of: feed.id, limit: 1).first)
        let book = try #require(library.book(of: first.item))
        #expect(book.title == "Owls" && book.genre == "Podcast" && book.itemCount == 4)
        #expect(
            library.items(library.items(of: book.id)).map { $0.title } == [
                "Episode 10", "Episode 3", "Episode 2", "Episode 1",
            ])
        #expect(library.items(library.items(of: book.id))[0].path == "/m/Podcasts/Owls/2023-11-24 Episode 10")
        // A new one comes on top, and stands before the others in the library.
        let taken = library.takeIn([draft(11)], of: feed)
        #expect(taken.arrived.count == 1 && taken.changed.isEmpty)
        #expect(library.itemBefore(taken.arrived[0]) == nil)
        #expect(library.book(of: first.item)?.itemCount == 5)
        #expect(library.items(of: book.id).first == taken.arrived[0])
    }

    @Test func thePlaceHangsOnTheGuid() throws {
        let library = library()
        let feed = try subscribe(library, [1, 2])
        let id = library.episodes(of: feed.id, limit: 1)[0].item
        library.savePosition(id, milliseconds: 77_000)
        var other = draft(2, token: "?token=9")
        var taken = library.takeIn([other], of: feed)
        // Nothing but the address: nobody is told.
        #expect(taken.arrived.isEmpty && taken.changed.isEmpty)
        #expect(library.episode(id)?.address == "https://h/2.mp3?token=9")
        other.title = "Another title"
        taken = library.takeIn([other], of: feed)
        #expect(taken.changed == [id])
        let item = try #require(library.item(id))
        #expect(item.title == "Another title" && item.positionMilliseconds == 77_000)
        #expect(item.path.hasSuffix("Episode 2"))
        let name = library.episode(id)?.cacheName
        // Unsubscribed and subscribed to again, it is where it was.
        #expect(library.removeFeed(feed.id).count == 2)
        #expect(titles(library).isEmpty && library.feeds().isEmpty)
        let again = try subscribe(library, [1, 2])
        #expect(library.episodes(of: again.id, limit: 1)[0].item == id)
        #expect(library.item(id)?.positionMilliseconds == 77_000)
        #expect(library.episode(id)?.cacheName == name)
    }

    @Test func feedsThatAreCalledTheSameHaveFoldersOfTheirOwn() throws {
        let library = library()
        for number in 0..<3 { _ = library.addFeed(address: "https://h/\(number)", title: "A/B") }
        #expect(library.feeds().map { $0.name } == ["A-B", "A-B (2)", "A-B (3)"])
        #expect(library.addFeed(address: "https://h/1", title: "x")?.name == "A-B (2)")
        for wrong in ["", "..", "/", "\n", "...///"] {
            #expect(Library.fileName(wrong, most: 10).hasPrefix(".") == false)
        }
        #expect(Library.fileName(String(repeating: "ö", count: 20), most: 9) == "öööö")
    }

    @Test func aScanLeavesThemAlone() throws {
        let library = library()
        library.upsert(probe(1, path: "/m/Podcasts/own.mp3"))
        _ = try subscribe(library, [1, 2])
        #expect(library.presentItems(in: "/m", after: nil, limit: 100).items.map { $0.path } == ["/m/Podcasts/own.mp3"])
    }

    @Test func doublesAreOne() throws {
        let library = library()
        let feed = try subscribe(library, [1, 1, 1])
        #expect(library.episodeCounts(of: feed.id).all == 1)
        // Two of a day and a title are two.
        var twin = draft(1)
        twin.identity = "other"
        twin.address = "https://h/other"
        twin.publishedSeconds += 1
        #expect(library.takeIn([twin], of: feed).arrived.count == 1)
        #expect(Set(library.items(library.itemIDs(inFolder: "/")).map { $0.path }).count == 2)
    }

    /// A rerun has the address of the episode that it repeats: both stay what they are, at each refresh.
    @Test func oneAddressOfTwoEpisodes() throws {
        let library = library()
        let feed = try subscribe(library, [1, 2])
        var rerun = draft(9)
        rerun.address = draft(1).address
        #expect(library.takeIn([rerun], of: feed).arrived.count == 1)
        for _ in 0..<3 {
            for draft in [draft(1), draft(2), rerun] {
                let taken = library.takeIn([draft], of: feed)
                #expect(taken.arrived.isEmpty && taken.changed.isEmpty)
            }
        }
        #expect(Set(titles(library)) == ["Episode 1", "Episode 2", "Episode 9"])
    }

    @Test func theOldestGoWhereThereAreTooMany() throws {
        let library = library()
        let feed = try subscribe(library, [])
        for start in stride(from: 1, to: BookMaking.mostItems + 4, by: 100) {
            _ = library.takeIn((start..<min(start + 100, BookMaking.mostItems + 4)).map { draft($0) }, of: feed)
        }
        #expect(library.trimEpisodes(of: feed.id).count == 3)
        #expect(library.episodeCounts(of: feed.id).all == BookMaking.mostItems)
        #expect(!titles(library).contains("Episode 3") && titles(library).contains("Episode 4"))
        #expect(library.trimEpisodes(of: feed.id).isEmpty)
    }

    @Test func theyGoWithTheLibrary() throws {
        do {
            let library = library()
            _ = try subscribe(library, [1, 2])
            library.settle()
            library.close()
        }
        let library = library("/n")
        library.movePodcasts()
        #expect(library.folders(in: "/n/Podcasts") == ["/n/Podcasts/Owls"])
        #expect(titles(library) == ["Episode 2", "Episode 1"])
        #expect(library.items(library.itemIDs(inFolder: "/n/Podcasts/Owls")).count == 2)
        #expect(library.book(of: library.itemIDs(inFolder: "/n")[0])?.path == "/n/Podcasts/Owls")
    }

    @Test func aRescueKeepsThem() throws {
        do {
            let library = library()
            let feed = try subscribe(library, [1, 2])
            library.noteChecked(feed.id, problem: "")
            library.settle()
            library.close()
        }
        let damaged = folder.path + "/damaged"
        try FileManager.default.moveItem(atPath: folder.database, toPath: damaged)
        let library = library()
        library.write(else: ()) { (database) throws(SQLiteError) in Rescue(database).salvage(damaged, kept: "") }
        let feed = try #require(library.feeds().first)
        #expect(feed.address == "https://h/Owls" && feed.checkedSeconds == 0)
        #expect(titles(library) == ["Episode 2", "Episode 1"])
        #expect(library.episodes(of: feed.id, limit: 9).map { $0.address } == ["https://h/2.mp3", "https://h/1.mp3"])
    }

    /// After the loss of any page, the subscriptions with intact pages are there, and the next refresh finds the places.
    @Test func noPageTakesASubscriptionAlong() throws {
        var places: [String: Int] = [:]
        do {
            let library = library()
            _ = try subscribe(library, Array(1...40))
            let other = try subscribe(library, [1, 2], title: "Foxes")
            for id in library.itemIDs(inFolder: "/") {
                library.savePosition(id, milliseconds: Int(id) * 1000)
                places[try #require(library.item(id)).path] = Int(id) * 1000
                if id % 4 == 0 { _ = library.addFavourite(id, nowSeconds: 1_750_000_000) }
            }
            library.note(FeedHead(), of: other.id)
            library.settle()
            library.close()
        }
        let whole = FileManager.default.bytes(folder.database)
        let kept = FileManager.default.bytes(folder.database + ".schema")
        let address = Array("https://h/Foxes".utf8)
        var lost = 0
        var lostPlaces = 0
        for page in 0..<whole.count / 1024 {
            try? FileManager.default.removeItem(atPath: folder.path)
            var bytes = whole
            let range = page * 1024..<page * 1024 + 1024
            let isOfFeeds = bytes[range].indices.contains { bytes[$0..<range.upperBound].starts(with: address) }
            for at in range { bytes[at] = UInt8(truncatingIfNeeded: at &* 31 &+ at >> 3) }
            // Without a schema there is nothing but the pages, and where the tables begin in them.
            for at in 0..<1024 { bytes[at] = 0xEE }
            folder.write("nightstand.db", bytes)
            folder.write("nightstand.db.schema", kept)
            let library = library()
            let feeds = library.feeds().map { $0.address }
            if isOfFeeds && feeds.count < 2 {
                lost += 1
            } else {
                #expect(feeds == ["https://h/Foxes", "https://h/Owls"], "page \(page)")
            }
            for feed in library.feeds() {
                _ = library.takeIn((feed.title == "Owls" ? Array(1...40) : [1, 2]).map { draft($0) }, of: feed)
                let count = library.episodes(of: feed.id, limit: 99).count
                #expect(count == (feed.title == "Owls" ? 40 : 2), "page \(page)")
            }
            let placed = library.allItems().filter { $0.positionMilliseconds > 0 }
            #expect(placed.allSatisfy { places[$0.path] == $0.positionMilliseconds }, "page \(page)")
            if placed.count < 42 { lostPlaces += 1 }
            library.close()
        }
        // Its row stands on one page, and each place on another.
        #expect(lost <= 1 && lostPlaces <= 3)
    }

    @Test func aBackupBringsThemBack() throws {
        let library = library()
        let feed = try subscribe(library, [1, 2, 3])
        let second = library.episodes(of: feed.id, limit: 3)[1].item
        library.savePosition(second, milliseconds: 77_000)
        _ = library.addFavourite(second)
        _ = library.setFinished(library.episodes(of: feed.id, limit: 3)[2].item, true)
        library.settle()
        let path = folder.path + "/copy"
        let copy = try #require(library.copy(to: path))
        while case .again = copy.step() {}
        #expect(Library.checkBackup(path) == nil)
        #expect(library.removeFeed(feed.id).count == 3)
        library.removeFavourite(second)
        library.savePosition(second, milliseconds: 1000)
        library.settle()
        #expect(library.feeds().isEmpty && library.takeUp(path) == nil)
        let back = try #require(library.feeds().first)
        #expect(back.address == "https://h/Owls" && back.name == "Owls")
        #expect(titles(library) == ["Episode 3", "Episode 2", "Episode 1"])
        #expect(library.item(second)?.positionMilliseconds == 77_000 && library.item(second)?.isFavourite == true)
        #expect(library.isFinished(library.episodes(of: back.id, limit: 3)[2].item))
        // The item continues at its place: the feed's present answer is known.
        let taken = library.takeIn([draft(4), draft(3), draft(2), draft(1)], of: back)
        #expect(taken.arrived.count == 1 && taken.changed.isEmpty)
    }

    @Test func movesAndHeads() throws {
        let library = library()
        let feed = try subscribe(library, [1])
        var head = FeedHead()
        head.title = "Owls at night"
        head.entityTag = "\"1\""
        head.movedTo = "https://h/new"
        library.note(head, of: feed.id)
        let moved = try #require(library.feed(address: "https://h/new"))
        #expect(moved.id == feed.id && moved.title == "Owls at night" && moved.name == "Owls")
        // It is still known by where it was; and is no other by its identity.
        #expect(library.feed(address: "https://h/Owls")?.id == feed.id)
        #expect(library.takeIn([draft(1)], of: moved).arrived.isEmpty)
        #expect(library.feed(named: "Owls at night")?.id == feed.id)
    }

    @Test func chaptersStay() throws {
        let library = library()
        let feed = try subscribe(library, [1])
        let id = library.episodes(of: feed.id, limit: 1)[0].item
        library.setChapters(of: id, [Chapter(startMilliseconds: 5, title: "a")])
        #expect(library.episode(id)?.state == .hasChapters)
        var other = draft(1)
        other.title = "New"
        _ = library.takeIn([other], of: feed)
        #expect(library.chapters(of: id).count == 1 && library.episode(id)?.state == .hasChapters)
        other.chapters = "https://h/c.json"
        _ = library.takeIn([other], of: feed)
        #expect(library.episode(id)?.state == [])
    }

    /// Those that a file holds, which the feed names, count more, once they were read.
    @Test func chaptersOfTheFeedItself() throws {
        let library = library()
        let feed = try subscribe(library, [1])
        let id = library.episodes(of: feed.id, limit: 1)[0].item
        var other = draft(1)
        func marks(_ titles: [String]) {
            other.marks = titles.enumerated().map { Chapter(startMilliseconds: $0.offset * 1000, title: $0.element) }
            _ = library.takeIn([other], of: feed)
        }
        marks(["a", "b"])
        #expect(library.chapters(of: id).map { $0.title } == ["a", "b"])
        marks(["a", "c"])
        #expect(library.chapters(of: id).map { $0.title } == ["a", "c"])
        other.chapters = "https://h/c.json"
        marks(["a", "d"])
        library.setChapters(of: id, [Chapter(startMilliseconds: 5, title: "e")])
        marks(["a", "f"])
        #expect(library.chapters(of: id).map { $0.title } == ["e"])
        _ = library.takeIn([draft(2)], of: feed)
        #expect(library.episodes(of: feed.id, limit: 2).contains { library.chapters(of: $0.item).isEmpty })
    }

    /// Of a book the last file's end is the book's; of a podcast each episode has its own.
    @Test func episodesAreFinishedOneByOne() throws {
        let library = library()
        let feed = try subscribe(library, [1, 2, 3])
        let items = library.episodes(of: feed.id, limit: 3).map { $0.item }
        #expect(library.episodeCounts(of: feed.id).unheard == 3)
        _ = library.setFinished(items[1], true)
        #expect(library.isFinished(items[1]) && !library.isFinished(items[0]) && !library.isFinished(items[2]))
        library.savePosition(items[2], milliseconds: 599_000)
        library.didHearToEnd(items[2])
        library.savePosition(items[0], milliseconds: 5000)
        #expect(library.isFinished(items[2]) && library.book(of: items[0])?.isFinished == false)
        #expect(library.episodeCounts(of: feed.id).unheard == 1)
        library.didHearToEnd(items[0])
        #expect(library.book(of: items[0])?.isFinished == true)
    }

    @Test func days() {
        #expect(Library.day(0) == "" && Library.day(1) == "1970-01-01" && Library.day(951_782_400) == "2000-02-29")
        #expect(Library.day(1_700_000_000) == "2023-11-14" && Library.day(253_402_300_799) == "9999-12-31")
    }
}
