// SPDX-License-Identifier: Apache-2.0
import Foundation
import Model
import TestSupport
import Testing

@testable import Library

@Suite struct BookmarkTests {
    private let folder = TemporaryFolder()

    @Test func aSentenceIsKeptOnceAndListedNewestFirst() throws {
        let library = Library(folder)
        let id = try #require(library.upsert(probe(1))).id
        #expect(library.addBookmark(id, milliseconds: 5000, words: "First.", nowSeconds: 100) == .added)
        #expect(library.addBookmark(id, milliseconds: 5000, words: "First.", nowSeconds: 200) == .alreadyThere)
        #expect(library.addBookmark(id, milliseconds: 9000, words: "", nowSeconds: 50) == .added)
        #expect(library.addBookmark(id + 1, milliseconds: 9000, words: "") == .notSaved)
        #expect(library.bookmarks().map(\.words) == ["", "First."])
        #expect(library.bookmarks(offset: 1, limit: 1).map(\.addedSeconds) == [100])
        let number = try #require(library.bookmark(of: id, milliseconds: 5000))
        #expect(library.bookmark(number)?.milliseconds == 5000)
        #expect(library.removeBookmark(number))
        #expect(!library.removeBookmark(number))
        #expect(library.bookmarks().map(\.milliseconds) == [9000])
    }

    @Test func itSurvivesRenamingForgettingAndTheLossOfTheSchema() throws {
        var id: Item.ID = 0
        do {
            let library = Library(folder)
            id = try #require(library.upsert(probe(1, path: "/m/a.mp3"))).id
            _ = library.upsert(probe(2, path: "/m/z.mp3"))
            _ = library.addBookmark(id, milliseconds: 5000, words: "Kept.", nowSeconds: 1_750_000_000)
            library.setPresent(id, false, nowSeconds: 1_750_000_000)
            #expect(library.forget(goneSince: 1_760_000_000) == 0)
            _ = library.upsert(probe(1, path: "/m/b.mp3"))
        }
        var bytes = FileManager.default.bytes(folder.database)
        for at in 100..<1024 { bytes[at] = UInt8(truncatingIfNeeded: at &* 31) }
        folder.write("nightstand.db", bytes)
        let bookmark = try #require(Library(folder).bookmarks().first)
        #expect(bookmark.words == "Kept." && bookmark.itemID == id && bookmark.addedSeconds == 1_750_000_000)
    }
}
