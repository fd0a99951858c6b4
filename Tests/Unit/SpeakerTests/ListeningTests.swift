import Library
import Model
import Posix
import Testing

@testable import Speaker
@testable import SpeakerBench

@Suite("The current item and how it goes") struct ListeningTests {
    private let bench = Bench()

    private func items() throws -> [Item] { bench.library.items(bench.add("a", "b")) }

    @Test func anotherItemTakesTheTroubleOfTheOneBefore() throws {
        let items = try items()
        var listening = Listening()
        listening.begin(items[0], at: 0)
        listening.didFail("read /books/a.mp3: Input/output error")
        listening.didGiveUp()
        #expect(listening.itemTrouble != nil && listening.failuresInARow == 1)
        listening.begin(items[1], at: 0)
        #expect(listening.item?.id == items[1].id && listening.itemTrouble == nil)
        // Only one that can be heard ends the row.
        #expect(listening.failuresInARow == 1)
        listening.didSucceed()
        #expect(listening.failuresInARow == 0)
        listening.didFail("no audio")
        listening.clearTrouble()
        #expect(listening.itemTrouble == nil)
    }

    @Test func theDevicesTroubleIsNotTheItems() throws {
        var listening = Listening()
        listening.deviceTrouble = "sound device hw: No such device"
        listening.begin(try items()[0], at: 0)
        #expect(listening.deviceTrouble != nil && listening.itemTrouble == nil)
    }

    @Test func aVisitCountsOnceWhenItBeginsAtTheBeginning() throws {
        let items = try items()
        var listening = Listening()
        #expect(listening.itemToCount(isPlaying: true, positionMilliseconds: 0) == nil)
        listening.begin(items[0], at: 0)
        #expect(listening.itemToCount(isPlaying: false, positionMilliseconds: 0) == nil)
        #expect(listening.itemToCount(isPlaying: true, positionMilliseconds: 4000)?.id == items[0].id)
        #expect(listening.itemToCount(isPlaying: true, positionMilliseconds: 0) == nil)
        listening.begin(items[0], at: 0)
        #expect(listening.itemToCount(isPlaying: true, positionMilliseconds: 5000) == nil)
        #expect(listening.itemToCount(isPlaying: true, positionMilliseconds: 0) == nil)
    }

    @Test func whatTheLibrarySaysAnewIsTaken() throws {
        let items = try items()
        var listening = Listening()
        listening.refresh { _ in items[1] }
        #expect(listening.item == nil)
        listening.begin(items[0], at: 0)
        listening.refresh { id in id == items[0].id ? items[1] : nil }
        #expect(listening.item?.id == items[1].id)
        listening.refresh { _ in nil }
        #expect(listening.item == nil)
    }

    @Test func timeIsCountedWhileItPlaysWhateverIsCurrent() throws {
        let start = MonotonicTime(nanoseconds: 0)
        var listening = Listening()
        listening.playingDidChange(to: true, at: start)
        listening.begin(try items()[0], at: 0)
        listening.playingDidChange(to: true, at: start.adding(milliseconds: 1000))
        #expect(listening.played(at: start.adding(milliseconds: 2500)) == 2500)
        listening.playingDidChange(to: false, at: start.adding(milliseconds: 3000))
        listening.end()
        #expect(listening.played(at: start.adding(milliseconds: 9000)) == 3000)
    }
}
