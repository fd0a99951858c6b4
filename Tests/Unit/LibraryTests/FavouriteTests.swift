// SPDX-License-Identifier: Apache-2.0
import Model
import TestSupport
import Testing

@testable import Library

@Suite struct FavouriteTests {
    private let folder = TemporaryFolder()

    @Test func addingTwiceIsTold() throws {
        let library = Library(folder)
        let id = try #require(library.upsert(probe(1))).id
        #expect(!library.isFavourite(id))
        #expect(library.addFavourite(id, nowSeconds: 100) == .added)
        #expect(library.addFavourite(id, nowSeconds: 200) == .alreadyThere)
        #expect(library.favourites().first?.addedSeconds == 100)
        #expect(library.isFavourite(id))
        #expect(library.removeFavourite(id))
        #expect(!library.removeFavourite(id))
        #expect(!library.isFavourite(id))
        #expect(library.addFavourite(id, nowSeconds: 300) == .added)
        #expect(library.favourites().count == 1)
        #expect(library.addFavourite(id + 1) == .notSaved)
        #expect(library.favourites().count == 1)
    }

    @Test func manyAreCountedInPortions() {
        let library = Library(stateFolder: nil) { _ in }
        library.batch {
            for number in 1...2500 { _ = library.addFavourite(library.upsert(probe(number))!.id) }
        }
        #expect(library.favouriteCount == 1000 && !library.areFavouritesCounted)
        #expect(library.favouriteCount == 2000)
        #expect(library.favouriteCount == 2500 && library.areFavouritesCounted)
        #expect(library.favouriteCount == 2500)
        #expect(library.removeFavourite(1))
        #expect([library.favouriteCount, library.favouriteCount, library.favouriteCount] == [1000, 2000, 2499])
    }

    @Test func aFavouriteHasEverythingThePersonIsShown() throws {
        var full = probe(7, title: "Tale", durationMilliseconds: 840_000)
        full.artwork = "/m/cover.jpg"
        let id: Item.ID
        do {
            let library = Library(folder)
            id = try #require(library.upsert(full)).id
            library.savePosition(id, milliseconds: 12_345)
            _ = library.addFavourite(id, nowSeconds: 1_750_000_000)
        }
        let favourite = try #require(Library(folder).favourites().first)
        #expect(favourite.item.id == id)
        #expect(favourite.item.title == "Tale")
        #expect(favourite.item.artwork == "/m/cover.jpg")
        #expect(favourite.item.path == full.path)
        #expect(favourite.item.durationMilliseconds == 840_000)
        #expect(favourite.item.positionMilliseconds == 12_345)
        #expect(favourite.addedSeconds == 1_750_000_000)
    }

    /// A board without a clock starts in the past.
    @Test func newestIsWhatWasAddedLastWhateverTheClockSaid() throws {
        let library = Library(folder)
        let ids = try (1...5).map { try #require(library.upsert(probe($0))).id }
        for (id, clock) in zip(ids, [500, 10, 10, 900, 0] as [Int64]) {
            _ = library.addFavourite(id, nowSeconds: clock)
        }
        #expect(library.favourites().map(\.item.id) == ids.reversed())
        library.removeFavourite(ids[4])
        library.removeFavourite(ids[2])
        _ = library.addFavourite(ids[2], nowSeconds: 1)
        #expect(library.favourites().map(\.item.id) == [ids[2], ids[3], ids[1], ids[0]])
    }

    @Test func listsInEachOrder() throws {
        let library = Library(folder)
        let rows: [(title: String, duration: Int?, plays: Int)] = [
            ("Part 10", 300, 0), ("part 2", 100, 5), ("Éden", nil, 2), ("eclair", 200, 2), ("Zebra", 100, 0),
        ]
        var ids: [Item.ID] = []
        for (number, row) in rows.enumerated() {
            let id = try #require(library.upsert(probe(number, title: row.title, durationMilliseconds: row.duration)))
                .id
            for _ in 0..<row.plays { library.countPlay(id) }
            _ = library.addFavourite(id)
            ids.append(id)
        }
        func order(_ order: Favourite.Order) -> [Int] {
            library.favourites(by: order).map { ids.firstIndex(of: $0.item.id)! }
        }
        #expect(order(.newest) == [4, 3, 2, 1, 0])
        #expect(order(.title) == [3, 2, 1, 0, 4])
        #expect(order(.duration) == [4, 1, 3, 0, 2])
        #expect(order(.mostPlayed) == [1, 3, 2, 4, 0])
    }

    @Test func pagesNeitherRepeatNorLeaveOut() throws {
        let library = Library(folder)
        var random = SeededGenerator(seed: 4)
        library.batch {
            for number in 1...137 {
                // Few different values: the order among equals has to be stable too.
                let id = library.upsert(
                    probe(
                        number, title: "T\(Int.random(in: 1...4, using: &random))",
                        durationMilliseconds: Int.random(in: 1...3, using: &random)))!.id
                if Bool.random(using: &random) { library.countPlay(id) }
                _ = library.addFavourite(id)
            }
        }
        for order in [Favourite.Order.newest, .title, .duration, .mostPlayed] {
            let all = library.favourites(by: order).map(\.item.id)
            #expect(Set(all).count == 137)
            for size in [1, 10, 50, 136, 137, 1000] {
                var paged: [Item.ID] = []
                var offset = 0
                while true {
                    let page = library.favourites(by: order, offset: offset, limit: size)
                    if page.isEmpty { break }
                    paged += page.map(\.item.id)
                    offset += size
                }
                #expect(paged == all)
            }
        }
    }

    @Test func pagesFromAFavouriteThatIsKnown() throws {
        let library = Library(folder)
        for number in 1...40 { _ = library.addFavourite(try #require(library.upsert(probe(number))).id) }
        let all = library.favourites().map { $0.item.id }
        #expect(all.count == 40)
        for (place, known) in all.enumerated() {
            for start in [0, 16, 32] where !(start < place && place < start + 16) {
                let page = library.favourites(from: known, offset: start - place, limit: min(16, 40 - start))
                #expect(page.map { $0.item.id } == Array(all[start..<min(start + 16, 40)]))
            }
        }
    }
}
