// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Testing

@testable import Library

@Suite struct StickersTests {
    private func library(_ paths: [(String, UInt64)]) -> Library {
        let library = Library(stateFolder: nil) { _ in }
        for (path, hash) in paths { add(path, hash, to: library) }
        return library
    }

    private func add(_ path: String, _ hash: UInt64, to library: Library) {
        let probe = Probe(
            identity: ContentIdentity(hash: hash, audioBytes: 960_000), path: path, fileBytes: 960_128,
            fileModifiedSeconds: 1, tags: TagList([(.title, path)]), durationMilliseconds: 60_000)
        _ = library.upsert(probe)
    }

    private func found(
        _ library: Library, _ name: String, below folder: String? = nil,
        _ comparison: StickerComparison? = nil, limit: Int = 2
    ) -> [String] {
        var result: [String] = []
        var next: Int64? = 0
        while let content = next {
            let page = library.stickers(named: name, below: folder, comparison, after: content, limit: limit)
            #expect(page.found.count <= limit)
            result += page.found.map { "\($0.path)=\($0.value)" }
            next = page.next
        }
        return result
    }

    @Test func oneValueForEachNameOfASong() throws {
        let library = library([("/m/a.mp3", 1), ("/m/b.mp3", 2)])
        let (a, b) = (try #require(library.item(path: "/m/a.mp3")).id, try #require(library.item(path: "/m/b.mp3")).id)
        #expect(library.setSticker("rating", of: a, to: "5") && library.setSticker("rating", of: a, to: "6"))
        #expect(library.setSticker("", of: a, to: "") && !library.setSticker("x", of: 99, to: "1"))
        #expect(library.sticker("rating", of: a) == "6" && library.sticker("rating", of: b) == nil)
        #expect(library.stickers(of: a).map(\.name) == ["", "rating"])
        #expect(library.removeSticker("rating", of: a) && !library.removeSticker("rating", of: a))
        #expect(library.removeSticker(nil, of: a) && library.stickers(of: a).isEmpty)
    }

    @Test func theyAreFoundByPagesFolderAndValue() throws {
        func path(_ number: Int) -> String { "/m/\(number % 2 == 0 ? "even" : "odd")/\(number).mp3" }
        let library = library((1...9).map { (path($0), UInt64($0)) })
        for number in 1...9 {
            let id = try #require(library.item(path: path(number))).id
            #expect(library.setSticker("rating", of: id, to: "\(number)"))
        }
        #expect(found(library, "rating").count == 9 && found(library, "nix").isEmpty)
        #expect(found(library, "rating", below: "/m/even").count == 4)
        #expect(found(library, "rating", below: "/m/ev").isEmpty)
        #expect(found(library, "rating", below: "/m", .equals("4")) == ["/m/even/4.mp3=4"])
        #expect(found(library, "rating", below: nil, .isLess("3")).count == 2)
        #expect(found(library, "rating", below: nil, .isGreater("3")).count == 6)
    }

    @Test func theyFollowARenamedFile() throws {
        let library = library([("/m/a.mp3", 1)])
        #expect(library.setSticker("resume", of: try #require(library.item(path: "/m/a.mp3")).id, to: "12"))
        library.markMissing(try #require(library.item(path: "/m/a.mp3")).id)
        add("/m/new name.mp3", 1, to: library)
        #expect(library.sticker("resume", of: try #require(library.item(path: "/m/new name.mp3")).id) == "12")
        #expect(found(library, "resume") == ["/m/new name.mp3=12"])
    }
}
