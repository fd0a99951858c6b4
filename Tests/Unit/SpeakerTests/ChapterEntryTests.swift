// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Media
import Model
import TestSupport
import Testing

@testable import Speaker
@testable import SpeakerBench

/// Files of a minute, each with chapters at 0, 20 and 40 s. The queue is chapters of them.
@Suite("Chapters in the queue") struct ChapterEntryTests {
    /// - Parameter chapters: of the first file, or with 10 more of the second.
    private func queue(_ chapters: [UInt16], _ folder: TemporaryFolder? = nil) throws -> Bench {
        let bench = Bench(stateFolder: folder?.path)
        let items = bench.add("a", "b")
        bench.teach([0, 20_000, 40_000])
        bench.speaker.remove(0..<2)
        _ = try bench.speaker.insert(
            pieces: chapters.map { Queue.Piece(items[$0 > 10 ? 1 : 0], chapter: $0 > 10 ? $0 - 10 : $0) })
        bench.speaker.go(to: 0, play: true, isChosen: true)
        return bench
    }

    /// The clock goes on, and the ear with it.
    private func hear(_ bench: Bench, milliseconds: Int) {
        for _ in 0..<milliseconds / 10 {
            if bench.player.isAdvancing { bench.player.positionMilliseconds += 10 }
            bench.pass(milliseconds: 10)
        }
    }

    private func place(_ bench: Bench) -> [Int?] {
        [bench.speaker.queue.currentIndex, bench.player.positionMilliseconds / 1000]
    }

    @Test func eachIsPlayedFromItsBeginningToItsEnd() throws {
        let bench = try queue([3, 1, 12])
        #expect(place(bench) == [0, 40] && bench.title == "a")
        bench.player.reachEnd()
        #expect(place(bench) == [1, 0] && bench.player.wantsToPlay)
        hear(bench, milliseconds: 19_900)
        #expect(place(bench) == [1, 19])
        hear(bench, milliseconds: 500)
        #expect(place(bench) == [2, 20] && bench.title == "b" && bench.player.wantsToPlay)
        hear(bench, milliseconds: 20_000)
        #expect(place(bench) == [2, 40] && !bench.player.wantsToPlay && bench.timesEnded == 1)
    }

    @Test func theSameOnceMoreAndNoMore() throws {
        let bench = try queue([2, 1])
        bench.speaker.set {
            $0.single = .on
            $0.repeats = true
        }
        hear(bench, milliseconds: 20_500)
        #expect(place(bench) == [0, 20] && bench.player.wantsToPlay)
        bench.speaker.set { $0.repeats = false }
        hear(bench, milliseconds: 20_500)
        #expect(place(bench) == [1, 0] && !bench.player.wantsToPlay)
    }

    @Test func whatWasHeardLeavesWhereItIsToBeSo() throws {
        let bench = try queue([2, 1])
        bench.speaker.set { $0.consumes = true }
        hear(bench, milliseconds: 20_500)
        #expect(bench.speaker.queue.count == 1 && place(bench) == [0, 0])
    }

    @Test(arguments: [Sleep.chapter, .item]) func oneFallsAsleepWithIt(_ sleep: Sleep) throws {
        let bench = try queue([1, 3])
        bench.press(.sleep(sleep))
        hear(bench, milliseconds: 25_000)
        #expect(!bench.player.wantsToPlay)
        bench.press(.play)
        hear(bench, milliseconds: 1000)
        #expect(bench.speaker.queue.currentIndex == 1 && bench.player.positionMilliseconds >= 40_000)
    }

    @Test func nextAndPreviousGoByEntries() throws {
        let bench = try queue([2, 13])
        bench.press(.next)
        #expect(place(bench) == [1, 40] && bench.title == "b")
        bench.press(.skip(milliseconds: 5000), .previous)
        #expect(place(bench) == [1, 40])
        bench.press(.previous)
        #expect(place(bench) == [0, 20] && bench.title == "a")
        // No further back than where the chapter begins, and beyond its end comes the next.
        bench.press(.skip(milliseconds: -10_000))
        #expect(place(bench) == [0, 20])
        bench.press(.skip(milliseconds: 30_000))
        hear(bench, milliseconds: 20)
        #expect(place(bench) == [1, 40] && bench.title == "b")
    }

    @Test func afterAPowerCutItIsTheSameChapter() throws {
        let folder = try TemporaryFolder()
        let first = try queue([1, 3, 12], folder)
        first.speaker.edit { $0.prioritise(1..<2, 7) }
        first.speaker.go(to: 1, play: true, isChosen: true)
        first.press(.seek(milliseconds: 45_000))
        first.end()
        let second = Bench(stateFolder: folder.path)
        #expect(second.speaker.queue.entries.map { $0.chapter } == [1, 3, 12 - 10])
        #expect(place(second) == [1, 45])
    }

    @Test func aChapterThatIsGoneIsTheWhole() throws {
        let bench = try queue([1, 3])
        bench.teach([])
        bench.press(.next)
        #expect(place(bench) == [1, 0] && bench.speaker.currentBounds == nil)
    }

    /// Something within a file that was found is not looked for in one of its chapters.
    @Test func aPlaceIsGoneToInTheWholeFile() throws {
        let bench = try queue([1, 3])
        let item = bench.speaker.queue.entries[0].itemID
        #expect(bench.speaker.play(item, fromMilliseconds: 30_000, asked: nil))
        #expect(bench.speaker.queue.current?.chapter == 0 && place(bench) == [1, 30])
        hear(bench, milliseconds: 15_000)
        #expect(place(bench) == [1, 45])
    }

    @Test func thatAnotherChapterIsHeardIsTold() {
        let bench = Bench()
        bench.teach([0, 20_000, 40_000])
        bench.add("a")
        bench.press(.play)
        #expect(bench.speaker.status.chapter == "Chapter 1")
        hear(bench, milliseconds: 19_000)
        _ = bench.changed()
        hear(bench, milliseconds: 1100)
        #expect(bench.changed().contains(.player) && bench.speaker.status.chapter == "Chapter 2")
        hear(bench, milliseconds: 5000)
        #expect(!bench.changed().contains(.player))
    }
}
