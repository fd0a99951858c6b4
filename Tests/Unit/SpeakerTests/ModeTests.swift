// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Model
import TestSupport
import Testing

@testable import Speaker
@testable import SpeakerBench

@Suite("Modes") struct ModeTests {
    private func bench(_ change: @escaping (inout PlayModes) -> Void) -> Bench {
        let bench = Bench()
        bench.add("a", "b", "c")
        bench.press(.play)
        bench.speaker.set(change)
        return bench
    }

    @Test func aModeIsToldAndChangesWhatFollows() {
        let bench = Bench()
        bench.add("a", "b", "c")
        bench.press(.play)
        let before = bench.player.followingChanges
        _ = bench.changed()
        bench.speaker.set { $0.repeats = true }
        #expect(bench.changed() == .modes && bench.player.followingChanges == before)
        bench.speaker.set { $0.repeats = true }
        #expect(bench.changed() == [])
        bench.speaker.set { $0.single = .on }
        #expect(bench.player.followingChanges == before + 1)
    }

    @Test func theQueueBeginsAgain() {
        let bench = bench { $0.repeats = true }
        bench.player.reachEnd()
        bench.player.reachEnd()
        bench.player.reachEnd()
        #expect(bench.title == "a" && bench.player.wantsToPlay && bench.timesEnded == 0)
        bench.press(.previous)
        #expect(bench.title == "c" && bench.said() == [])
        bench.press(.next)
        #expect(bench.title == "a" && bench.said() == [])
    }

    @Test func theSameIsPlayedAgainFromItsStart() {
        let bench = bench {
            $0.repeats = true
            $0.single = .on
        }
        bench.press(.seek(milliseconds: 30_000))
        bench.player.reachEnd()
        #expect(bench.title == "a" && bench.player.positionMilliseconds == 0 && bench.player.wantsToPlay)
        let plays = bench.speaker.currentItem.flatMap { bench.library.item($0.id)?.playCount }
        #expect(plays == 2)
        bench.press(.next)
        #expect(bench.title == "b")
    }

    @Test func oneItemAndNoMore() {
        let bench = bench { $0.single = .on }
        bench.player.reachEnd()
        #expect(bench.title == "b" && !bench.player.wantsToPlay && bench.player.positionMilliseconds == 0)
        #expect(bench.speaker.queue.modes.single == .on)
        bench.speaker.set { $0.single = .oneShot }
        bench.press(.play)
        _ = bench.changed()
        bench.player.reachEnd()
        #expect(bench.title == "c" && !bench.player.wantsToPlay)
        #expect(bench.speaker.queue.modes.single == .off && bench.changed().contains(.modes))
        bench.press(.play)
        bench.player.reachEnd()
        #expect(bench.title == "c" && bench.player.isAtEnd && bench.timesEnded == 1)
    }

    @Test func singleThatCameTooLatePausesAllTheSame() {
        let bench = bench { _ in }
        let ended = bench.player.track!
        let next = bench.speaker.trackAfter(ended)!.track
        // The next is being decoded already.
        bench.speaker.set { $0.single = .on }
        bench.speaker.playerDidPass(from: ended, to: next)
        #expect(bench.title == "b" && !bench.player.wantsToPlay)
    }

    @Test func theSameOnceMoreThatCameTooLateIsNotPlayed() {
        let bench = bench {
            $0.single = .on
            $0.repeats = true
        }
        let ended = bench.player.track!
        let again = bench.speaker.trackAfter(ended)!.track
        bench.speaker.set { $0.repeats = false }
        bench.speaker.playerDidPass(from: ended, to: again)
        #expect(bench.title == "b" && !bench.player.wantsToPlay)
    }

    @Test func whatWasPlayedLeaves() {
        let bench = bench { $0.consumes = true }
        bench.player.reachEnd()
        #expect(bench.title == "b" && bench.speaker.queue.count == 2 && bench.speaker.queue.currentIndex == 0)
        bench.press(.next)
        #expect(bench.title == "c" && bench.speaker.queue.count == 1)
        bench.player.reachEnd()
        #expect(bench.speaker.queue.isEmpty && bench.player.track == nil && !bench.player.wantsToPlay)
    }

    @Test func twoOfTheSameBehindEachOtherAreTwo() throws {
        let bench = Bench()
        let items = bench.add("a", "b")
        _ = try bench.speaker.insert([items[0]], at: 1)
        bench.press(.play)
        let first = bench.player.track!
        let second = bench.speaker.trackAfter(first)!.track
        // The second is decoded while the first is heard, and what comes behind it is asked for.
        let third = bench.speaker.trackAfter(second)!.track
        #expect(second.id == first.id && third.id == items[1])
        bench.speaker.playerDidPass(from: first, to: second)
        #expect(bench.speaker.queue.currentIndex == 1)
    }

    @Test func modesAndPrioritiesOutliveARestart() throws {
        let folder = try TemporaryFolder()
        let first = Bench(stateFolder: folder.path)
        let items = first.add("a", "b", "c", "d")
        _ = try first.speaker.insert([items[0]])
        first.press(.play)
        first.speaker.set {
            $0.isRandom = true
            $0.repeats = true
            $0.single = .oneShot
            $0.mixRampMillidecibels = -17_500
        }
        first.speaker.edit { $0.prioritise(2..<3, 7) }
        first.speaker.edit { $0.swap(1, 3) }
        first.speaker.edit { $0.move(0..<1, to: 2) }
        first.speaker.shuffle(3..<5)
        let queue = first.speaker.queue
        first.end()
        let second = Bench(stateFolder: folder.path)
        #expect(second.speaker.queue.modes == queue.modes && second.speaker.queue.entries == queue.entries)
        #expect(second.speaker.queue.current == queue.current)
        #expect(second.speaker.queue.order.turn(ofPosition: queue.currentIndex!) == 0)
    }

    @Test func removingTheCurrentGoesOnInTheOrderOfPlaying() {
        let bench = Bench()
        bench.add("a", "b", "c", "d", "e")
        bench.press(.play)
        bench.speaker.set { $0.isRandom = true }
        let next = bench.speaker.queue.automaticIndex(after: 0)!
        let song = bench.speaker.queue.entries[next].songID
        bench.speaker.remove(0..<1)
        #expect(bench.speaker.queue.current?.songID == song && bench.player.wantsToPlay)
    }
}
