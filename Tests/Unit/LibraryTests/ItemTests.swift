import CPosix
import Foundation
import TestSupport
import Testing

@testable import Library

/// Which files there are: scans, renamed and retagged files, order, search.
@Suite struct ItemTests {
    private let folder = TemporaryFolder()
    private let warnings = Warnings()

    /// What the feed thread does with a file: the "audio" is all between "<tag>" and "</tag>" of the file.
    private func scan(_ library: Library, _ root: String) -> (looked: Int, missing: Int) {
        library.beginScan()
        var looked = 0
        let files = FileManager.default.enumerator(atPath: root)!.compactMap { $0 as? String }.filter {
            $0.hasSuffix(".mp3")
        }
        for name in files.sorted() {
            let path = root + "/" + name
            var status = stat()
            guard stat(path, &status) == 0 else { continue }
            let bytes = Int64(status.st_size)
            let modified = Int64(status.st_mtim.tv_sec)
            if library.knownItem(path: path, fileBytes: bytes, fileModifiedSeconds: modified) != nil { continue }
            looked += 1
            let content = FileManager.default.bytes(path)
            let start = content.firstIndex(of: UInt8(ascii: ">")).map { $0 + 1 } ?? 0
            let identity = ContentIdentity(audioStart: Int64(start), audioEnd: Int64(content.count)) { offset, buffer in
                buffer.copyBytes(from: content[Int(offset)...].prefix(buffer.count))
                return buffer.count
            }!
            let title = start == 0 ? "" : String(decoding: content[1..<(start - 1)], as: UTF8.self)
            library.upsert(
                Probe(
                    identity: identity, path: path, fileBytes: bytes, fileModifiedSeconds: modified, title: title,
                    durationMilliseconds: 600_000))
        }
        return (looked, library.endScan(ofFolder: root))
    }

    private func audio(_ number: Int, tag: String = "") -> [UInt8] {
        var random = SeededGenerator(seed: UInt64(number))
        let bytes = (0..<50_000).map { _ in UInt8.random(in: 0...61, using: &random) }
        return Array((tag.isEmpty ? "" : "<" + tag + ">").utf8) + bytes
    }

    @Test func anUnchangedFolderIsNotLookedInto() {
        let root = folder.path + "/media"
        for number in 1...20 { folder.write("media/\(number % 3)/\(number).mp3", audio(number)) }
        let library = Library(folder, warnings)
        #expect(scan(library, root) == (20, 0))
        #expect(scan(library, root) == (0, 0))
        #expect(library.items().count == 20)
        #expect(warnings.all.isEmpty)
    }

    @Test func renamedMovedAndRetaggedFilesKeepWhatIsRemembered() throws {
        let root = folder.path + "/media"
        folder.write("media/a.mp3", audio(1))
        folder.write("media/b.mp3", audio(2, tag: "Old"))
        let library = Library(folder, warnings)
        _ = scan(library, root)
        let a = try #require(library.item(path: root + "/a.mp3"))
        let b = try #require(library.item(path: root + "/b.mp3"))
        #expect(b.title == "Old")
        for item in [a, b] {
            library.savePosition(item.id, milliseconds: 42_000 + Int(item.id))
            #expect(library.addFavourite(item.id) == .added)
            library.countPlay(item.id)
        }
        // Moved into a folder and renamed; given another tag; and then both at once.
        try FileManager.default.createDirectory(atPath: root + "/new", withIntermediateDirectories: true)
        try FileManager.default.moveItem(atPath: root + "/a.mp3", toPath: root + "/new/z.mp3")
        folder.write("media/b.mp3", audio(2, tag: "A new title"))
        #expect(scan(library, root) == (2, 0))
        try FileManager.default.removeItem(atPath: root + "/b.mp3")
        folder.write("media/new/b2.mp3", audio(2, tag: "Third"))
        #expect(scan(library, root) == (1, 0))
        library.close()

        let again = Library(folder, warnings)
        #expect(again.items().count == 2)
        let moved = try #require(again.item(path: root + "/new/z.mp3"))
        #expect(moved.id == a.id)
        #expect(moved.title == "z")
        let retagged = try #require(again.item(path: root + "/new/b2.mp3"))
        #expect(retagged.id == b.id)
        #expect(retagged.title == "Third")
        for item in [moved, retagged] {
            #expect(item.positionMilliseconds == 42_000 + Int(item.id))
            #expect(item.isFavourite)
            #expect(item.playCount == 1)
        }
        #expect(again.search("third").map(\.id) == [b.id])
        #expect(again.search("old").isEmpty)
        #expect(warnings.all.isEmpty)
    }

    @Test func filesThatTradeNamesKeepTheirOwnPositions() throws {
        let root = folder.path + "/media"
        folder.write("media/a.mp3", audio(1))
        folder.write("media/b.mp3", audio(2) + [1, 2, 3])
        let library = Library(folder, warnings)
        _ = scan(library, root)
        let a = try #require(library.item(path: root + "/a.mp3")).id
        let b = try #require(library.item(path: root + "/b.mp3")).id
        let files = FileManager.default
        try files.moveItem(atPath: root + "/a.mp3", toPath: root + "/x")
        try files.moveItem(atPath: root + "/b.mp3", toPath: root + "/a.mp3")
        try files.moveItem(atPath: root + "/x", toPath: root + "/b.mp3")
        _ = scan(library, root)
        #expect(library.item(path: root + "/a.mp3")?.id == b)
        #expect(library.item(path: root + "/b.mp3")?.id == a)
        #expect(library.item(a)?.isPresent == true)
        #expect(library.item(b)?.isPresent == true)
    }

    @Test func aCopyDoesNotTakeTheOriginalsPlace() throws {
        let root = folder.path + "/media"
        folder.write("media/m.mp3", audio(1))
        let library = Library(folder, warnings)
        _ = scan(library, root)
        let id = try #require(library.item(path: root + "/m.mp3")).id
        folder.write("media/a copy.mp3", audio(1))
        folder.write("media/z copy.mp3", audio(1))
        #expect(scan(library, root).missing == 0)
        #expect(library.items().map(\.path) == [root + "/m.mp3"])
        #expect(scan(library, root).missing == 0)
        // The original goes: a copy steps in for it.
        try FileManager.default.removeItem(atPath: root + "/m.mp3")
        #expect(scan(library, root).missing == 0)
        #expect(library.items().map(\.path) == [root + "/a copy.mp3"])
        #expect(library.items().map(\.id) == [id])
        _ = scan(library, root)
        #expect(library.items().map(\.path) == [root + "/a copy.mp3"])
    }

    @Test func otherContentUnderTheSameNameIsAnotherItem() throws {
        let root = folder.path + "/media"
        folder.write("media/news.mp3", audio(1))
        let library = Library(folder, warnings)
        _ = scan(library, root)
        let old = try #require(library.item(path: root + "/news.mp3")).id
        library.savePosition(old, milliseconds: 5000)
        folder.write("media/news.mp3", audio(2) + [1])
        _ = scan(library, root)
        let new = try #require(library.item(path: root + "/news.mp3"))
        #expect(new.id != old)
        #expect(new.positionMilliseconds == 0)
        #expect(library.items().map(\.id) == [new.id])
        #expect(library.item(old)?.isPresent == false)
        #expect(library.item(old)?.positionMilliseconds == 5000)
    }

    @Test func missingFilesAreRememberedAndFoundAgain() throws {
        let root = folder.path + "/media"
        let file = folder.write("media/stick/a.mp3", audio(1))
        folder.write("media/b.mp3", audio(2))
        let library = Library(folder, warnings)
        _ = scan(library, root)
        let id = try #require(library.item(path: file)).id
        _ = library.addFavourite(id)
        library.savePosition(id, milliseconds: 9000)
        try FileManager.default.moveItem(atPath: root + "/stick", toPath: folder.path + "/pulled")
        #expect(scan(library, root) == (0, 1))
        #expect(library.items().count == 1)
        #expect(library.counts().items == 1)
        #expect(library.search("a").isEmpty)
        #expect(library.item(id)?.isPresent == false)
        #expect(library.favourites().map(\.item.id) == [id])
        #expect(library.favourites().first?.item.isPresent == false)
        // A second scan has nothing to say.
        #expect(scan(library, root) == (0, 0))
        try FileManager.default.moveItem(atPath: folder.path + "/pulled", toPath: root + "/stick")
        #expect(scan(library, root) == (0, 0))
        #expect(library.items().map(\.id).contains(id))
        #expect(library.item(id)?.positionMilliseconds == 9000)
        library.markMissing(id)
        #expect(!library.items().map(\.id).contains(id))
        // A scan that could not be finished makes nothing missing.
        library.beginScan()
        library.cancelScan()
        #expect(library.endScan() == 0)
        #expect(library.items().count == 1)
    }

    @Test func aScanOfOneFolderLeavesTheOthersAlone() {
        let library = Library(folder, warnings)
        let paths = ["/m/a/1.mp3", "/m/a/2.mp3", "/m/ab/3.mp3", "/m/A/4.mp3", "/m/á/5.mp3", "/m/a.mp3"]
        for (number, path) in paths.enumerated() { library.upsert(probe(number, path: path)) }
        library.beginScan()
        #expect(library.endScan(ofFolder: "/m/a") == 2)
        #expect(Set(library.items().map(\.path)) == ["/m/ab/3.mp3", "/m/A/4.mp3", "/m/á/5.mp3", "/m/a.mp3"])
        library.beginScan()
        #expect(library.endScan(ofFolder: "/m/á/") == 1)
        #expect(library.endScan(ofFolder: "/m") == 0)
        library.beginScan()
        #expect(library.endScan() == 3)
    }

    @Test func listsInFolderOrderAndByPages() {
        let library = Library(folder, warnings)
        var paths: [String] = []
        for book in ["Alpha 2", "Alpha 10", "beta", "Çelik"] {
            for chapter in 1...12 { paths.append("/m/\(book)/Chapter \(chapter).mp3") }
        }
        var random = SeededGenerator(seed: 3)
        for (number, path) in paths.enumerated().shuffled(using: &random) { library.upsert(probe(number, path: path)) }
        #expect(library.items().map(\.path) == paths)
        for size in [1, 5, 7, 48, 100] {
            var paged: [String] = []
            while true {
                let page = library.items(offset: paged.count, limit: size)
                if page.isEmpty { break }
                #expect(page.count <= size)
                paged += page.map(\.path)
            }
            #expect(paged == paths)
        }
        #expect(library.items(inFolder: "/m/Alpha 10").map(\.path) == Array(paths[12..<24]))
        #expect(library.items(inFolder: "/m/Alpha 10/", offset: 10).map(\.path) == Array(paths[22..<24]))
        #expect(library.items(inFolder: "/m/Alpha 1").isEmpty)
        #expect(library.items(inFolder: "/m/alpha 10").isEmpty)
        #expect(library.items(inFolder: "/").count == 48)
        #expect(library.itemIDs() == library.items().map(\.id))
        #expect(library.itemIDs(inFolder: "/m/beta") == library.items(inFolder: "/m/beta").map(\.id))
    }

    @Test func aFoldersContentsAreItsFoldersAndItems() {
        let library = Library(folder, warnings)
        let paths = [
            "/m/10 last.mp3", "/m/2 first/a.mp3", "/m/2 first/deep/b.mp3", "/m/2 First/c.mp3", "/m/é/d.mp3", "/m/e.mp3",
            "/m/2 first/z.mp3",
        ]
        for (number, path) in paths.enumerated() { library.upsert(probe(number, path: path)) }
        func names(_ folder: String) -> [String] {
            library.contents(ofFolder: folder).map {
                switch $0 {
                case .folder(let path): path + "/"
                case .item(let item): item.path
                }
            }
        }
        #expect(
            Set(names("/m"))
                == ["/m/2 first/", "/m/2 First/", "/m/10 last.mp3", "/m/é/", "/m/e.mp3"])
        #expect(names("/m").count == 5)
        #expect(names("/m/2 first") == ["/m/2 first/a.mp3", "/m/2 first/deep/", "/m/2 first/z.mp3"])
        #expect(names("/m/é/") == ["/m/é/d.mp3"])
        #expect(names("/") == ["/m/"])
        #expect(names("/nowhere").isEmpty)
    }

    @Test func searchFindsWordsByTheirBeginnings() throws {
        let library = Library(folder, warnings)
        let wind = try #require(
            library.upsert(
                probe(
                    1, path: "/m/Willows/01.mp3", title: "The River Bank", artist: "Kenneth Grahame",
                    album: "The Wind in the Willows"))
        ).id
        let elan = try #require(
            library.upsert(probe(2, path: "/m/x/02.mp3", title: "Ém ile's \"Élan\" (50%)", artist: "Ödön von Horváth"))
        ).id
        let moscow = try #require(library.upsert(probe(3, path: "/m/x/Москва 2.mp3", artist: "Kenneth"))).id
        #expect(library.search("wind").map(\.id) == [wind])
        #expect(library.search("WIL wi").map(\.id) == [wind])
        #expect(library.search("grahame river").map(\.id) == [wind])
        #expect(library.search("ken").map(\.id).sorted() == [wind, moscow])
        #expect(library.search("elan").map(\.id) == [elan])
        #expect(library.search("odon horvath").map(\.id) == [elan])
        #expect(library.search("\"Élan\"").map(\.id) == [elan])
        #expect(library.search("москва").map(\.id) == [moscow])
        #expect(library.search("ind").isEmpty)
        #expect(library.search("ken", offset: 1, limit: 5).count == 1)
        #expect(library.search("ken", limit: 1).count == 1)
        #expect(library.search("").isEmpty)
        #expect(library.search(" \n\t ").isEmpty)
        #expect(warnings.all.isEmpty)
    }

    @Test func whateverIsSearchedForDoesNoHarm() {
        let library = Library(folder, warnings)
        library.upsert(probe(1, title: "one two three"))
        let hostile = [
            "\"", "*", "one AND", "NEAR(", "title:one", "-", "one OR two NOT three", "'", "()", "^one", "one\0two",
            "%_", "\\",
            "{a b}: c", "\u{FFFF}", String(repeating: "one ", count: 200), String(repeating: "x", count: 100_000), "+",
            "!!",
        ]
        for text in hostile { _ = library.search(text) }
        var random = SeededGenerator(seed: 8)
        let alphabet = Array("\"*()^:{}+-,.'% oneANDNOTéß\0\u{1F600}")
        for _ in 0..<500 {
            _ = library.search(
                String(
                    (0..<Int.random(in: 0...20, using: &random)).map { _ in alphabet.randomElement(using: &random)! }))
        }
        #expect(warnings.all.isEmpty)
        #expect(library.search("two").count == 1)
        #expect(library.path != nil)
    }

    @Test func countsWhatIsThere() throws {
        let library = Library(folder, warnings)
        library.upsert(probe(1, artist: "A", album: "X", durationMilliseconds: 1000))
        library.upsert(probe(2, artist: "A", album: "Y", durationMilliseconds: nil))
        library.upsert(probe(3, artist: "B", album: "Y", durationMilliseconds: 2500))
        let id = try #require(library.upsert(probe(4, artist: "C", album: "Z", durationMilliseconds: 10_000))).id
        library.upsert(probe(5))
        library.markMissing(id)
        #expect(library.counts() == Library.Counts(items: 4, artists: 2, albums: 2, durationMilliseconds: 103_500))
    }
}
