// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Media
import Model
import TestSupport
import Testing

@testable import Speaker
@testable import SpeakerBench

/// Files of a minute: a, b and c are one book, x is another.
@Suite("Books in play") struct BookTests {
    private func playing(at milliseconds: Int, _ chapters: [Int] = []) -> Bench {
        let bench = Bench()
        bench.add("a", "b", "c")
        bench.add("x", folder: "/other")
        bench.teach(chapters)
        bench.press(.playEntry(id: 1))
        bench.player.positionMilliseconds = milliseconds
        _ = bench.said()
        return bench
    }

    @Test func chaptersAreGoneBy() {
        let bench = playing(at: 5000, [0, 20_000, 40_000])
        bench.press(.next)
        #expect(bench.title == "a" && bench.player.positionMilliseconds == 20_000 && bench.player.wantsToPlay)
        #expect(
            bench.showing.chapter == "Chapter 2" && bench.showing.chapterNumber == 2 && bench.showing.chapterCount == 3)
        bench.press(.next, .next)
        #expect(bench.title == "b" && bench.player.positionMilliseconds == 0)
        // Within its first seconds the one before is meant: the last of the file before.
        bench.player.positionMilliseconds = 2900
        bench.press(.previous)
        #expect(bench.title == "a" && bench.player.positionMilliseconds == 40_000)
        bench.player.positionMilliseconds = 43_000
        bench.press(.previous)
        #expect(bench.player.positionMilliseconds == 40_000)
        bench.press(.previous, .previous)
        #expect(bench.player.positionMilliseconds == 0 && bench.said() == [])
        bench.press(.previous)
        #expect(bench.title == "a" && bench.player.positionMilliseconds == 0 && bench.said() == [.firstItem])
    }

    /// At its end a book begins anew, if a listener wants that; the sleep timer's end of the book goes before.
    @Test func aBookIsRepeated() throws {
        let bench = playing(at: 0)
        #expect(bench.speaker.status(of: .repeats)?.value == "off")
        #expect(bench.speaker.choose("book", of: .repeats) && bench.player.followingChanges > 0)
        for title in ["b", "c", "a", "b", "c"] {
            bench.player.reachEnd()
            #expect(bench.title == title && bench.player.wantsToPlay && bench.player.positionMilliseconds == 0)
        }
        bench.press(.sleep(.book))
        bench.player.reachEnd()
        #expect(!bench.player.wantsToPlay && bench.speaker.sleep.setting == .off)
        // A book of one file.
        let other = try #require(bench.library.item(titled: "x"))
        bench.press(.playItem(other))
        bench.player.reachEnd()
        #expect(bench.title == "x" && bench.player.wantsToPlay && bench.player.positionMilliseconds == 0)
        #expect(bench.speaker.choose("off", of: .repeats))
        bench.player.reachEnd()
        #expect(!bench.player.wantsToPlay)
    }

    @Test func chaptersThatBeginLate() {
        let bench = playing(at: 1000, [10_000])
        #expect(bench.showing.chapterNumber == 0)
        bench.press(.previous)
        #expect(bench.said() == [.firstItem] && bench.player.positionMilliseconds == 0)
        bench.press(.next)
        #expect(bench.player.positionMilliseconds == 10_000)
    }

    @Test func byFileWhereThatIsWanted() {
        let bench = playing(at: 5000, [0, 20_000])
        bench.speaker.rules.stepsByChapter = false
        bench.press(.next)
        #expect(bench.title == "b" && bench.player.positionMilliseconds == 0)
        bench.press(.previous)
        // A file with chapters is a book of its own, which goes on where it was left.
        #expect(bench.title == "a" && bench.player.positionMilliseconds == 5000)
    }

    @Test func theEndOfAFileIsNoneWithinABook() {
        let bench = playing(at: 55_000)
        bench.press(.skip(milliseconds: 10_000))
        #expect(bench.title == "b" && bench.player.positionMilliseconds == 5000 && bench.player.wantsToPlay)
        // The book has one place.
        let place = bench.library.book(of: bench.speaker.queue.entries[0].itemID)?.left
        #expect(place?.index == 1 && place?.milliseconds == 5000)
        bench.press(.skip(milliseconds: -10_000))
        #expect(bench.title == "a" && bench.player.positionMilliseconds == 55_000)
        // Paused it stays so.
        bench.press(.pause, .skip(milliseconds: 10_000))
        #expect(bench.title == "b" && !bench.player.wantsToPlay)
        // A longer way than the next file is.
        bench.press(.skip(milliseconds: 3_600_000))
        #expect(bench.title == "c" && bench.player.positionMilliseconds == 59_999)
    }

    @Test func theEndOfABookIsOne() {
        let bench = playing(at: 0)
        bench.press(.playEntry(id: 3), .seek(milliseconds: 55_000), .skip(milliseconds: 10_000))
        #expect(bench.title == "c" && bench.player.isAtEnd && !bench.player.wantsToPlay)
        bench.press(.playEntry(id: 4), .skip(milliseconds: -10_000))
        #expect(bench.title == "x" && bench.player.positionMilliseconds == 0)
        bench.press(.playEntry(id: 1), .seek(milliseconds: 5000), .skip(milliseconds: -10_000))
        #expect(bench.title == "a" && bench.player.positionMilliseconds == 0)
    }

    @Test func asMPDHasIt() {
        let bench = playing(at: 30_000)
        bench.speaker.rules.resumes = false
        bench.speaker.rules.keepsPause = false
        bench.press(.pause, .next)
        #expect(bench.title == "b" && bench.player.wantsToPlay)
        bench.press(.previous)
        #expect(bench.title == "a" && bench.player.positionMilliseconds == 0)
        bench.player.positionMilliseconds = 30_000
        bench.press(.playEntry(id: 2), .playEntry(id: 1))
        #expect(bench.player.positionMilliseconds == 0)
        // The next item begins anew as well.
        bench.press(.playEntry(id: 2))
        bench.player.positionMilliseconds = 30_000
        bench.press(.playEntry(id: 1))
        bench.player.reachEnd()
        #expect(bench.title == "b" && bench.player.positionMilliseconds == 0)
    }
}
