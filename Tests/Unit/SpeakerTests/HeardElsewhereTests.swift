// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Model
import Posix
import Testing

@testable import Speaker
@testable import SpeakerBench

@Suite("Heard elsewhere") struct HeardElsewhereTests {
    private let bench = Bench()

    /// Stores that a person listened to an item on another device.
    private func hear(_ id: ItemID, _ milliseconds: Int, secondsFromNow: Int64) throws -> Library.Merge {
        let item = try #require(bench.library.item(id))
        let saved = wallClockSeconds() + secondsFromNow
        return bench.speaker.merge(
            SharedRecord(
                kind: .place, key: SharedKey(item.identity).words,
                value: "{\"milliseconds\":\(milliseconds),\"saved\":\(saved),\"finished\":false}",
                time: HybridTime(milliseconds: saved * 1000), device: 7, name: item.title))
    }

    private func isAt(_ title: String, _ milliseconds: Int) -> Bool {
        bench.title == title && bench.player.positionMilliseconds == milliseconds
    }

    /// It was played to 20 s, and paused there.
    private func pause() {
        bench.press(.play)
        bench.pass(milliseconds: 20_000)
        bench.player.positionMilliseconds = 20_000
        bench.press(.pause)
        _ = bench.said()
    }

    @Test func whatIsPausedOrWasJustGoneOnGoesOnWhereItWasHeardSince() throws {
        let id = bench.add("a", folder: "/a")[0]
        #expect(bench.library.joinHousehold())
        pause()
        #expect(try hear(id, 5000, secondsFromNow: -60) == .older && isAt("a", 20_000))
        #expect(try hear(id, 30_000, secondsFromNow: 60) == .added && isAt("a", 30_000))
        #expect(!bench.player.wantsToPlay && bench.said() == [])
        bench.press(.play)
        bench.pass(milliseconds: 10_000)
        bench.player.positionMilliseconds = 40_000
        bench.pass(milliseconds: 4600)
        #expect(try hear(id, 45_000, secondsFromNow: 90) == .added && isAt("a", 45_000))
        #expect(bench.player.wantsToPlay && bench.said() == [.heardElsewhere])
        // That was where the listener wanted to be; from here on it is his.
        #expect(try hear(id, 50_000, secondsFromNow: 120) == .later && isAt("a", 45_000))
    }

    @Test(
        arguments: [
            [], [.skip(milliseconds: 5000)], [.playEntry(id: 1)],
        ] as [[Command]])
    func whatPlaysForLongerOrWasChosenIsLeftAlone(commands: [Command]) throws {
        let id = bench.add("a", folder: "/a")[0]
        #expect(bench.library.joinHousehold())
        pause()
        bench.press(.play)
        for command in commands { bench.press(command) }
        bench.pass(milliseconds: commands.isEmpty ? 15_000 : 1000)
        let place = bench.player.positionMilliseconds
        #expect(try hear(id, 50_000, secondsFromNow: 60) == .later && isAt("a", place))
        #expect(bench.said() == [])
    }

    @Test func aBookGoesOnInAnotherOfItsFiles() throws {
        let ids = bench.add("a1", "a2", "a3", folder: "/a")
        let alone = bench.add("x", folder: "/x")[0]
        #expect(bench.library.joinHousehold())
        pause()
        #expect(try hear(alone, 10_000, secondsFromNow: 50) == .added && isAt("a1", 20_000))
        #expect(try hear(ids[2], 30_000, secondsFromNow: 60) == .added && isAt("a3", 30_000))
        #expect(!bench.player.wantsToPlay && bench.said() == [])
        // Records come in any order: an earlier one does not lead back.
        #expect(try hear(ids[1], 40_000, secondsFromNow: -5) == .older && isAt("a3", 30_000))
        bench.press(.play)
        #expect(try hear(ids[1], 41_000, secondsFromNow: 90) == .added && isAt("a2", 41_000))
        #expect(bench.player.wantsToPlay && bench.said() == [.heardElsewhere])
    }

    /// The place of an item as this speaker tells it to others, and whether it says that it was heard now.
    private func savedAgo(_ id: ItemID) -> Int64? {
        bench.library.placeSavedSeconds(id).map { wallClockSeconds() - $0 }
    }

    /// Another speaker listened over the border of two files. This one, paused in the first, is told of both, in either order.
    @Test(arguments: [false, true]) func overTheBorderOfTwoFilesNoPlaceIsLost(isBackwards: Bool) throws {
        let ids = bench.add("a1", "a2", folder: "/a")
        let duration = try #require(bench.library.item(ids[0])?.durationMilliseconds)
        #expect(bench.library.joinHousehold())
        pause()
        let told = [(ids[0], duration - 20, Int64(-20)), (ids[1], 26_000, Int64(-5))]
        for (id, place, seconds) in isBackwards ? told.reversed() : told {
            // Long enough ago that what this one would say of itself were newer.
            _ = try hear(id, place, secondsFromNow: seconds + 30)
        }
        #expect(isAt("a2", 26_000) && !bench.player.wantsToPlay)
        #expect(bench.library.book(of: ids[0])?.left?.item == ids[1])
        // Following is not listening: nothing here says that any of it was heard now.
        bench.speaker.saveForTheEnd()
        #expect(try #require(bench.library.item(ids[1])).positionMilliseconds == 26_000)
        #expect(bench.library.book(of: ids[0])?.left?.item == ids[1])
    }

    /// A listener plays on where another speaker was left, and pauses between two saves: that is listening here, at this time.
    @Test(arguments: [false, true]) func listeningOnFromAnotherSpeakerCounts(leaves: Bool) throws {
        let id = bench.add("a", folder: "/a")[0]
        #expect(bench.library.joinHousehold())
        pause()
        #expect(try hear(id, 30_000, secondsFromNow: -3600 * 24) == .older)
        bench.library.wallSeconds = { wallClockSeconds() + 3600 }
        #expect(try hear(id, 30_000, secondsFromNow: 60) == .added && isAt("a", 30_000))
        if leaves { #expect(bench.library.leaveHousehold()) }
        bench.press(.play)
        let seconds = leaves ? 3 : 16
        bench.player.positionMilliseconds += seconds * 1000
        bench.pass(milliseconds: seconds * 1000)
        bench.press(.pause)
        #expect(bench.library.item(id)?.positionMilliseconds == 30_000 + seconds * 1000)
        #expect(try #require(bench.library.placeSavedSeconds(id)) > wallClockSeconds() + 3500)
    }

    @Test func aSpeakerOfItsOwnListensAtOnce() {
        let id = bench.add("a", folder: "/a")[0]
        pause()
        bench.press(.play)
        #expect(!bench.speaker.listening.hasJustGoneOn)
        bench.pass(milliseconds: 5000)
        #expect(bench.library.placeSavedSeconds(id).map { wallClockSeconds() - $0 < 60 } == true)
    }
}
