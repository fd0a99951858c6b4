// SPDX-License-Identifier: Apache-2.0
import Library
import Model
import Posix
import Testing

@testable import Speaker
@testable import SpeakerBench

@Suite("The current item and how it goes") struct ListeningTests {
    private let bench = Bench()
    private let listening: Listening

    init() { listening = Listening(bench.library, bench.player, bench.timers, store: nil) }

    private func items() throws -> [Item] { bench.library.items(bench.add("a", "b")) }

    private func plays(of item: Item) -> Int { bench.library.item(item.id)?.playCount ?? 0 }

    @Test func anotherItemTakesTheTroubleOfTheOneBefore() throws {
        let items = try items()
        listening.begin(items[0], at: 0)
        listening.troubles.itemDidFail("read /books/a.mp3: Input/output error")
        listening.troubles.didGiveUp()
        #expect(listening.troubles.ofItem != nil && listening.troubles.failuresInARow == 1)
        listening.begin(items[1], at: 0)
        #expect(listening.item?.id == items[1].id && listening.troubles.ofItem == nil)
        // Only one that can be heard ends the row.
        #expect(listening.troubles.failuresInARow == 1)
        listening.troubles.didSucceed()
        #expect(listening.troubles.failuresInARow == 0)
        listening.troubles.itemDidFail("no audio")
        listening.troubles.forgetItem()
        #expect(listening.troubles.ofItem == nil)
    }

    @Test func theDevicesTroubleIsNotTheItems() throws {
        listening.troubles.deviceDidChange("sound device hw: No such device")
        listening.begin(try items()[0], at: 0)
        #expect(listening.troubles.ofDevice != nil && listening.troubles.ofItem == nil)
    }

    @Test func aVisitCountsOnceWhenItBeginsAtTheBeginning() throws {
        let items = try items()
        let before = plays(of: items[0])
        listening.countPlay(from: 0)
        listening.begin(items[0], at: 0)
        listening.countPlay(from: 0)
        #expect(plays(of: items[0]) == before)
        bench.player.play(asked: nil)
        let playing = plays(of: items[0])
        listening.countPlay(from: 4000)
        #expect(plays(of: items[0]) == playing + 1)
        listening.countPlay(from: 0)
        #expect(plays(of: items[0]) == playing + 1)
        listening.begin(items[0], at: 0)
        listening.countPlay(from: 5000)
        listening.countPlay(from: 0)
        #expect(plays(of: items[0]) == playing + 1)
    }

    @Test func whatTheLibrarySaysAnewIsTaken() throws {
        let items = try items()
        listening.refresh()
        #expect(listening.item == nil)
        listening.begin(items[0], at: 0)
        bench.library.savePosition(items[0].id, milliseconds: 7000)
        listening.refresh()
        #expect(listening.item?.id == items[0].id && listening.item?.positionMilliseconds == 7000)
        #expect(listening.isHeard && listening.placeMilliseconds == 0)
        listening.end()
        #expect(!listening.isHeard)
    }

    @Test func theNextChapterIsThatBehindTheEar() throws {
        let items = try items()
        bench.teach([0, 20_000, 40_000])
        listening.begin(items[0], at: 0)
        bench.player.positionMilliseconds = 20_000
        #expect(listening.nextChapterMilliseconds() == 40_000 && listening.chapter(at: 20_000) == 1)
        bench.player.positionMilliseconds = 40_000
        #expect(listening.nextChapterMilliseconds() == nil)
    }

    @Test func theEarIsWatchedOnlyWhereTheEntryIsHeard() throws {
        let items = try items()
        bench.teach([0, 20_000])
        listening.begin(items[0], at: 0)
        bench.player.play(asked: nil)
        let before = bench.timers.count
        listening.watchChapters(isHeard: true, within: 0..<20_000, repeats: false)
        #expect(bench.timers.count == before + 1)
        for (isHeard, bounds, repeats) in [
            (false, 0..<20_000, false), (true, 0..<20_000, true), (true, 20_000..<Int.max, false),
        ] {
            listening.watchChapters(isHeard: isHeard, within: bounds, repeats: repeats)
            #expect(bench.timers.count == before)
        }
    }

    @Test func timeIsCountedWhileItPlaysWhateverIsCurrent() throws {
        let item = try items()[0]
        bench.player.play(asked: nil)
        listening.playerDidChange()
        listening.begin(item, at: 0)
        bench.timers.pass(milliseconds: 1000)
        listening.playerDidChange()
        bench.timers.pass(milliseconds: 1500)
        #expect(listening.playedMilliseconds == 2500)
        bench.timers.pass(milliseconds: 500)
        bench.player.pause(asked: nil)
        listening.playerDidChange()
        listening.end()
        bench.timers.pass(milliseconds: 6000)
        #expect(listening.playedMilliseconds == 3000)
    }
}
