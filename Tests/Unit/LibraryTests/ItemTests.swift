// SPDX-License-Identifier: Apache-2.0
import CPosix
import Core
import Foundation
import Model
import TestSupport
import Testing

@testable import Library

/// The files of the library: scans, renamed and retagged files, order, search.
@Suite struct ItemTests {
    private let folder = TemporaryFolder()
    private let warnings = Warnings()

    /// Treats a file as the feed thread does: the "audio" is everything between "<tag>" and "</tag>".
    private func scan(_ library: Library, _ root: String) -> (looked: Int, missing: Int) {
        var seen: Set<Item.ID> = []
        var looked = 0
        var unknown: [(String, Int64, Int64)] = []
        let files = FileManager.default.enumerator(atPath: root)!.compactMap { $0 as? String }.filter {
            $0.hasSuffix(".mp3")
        }
        for name in files.sorted() {
            let path = root + "/" + name
            var status = stat()
            guard stat(path, &status) == 0 else { continue }
            let bytes = Int64(status.st_size)
            let modified = Int64(status.st_mtim.tv_sec)
            if let id = library.knownItem(path: path, fileBytes: bytes, fileModifiedSeconds: modified) {
                seen.insert(id)
                continue
            }
            unknown.append((path, bytes, modified))
        }
        for (path, bytes, modified) in unknown {
            looked += 1
            let content = FileManager.default.bytes(path)
            let start = content.firstIndex(of: UInt8(ascii: ">")).map { $0 + 1 } ?? 0
            let identity = ContentIdentity(audioStart: Int64(start), audioEnd: Int64(content.count)) { offset, buffer in
                buffer.copyBytes(from: content[Int(offset)...].prefix(buffer.count))
                return buffer.count
            }!
            let title = start == 0 ? "" : String(decoding: content[1..<(start - 1)], as: UTF8.self)
            // A file that left its place is away, until it is found elsewhere.
            for file in library.files(of: identity) where !seen.contains(file.id) {
                var status = stat()
                let stands =
                    stat(file.path, &status) == 0 && Int64(status.st_size) == file.fileBytes
                    && Int64(status.st_mtim.tv_sec) == file.fileModifiedSeconds
                if !stands { library.setPresent([file.id], false) }
            }
            let item = library.upsert(
                Probe(
                    identity: identity, path: path, fileBytes: bytes, fileModifiedSeconds: modified,
                    tags: TagList([(.title, title)]),
                    durationMilliseconds: 600_000))
            seen.insert(item!.id)
        }
        return (looked, library.sweep(root, found: seen))
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
        #expect(library.allItems().count == 20)
        #expect(warnings.all.isEmpty)
    }

    @Test func renamedMovedAndRetaggedFilesKeepWhatIsRemembered() throws {
        let root = folder.path + "/media"
        folder.write("media/a.mp3", audio(1))
        folder.write("media/b.mp3", audio(2, tag: "Old"))
        let library = Library(folder, warnings)
        library.root = root
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
        folder.write("media/other/b2.mp3", audio(2, tag: "Third"))
        #expect(scan(library, root) == (1, 0))
        library.close()

        let again = Library(folder, warnings)
        #expect(again.allItems().count == 2)
        let moved = try #require(again.item(path: root + "/new/z.mp3"))
        #expect(moved.id == a.id)
        #expect(moved.title == "z")
        let retagged = try #require(again.item(path: root + "/other/b2.mp3"))
        #expect(retagged.id == b.id)
        #expect(retagged.title == "Third")
        for item in [moved, retagged] {
            #expect(item.positionMilliseconds == 42_000 + Int(item.id))
            #expect(item.isFavourite)
            #expect(item.playCount == 1)
        }
        #expect(warnings.all.isEmpty)
    }

    @Test func filesThatTradeNamesKeepTheirOwnPositions() throws {
        let root = folder.path + "/media"
        folder.write("media/a.mp3", audio(1))
        folder.write("media/b.mp3", audio(2) + [1, 2, 3])
        let library = Library(folder, warnings)
        library.root = root
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

    /// Two files of the same audio are two items, and share the memory of the audio.
    @Test func copiesShareWhatIsRemembered() throws {
        let root = folder.path + "/media"
        folder.write("media/m.mp3", audio(1))
        let library = Library(folder, warnings)
        _ = scan(library, root)
        let original = try #require(library.item(path: root + "/m.mp3"))
        folder.write("media/a copy.mp3", audio(1))
        folder.write("media/tonight/z copy.mp3", audio(1))
        #expect(scan(library, root) == (2, 0))
        #expect(
            library.allItems().map(\.path)
                == [root + "/a copy.mp3", root + "/m.mp3", root + "/tonight/z copy.mp3"])
        #expect(library.item(path: root + "/m.mp3")?.id == original.id)
        let copy = try #require(library.item(path: root + "/tonight/z copy.mp3"))
        #expect(copy.id != original.id)
        #expect(copy.contentID == original.contentID)
        library.savePosition(copy.id, milliseconds: 12_000)
        library.countPlay(original.id)
        #expect(library.addFavourite(copy.id) == .added)
        #expect(library.addFavourite(original.id) == .alreadyThere)
        library.saveSeekTable(copy.id, [1, 2, 3], durationMilliseconds: 77_000)
        for item in library.allItems() {
            #expect(item.positionMilliseconds == 12_000)
            #expect(item.playCount == 1)
            #expect(item.isFavourite)
            #expect(item.durationMilliseconds == 77_000)
            #expect(library.seekTable(item.id) == [1, 2, 3])
        }
        #expect(library.favourites().count == 1)
        // Nothing has changed, nothing is looked into.
        #expect(scan(library, root) == (0, 0))
        // The original goes: its item is missing, the copies are what they were.
        try FileManager.default.removeItem(atPath: root + "/m.mp3")
        #expect(scan(library, root) == (0, 1))
        #expect(library.allItems().count == 2)
        #expect(library.favourites().first?.item.path == root + "/a copy.mp3")
        // A copy is moved while there are others: it keeps its item.
        try FileManager.default.moveItem(atPath: root + "/tonight/z copy.mp3", toPath: root + "/z.mp3")
        #expect(scan(library, root) == (1, 0))
        #expect(library.removeFavourite(copy.id))
        #expect(library.favourites().isEmpty)
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
        #expect(library.allItems().map(\.id) == [new.id])
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
        #expect(library.allItems().count == 1)
        #expect(library.counts().items == 1)
        #expect(library.item(id)?.isPresent == false)
        #expect(library.favourites().map(\.item.id) == [id])
        #expect(library.favourites().first?.item.isPresent == false)
        // A second scan has nothing to say.
        #expect(scan(library, root) == (0, 0))
        try FileManager.default.moveItem(atPath: folder.path + "/pulled", toPath: root + "/stick")
        #expect(scan(library, root) == (0, 0))
        #expect(library.allItems().map(\.id).contains(id))
        #expect(library.item(id)?.positionMilliseconds == 9000)
        library.markMissing(id)
        #expect(!library.allItems().map(\.id).contains(id))
    }

    @Test func aScanOfOneFolderLeavesTheOthersAlone() {
        let library = Library(folder, warnings)
        let paths = ["/m/a/1.mp3", "/m/a/2.mp3", "/m/ab/3.mp3", "/m/A/4.mp3", "/m/á/5.mp3", "/m/a.mp3"]
        for (number, path) in paths.enumerated() { library.upsert(probe(number, path: path)) }
        func missing(_ folder: String?) -> Int { library.sweep(folder) }
        #expect(missing("/m/a") == 2)
        #expect(Set(library.allItems().map(\.path)) == ["/m/ab/3.mp3", "/m/A/4.mp3", "/m/á/5.mp3", "/m/a.mp3"])
        #expect(missing("/m/á/") == 1)
        #expect(missing(nil) == 3)
        #expect(missing("/m") == 0)
    }

    @Test func countsWhatIsThere() throws {
        let library = Library(folder, warnings)
        library.upsert(probe(1, artist: "A", album: "X", durationMilliseconds: 1000))
        library.upsert(probe(2, artist: "A", album: "Y", durationMilliseconds: nil))
        library.upsert(probe(3, artist: "B", album: "Y", durationMilliseconds: 2500))
        let id = try #require(library.upsert(probe(4, artist: "C", album: "Z", durationMilliseconds: 10_000))).id
        library.upsert(probe(5))
        library.markMissing(id)
        #expect(library.counts() == LibraryStatistics(items: 4, artists: 2, albums: 2, durationMilliseconds: 103_500))
    }

    /// Counts stay known until something changes.
    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    func countsFollowEveryChange(seed: UInt64) throws {
        var dice = SeededGenerator(seed: seed)
        let library = Library(folder, warnings)
        var ids: [Item.ID] = []
        for step in 0..<60 {
            let number = Int.random(in: 1...12, using: &dice)
            let text = "\(Int.random(in: 0...3, using: &dice))"
            switch Int.random(in: 0..<6, using: &dice) {
            case 0, 1:
                let taken = library.takeIn(
                    probe(
                        number, path: "/m/\(text)\(number).mp3", artist: text, album: "\(number % 3)",
                        durationMilliseconds: dice.next() % 2 == 0 ? nil : number * 1000))
                ids.append(try #require(taken).id)
            case 2: library.setPresent(ids.filter { $0 % 3 == Int64(number % 3) }, dice.next() % 2 == 0)
            case 3: if let id = ids.randomElement(using: &dice) { library.markMissing(id) }
            case 4:
                if let id = ids.randomElement(using: &dice) { library.saveDuration(id, milliseconds: number * 7) }
            default: library.forget(goneSince: 4_000_000_000)
            }
            let items = library.allItems()
            let expected = LibraryStatistics(
                items: items.count, artists: Set(items.map(\.artist)).subtracting([""]).count,
                albums: Set(items.map(\.album)).subtracting([""]).count,
                durationMilliseconds: items.reduce(0) { $0 + Int64($1.durationMilliseconds ?? 0) })
            #expect(library.counts() == expected, "seed \(seed), step \(step)")
            #expect(library.counts() == expected, "again: seed \(seed), step \(step)")
        }
    }

    @Test func whatIsAskedForEachFileOfAScanIsNotSorted() throws {
        let library = Library(folder, warnings)
        for sql in [Library.byPathAndTime, Library.byPath] {
            let plan = try library.database.prepare("EXPLAIN QUERY PLAN \(sql)")
            var steps: [String] = []
            while try plan.step() { steps.append(plan.text(3)) }
            #expect(steps.first == "SEARCH item USING INDEX itemPath (path=?)")
            #expect(!steps.contains { $0.contains("TEMP B-TREE") })
        }
    }

    /// The same path may have been several files, one after the other.
    @Test func theFileThatIsThereIsTheOneAtAPath() throws {
        let library = Library(folder, warnings)
        let first = try #require(library.upsert(probe(1, path: "/m/a.mp3"))).id
        let second = try #require(library.upsert(probe(2, path: "/m/a.mp3"))).id
        func known() -> Library.KnownFile? {
            library.knownFile(path: "/m/a.mp3", fileBytes: 5000, fileModifiedSeconds: 1_700_000_000)
        }
        #expect(known()?.id == second && known()?.isPresent == true)
        #expect(library.item(path: "/m/a.mp3")?.id == second)
        library.setPresent([second], false)
        #expect(known()?.id == second && known()?.isPresent == false)
        library.setPresent([first], true)
        #expect(known()?.id == first && known()?.isPresent == true)
        #expect(library.item(path: "/m/a.mp3")?.id == first)
    }

    @Test(arguments: [
        ("http://h/a/1%20-%20The%20Lamp.mp3?key=%41", "1 - The Lamp.mp3"), ("http://h/%C3%A4.mp3", "ä.mp3"),
        ("http://h/%E4.mp3", "%E4.mp3"), ("http://h/50%.mp3", "50%.mp3"), ("http://h/a%0Ab%", "a%0Ab%"),
        ("http://h/%+1.mp3", "%+1.mp3"), ("http://h/a%2Fb", "a/b"),
    ])
    func anAddressIsCalledAsAPersonWouldWriteIt(address: String, title: String) {
        #expect(Probe(stream: address).tags.values(of: .title) == [title])
    }
}
