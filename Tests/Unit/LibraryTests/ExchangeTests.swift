// SPDX-License-Identifier: Apache-2.0
import Model
import TestSupport
import Testing

@testable import Library

/// Favourites and bookmarks for other speakers.
@Suite struct ExchangeTests {
    private let library = Library(stateFolder: nil) { _ in }

    private func objects(_ library: Library) -> [String] {
        var all: [String] = []
        var cursor: Library.KeptCursor? = .start
        while let from = cursor {
            let page = library.keptObjects(after: from, limit: 2)
            all += page.objects
            cursor = page.next
        }
        return all
    }

    @Test func whatOneGivesTheOtherTakesOnce() throws {
        for number in 1...5 {
            let id = try #require(library.upsert(probe(number, title: "Tale \"\(number)\"\u{1}\n"))).id
            _ = library.addFavourite(id, nowSeconds: Int64(1000 + number))
            _ = library.addBookmark(id, milliseconds: number * 7, words: "Wörter \(number)", nowSeconds: 5)
        }
        let file = KeptFile.bytes(objects(library))
        let read = try KeptFile.objects(file)
        #expect(read.count == 10)
        let other = Library(stateFolder: nil) { _ in }
        _ = other.upsert(probe(3, path: "/elsewhere/three.mp3"))
        for object in read { #expect(other.takeIn(keptObject: object) == .added, "\(object)") }
        for object in read { #expect(other.takeIn(keptObject: object) == .alreadyThere) }
        #expect(other.favourites().map(\.item.path) == ["/elsewhere/three.mp3"])
        #expect(other.bookmarks().map(\.words) == ["Wörter 3"])
        // Those of audio that was not there wait for it.
        for number in 1...5 where number != 3 { _ = other.upsert(probe(number, path: "/elsewhere/\(number).mp3")) }
        #expect(other.favourites().map(\.addedSeconds) == [1005, 1004, 1003, 1002, 1001])
        #expect(other.bookmarks().map(\.milliseconds) == [35, 28, 21, 14, 7])
        #expect(objects(other).count == 10)
    }

    @Test(arguments: [
        "", "x", "[]", "{}", "null", #"{"nightstand":"favourites","version":2,"kept":[]}"#,
        #"{"nightstand":"favourites","version":1,"kept":{}}"#, #"{"nightstand":"favourites","version":1,"kept":[1]}"#,
        #"{"nightstand":"favourites","version":1,"kept":[{"kind":"favourite","hash":"00","bytes":1,"added":1}]}"#,
        #"{"nightstand":"favourites","version":1,"kept":[{"kind":"nix","hash":"0000000000000000","bytes":1,"added":1}]}"#,
        #"{"nightstand":"favourites","version":1,"kept":["#,
    ])
    func aForeignFileIsRefused(text: String) {
        #expect(throws: KeptFile.Refusal.self) { try KeptFile.objects(Array(text.utf8)) }
    }

    @Test func damagedObjectsHarmNothing() throws {
        let id = try #require(library.upsert(probe(1))).id
        _ = library.addBookmark(id, milliseconds: 7, words: "Words")
        let whole = try #require(objects(library).last)
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<500 {
            var bytes = Array(whole.utf8)
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...127, using: &generator)
            }
            _ = library.takeIn(keptObject: String(decoding: bytes, as: UTF8.self))
        }
        #expect(library.trouble == nil)
        #expect(library.bookmarks().contains { $0.words == "Words" })
    }
}
