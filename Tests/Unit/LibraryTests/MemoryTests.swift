// SPDX-License-Identifier: Apache-2.0
import CPosix
import Foundation
import Model
import TestSupport
import Testing

@testable import Library

/// The library's memory, over restarts.
@Suite struct MemoryTests {
    @Test func aNewLibraryIsEmptyAndWithoutWarning() {
        let folder = TemporaryFolder()
        let warnings = Warnings()
        let library = Library(folder, warnings)
        #expect(library.restoredState == nil)
        #expect(library.allItems().isEmpty)
        #expect(library.favourites().isEmpty)
        #expect(library.counts() == LibraryStatistics())
        #expect(library.path == folder.database)
        #expect(warnings.all.isEmpty)
    }

    @Test func everyFieldOfAnItemComesBack() throws {
        let folder = TemporaryFolder()
        var id: Item.ID = 0
        do {
            let library = Library(folder)
            var full = probe(1, title: "Title\0 with NUL", artist: "Ärtist", album: "専輯", durationMilliseconds: 123_456)
            full.artwork = "embedded"
            id = try #require(library.upsert(full, nowSeconds: 1234)).id
            library.savePosition(id, milliseconds: 77_000)
            library.countPlay(id)
            library.countPlay(id)
            #expect(library.addFavourite(id) == .added)
        }
        let library = Library(folder)
        let item = try #require(library.item(id))
        #expect(item.identity == probe(1).identity)
        #expect(item.path == "/nowhere/books/1/Chapter 1.mp3")
        #expect(item.fileBytes == 5000)
        #expect(item.fileModifiedSeconds == 1_700_000_000)
        #expect(item.title == "Title\0 with NUL")
        #expect(item.artist == "Ärtist")
        #expect(item.album == "専輯")
        #expect(item.durationMilliseconds == 123_456)
        #expect(item.artwork == "embedded")
        #expect(item.addedSeconds == 1234)
        #expect(item.isPresent)
        #expect(item.positionMilliseconds == 77_000)
        #expect(item.playCount == 2)
        #expect(item.isFavourite)
        #expect(library.item(path: item.path)?.id == id)
        #expect(library.item(id + 1) == nil)
        #expect(library.item(path: "/other") == nil)
    }

    @Test func anItemWithoutTagsIsCalledByItsFile() throws {
        let library = Library(TemporaryFolder())
        let item = try #require(library.upsert(probe(1, path: "/a/b.c/The end.of it.mp3")))
        #expect(item.title == "The end.of it")
        #expect(item.durationMilliseconds == 100_000)
        #expect(item.artwork == nil)
    }

    @Test(
        arguments: [
            (0, 100_000, 0), (94_999, 100_000, 94_999), (95_000, 100_000, 95_000), (95_001, 100_000, 0),
            (100_000, 100_000, 0), (200_000, 100_000, 0), (3000, 4000, 0), (0, 4000, 0), (3_600_000, nil, 3_600_000),
        ] as [(Int, Int?, Int)])
    func resumingNeverBeginsInTheLastFiveSeconds(position: Int, duration: Int?, resumed: Int) throws {
        let library = Library(TemporaryFolder())
        let id = try #require(library.upsert(probe(1, durationMilliseconds: duration))).id
        library.savePosition(id, milliseconds: position)
        #expect(library.item(id)?.resumeMilliseconds == resumed)
    }

    @Test func absurdNumbersAreKeptInBounds() throws {
        let warnings = Warnings()
        let library = Library(TemporaryFolder(), warnings)
        let id = try #require(library.upsert(probe(1, durationMilliseconds: -5))).id
        library.savePosition(id, milliseconds: -1)
        #expect(library.item(id)?.positionMilliseconds == 0)
        #expect(library.item(id)?.durationMilliseconds == 0)
        library.savePosition(id, milliseconds: Int.max)
        #expect(library.item(id)?.positionMilliseconds == Int(Int32.max))
        library.save(SpeakerState(volumePercent: 1000))
        library.saveDuration(id, milliseconds: Int.min)
        #expect(library.item(id)?.resumeMilliseconds == 0)
        #expect(library.items(limit: -5).items.isEmpty)
        #expect(library.favourites(offset: Int.max, limit: Int.max).isEmpty)
        #expect(warnings.all.isEmpty)
    }

    @Test func theSpeakerIsWhereItWas() throws {
        let folder = TemporaryFolder()
        let state = SpeakerState(
            currentSongID: 12, currentItemID: 3, isPlaying: true, volumePercent: 35, nextSongID: 14,
            queueIsLibrary: true)
        Library(folder).save(state)
        do {
            let library = Library(folder)
            #expect(library.restoredState == state)
            var next = state
            next.volumePercent = 36
            library.save(next)
            next.currentSongID = nil
            next.currentItemID = nil
            next.isPlaying = false
            next.queueIsLibrary = false
            library.save(next)
        }
        let restored = Library(folder).restoredState
        #expect(restored?.volumePercent == 36)
        #expect(restored?.currentSongID == nil)
        #expect(restored?.currentItemID == nil)
        #expect(restored?.isPlaying == false)
        #expect(restored?.nextSongID == 14)
        #expect(restored?.queueIsLibrary == false)
    }

    /// Numbers that no library wrote, but a failing card may have.
    @Test func impossibleNumbersInTheDatabaseCannotOverflow() throws {
        let folder = TemporaryFolder()
        do {
            let library = Library(folder)
            library.upsert(probe(1))
            _ = library.addFavourite(1)
            let queue = [Int.min, -1, 5, Int.max].map { QueueEntry(songID: $0, itemID: 1) }
            library.saveQueue(.replace(queue))
            library.save(SpeakerState(currentSongID: Int.min, nextSongID: Int.max))
            try library.database.execute("PRAGMA ignore_check_constraints = ON")
            for number in ["-9223372036854775808", "9223372036854775807"] {
                try library.database.execute(
                    """
                    UPDATE item SET duration = \(number), added = \(number), fileBytes = \(number);
                    UPDATE workPlace SET milliseconds = \(number); UPDATE plays SET playCount = \(number);
                    UPDATE fact SET time = \(number), value = '{"added":\(number)}'; UPDATE speaker SET volume = \(number)
                    """)
                let item = try #require(library.item(1))
                #expect((0...Int(Int32.max)).contains(item.durationMilliseconds ?? -1))
                #expect((0...Int(Int32.max)).contains(item.resumeMilliseconds))
                #expect((0...Int(Int32.max)).contains(item.playCount))
                #expect(item.addedSeconds >= 0 && library.favourites()[0].addedSeconds >= 0)
                #expect(library.counts().durationMilliseconds >= 0)
            }
        }
        let again = Library(folder)
        let restored = try #require(again.restoredState)
        #expect(again.restoredQueue().map(\.songID) == [5])
        #expect(restored.volumePercent == 100)
        #expect(restored.nextSongID > 5 && restored.nextSongID <= 1 << 30)
    }

    @Test func anyBytesDecodeToSomeQueue() {
        var random = SeededGenerator(seed: 6)
        for _ in 0..<2000 {
            let bytes = (0..<Int.random(in: 0...60, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            #expect(QueueRows.decode(bytes).count <= bytes.count / 2)
        }
    }

    @Test func frameIndexesComeBackAndFixTheDuration() throws {
        let folder = TemporaryFolder()
        let library = Library(folder)
        let id = try #require(library.upsert(probe(1, durationMilliseconds: 15_000_000))).id
        #expect(library.seekTable(id) == nil)
        var random = SeededGenerator(seed: 1)
        for count in [0, 1, 1000, 100_000] {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            library.saveSeekTable(id, bytes, durationMilliseconds: 36_000_000)
            #expect(library.seekTable(id) == bytes)
        }
        // Looking into the file again gives an estimate; the truth stays.
        library.upsert(probe(1, title: "Retagged", durationMilliseconds: 15_000_000))
        #expect(library.item(id)?.durationMilliseconds == 36_000_000)
        #expect(library.item(id)?.title == "Retagged")
    }

    @Test func aBatchIsOneTransactionAndNests() throws {
        let folder = TemporaryFolder()
        let library = Library(folder)
        library.batch {
            library.batch { for number in 1...50 { library.upsert(probe(number)) } }
            library.save(SpeakerState(volumePercent: 7))
            for number in 51...100 { library.upsert(probe(number)) }
        }
        #expect(library.allItems().count == 100)
        #expect(!library.database.isInTransaction)
        library.close()
        #expect(Library(folder).allItems().count == 100)
        #expect(Library(folder).restoredState?.volumePercent == 7)
    }

    @Test func afterClosingTheLibraryIsEmptyAndHarmless() throws {
        let folder = TemporaryFolder()
        let warnings = Warnings()
        let library = Library(folder, warnings)
        let id = try #require(library.upsert(probe(1))).id
        library.close()
        #expect(library.allItems().isEmpty)
        #expect(library.path == nil)
        library.savePosition(id, milliseconds: 5)
        library.settle()
        #expect(warnings.all.isEmpty)
        // Nothing but the database is left: the log was moved into it.
        #expect(folder.names == ["nightstand.db", "nightstand.db.schema"])
        #expect(Library(folder).item(id)?.positionMilliseconds == 0)
    }
}
