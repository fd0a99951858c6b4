// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Model
import Posix
import TestSupport
import Testing

@testable import Speaker
@testable import SpeakerBench

@Suite("Commands") struct CommandTests {
    @Test func theFirstItemIsReadyForTheFirstPress() {
        let bench = Bench()
        bench.add("a", "b")
        #expect(bench.title == "a")
        #expect(!bench.speaker.wantsToPlay)
        bench.press(.playPause)
        #expect(bench.player.wantsToPlay)
        bench.press(.playPause)
        #expect(!bench.player.wantsToPlay)
    }

    @Test func aButtonAlwaysHasAnAnswer() {
        let bench = Bench()
        bench.press(.play, .next, .previous)
        #expect(bench.said() == [.nothingToPlay, .nothingToPlay, .nothingToPlay])
        bench.scans.isScanning = true
        bench.press(.playPause)
        #expect(bench.said() == [.lookingForAudio])
        bench.press(.toggleFavourite, .skip(milliseconds: 10_000), .seek(milliseconds: 3))
        #expect(bench.said() == [.nothingChosen, .nothingChosen, .nothingChosen])
        bench.add("a", "b")
        bench.press(.previous)
        #expect(bench.said() == [.firstItem])
        bench.press(.next)
        #expect(bench.said() == [])
        bench.press(.next)
        #expect(bench.said() == [.lastItem])
        bench.press(.volume(step: 5))
        #expect(bench.said() == [.loudest])
        bench.press(.setVolume(percent: 3), .volume(step: -5))
        #expect(bench.said() == [] && bench.speaker.status.volumePercent == 0)
        bench.press(.volume(step: -5))
        #expect(bench.said() == [.quietest])
        _ = bench.said()
        bench.press(.toggleFavourite, .toggleFavourite)
        #expect(bench.said() == [.addedToFavourites, .removedFromFavourites])
    }

    @Test func previousOnTheFirstBeginsItAgain() {
        let bench = Bench()
        bench.add("a")
        bench.press(.play, .seek(milliseconds: 20_000), .previous)
        #expect(bench.player.positionMilliseconds == 0 && bench.player.wantsToPlay)
    }

    @Test func stopKeepsTheSong() {
        let bench = Bench()
        bench.add("a", "b")
        bench.press(.play, .next, .seek(milliseconds: 20_000), .stop)
        #expect(bench.player.track == nil)
        #expect(bench.title == "b")
        #expect(bench.speaker.queue.currentIndex == 1)
        #expect(bench.showing.state == .stopped && bench.showing.title == "b")
        #expect(bench.showing.positionMilliseconds == 20_000)
        bench.press(.play)
        #expect(bench.title == "b" && bench.player.positionMilliseconds == 20_000 && bench.player.wantsToPlay)
    }

    @Test func skipsAddUpAndNeverOverflow() {
        let bench = Bench()
        bench.add("a")
        bench.press(.play, .skip(milliseconds: 10_000), .skip(milliseconds: 10_000))
        #expect(bench.player.positionMilliseconds == 20_000)
        bench.press(.skip(milliseconds: Int.max))
        #expect(bench.player.isAtEnd && bench.player.positionMilliseconds == 60_000)
        bench.press(.skip(milliseconds: Int.min))
        #expect(bench.player.positionMilliseconds == 0)
        bench.press(.stop, .skip(milliseconds: Int.max))
        #expect(bench.player.positionMilliseconds >= 60_000)
    }

    @Test func atTheEndPlayGoesOn() {
        let bench = Bench()
        bench.add("a", "b")
        bench.press(.play, .seek(milliseconds: 60_000), .play)
        #expect(bench.title == "b")
        bench.press(.seek(milliseconds: 60_000), .play)
        #expect(bench.title == "a")
    }

    @Test func anItemCanBePlayedByItsName() throws {
        let bench = Bench()
        let items = bench.add("a", "b", "c")
        bench.press(.playItem(items[2]))
        #expect(bench.title == "c" && bench.player.wantsToPlay)
        bench.press(.playEntry(id: bench.speaker.queue.entries[1].songID))
        #expect(bench.title == "b")
        // An item outside the queue is inserted behind the current one.
        bench.speaker.remove(2..<3)
        bench.press(.playItem(items[2]))
        #expect(bench.title == "c" && bench.speaker.queue.currentIndex == 2)
        bench.press(.playItem(99), .playEntry(id: 99))
        #expect(bench.said() == [.nothingToPlay, .nothingToPlay])
    }

    @Test func removingTheCurrentGoesOnWithTheNext() throws {
        let bench = Bench()
        bench.add("a", "b", "c")
        bench.press(.play)
        bench.speaker.remove(0..<1)
        #expect(bench.title == "b" && bench.player.wantsToPlay)
        bench.speaker.remove(1..<2)
        #expect(bench.title == "b" && bench.player.wantsToPlay)
        bench.speaker.remove(0..<1)
        #expect(bench.player.track == nil && bench.title == nil)
        #expect(bench.speaker.queue.isEmpty)
        // An empty queue becomes the library again.
        bench.press(.play)
        #expect(bench.title == "a" && bench.speaker.queue.count == 3 && bench.speaker.queue.followsScans)
    }

    @Test func editsElsewhereLeaveWhatIsLinedUp() throws {
        let bench = Bench()
        let items = bench.add("a", "b", "c", "d")
        bench.press(.play)
        let before = bench.player.followingChanges
        bench.speaker.remove(3..<4)
        _ = try bench.speaker.insert([items[3]])
        #expect(bench.player.followingChanges == before)
        _ = try bench.speaker.insert([items[3]], at: 1)
        #expect(bench.player.followingChanges == before + 1)
    }

    @Test func changesAreTold() {
        let bench = Bench()
        bench.add("a", "b")
        _ = bench.changed()
        bench.press(.volume(step: -5))
        #expect(bench.changed() == .volume)
        bench.press(.toggleFavourite)
        #expect(bench.changed() == .favourites)
        bench.speaker.remove(1..<2)
        #expect(bench.changed() == .queue)
        bench.press(.play)
        #expect(bench.changed() == .player)
    }
}
