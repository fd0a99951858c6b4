// SPDX-License-Identifier: Apache-2.0
import CPosix
import Core
import Display
import Library
import Model
import TestSupport
import Testing

@testable import Speaker
@testable import SpeakerBench

@Suite("Files and disks that are away") struct MissingTests {
    private func playing() -> Bench {
        let bench = Bench()
        bench.add("a", "b", "c")
        bench.worker.runAll()
        bench.press(.play, .seek(milliseconds: 20_000))
        return bench
    }

    @Test func aDiskThatIsAwayIsAwaited() {
        let bench = playing()
        bench.removeDisk()
        bench.player.fail(EIO)
        bench.worker.runAll()
        #expect(bench.said() == [.fileMissing])
        #expect(bench.showing.wait == .library && bench.showing.trouble == .fileMissing)
        #expect(bench.speaker.wantsToPlay)
        bench.pass(milliseconds: 10_000)
        #expect(!bench.player.wantsToPlay)
        bench.disk.paths = ["/books", "/books/a.mp3"]
        bench.pass(milliseconds: 2000)
        #expect(bench.player.wantsToPlay && bench.player.positionMilliseconds == 20_000)
        #expect(bench.showing.state == .playing && bench.showing.trouble == nil)
        #expect(bench.scans.timesAsked == 1)
    }

    @Test func anEmptyMountPointIsADiskThatIsAway() {
        let bench = playing()
        bench.disk.paths = ["/books"]
        bench.player.fail()
        bench.worker.runAll()
        #expect(bench.said() == [.fileMissing])
        #expect(bench.title == "a")
    }

    /// Plays from a stick that is mounted within the library; the library's other files are there.
    private func playingFromStick() -> Bench {
        let bench = Bench(source: .library(folder: "/books"))
        bench.add("home")
        let stick = bench.add("a", "b", folder: "/books/stick")
        bench.worker.runAll()
        bench.press(.play, .next, .seek(milliseconds: 20_000))
        _ = bench.said()
        bench.disk.paths = ["/books", "/books/home.mp3", "/books/stick"]
        bench.speaker.libraryDidLose(stick)
        return bench
    }

    @Test func anEmptyMountPointBesideOtherFilesIsADiskThatIsAway() {
        let bench = playingFromStick()
        bench.player.fail(EIO)
        bench.worker.runAll()
        #expect(bench.said() == [.stickMissing("stick")])
        #expect(bench.showing.standingWords == "stick is missing")
        #expect(bench.title == "a" && bench.speaker.wantsToPlay)
        bench.disk.paths.formUnion(["/books/stick/a.mp3", "/books/stick/b.mp3"])
        bench.pass(milliseconds: 2000)
        #expect(bench.title == "a" && bench.player.wantsToPlay && bench.player.positionMilliseconds == 20_000)
    }

    /// As the package unmounts it: the folder goes, too.
    @Test func aStickWhoseFolderIsGoneIsNamed() {
        let bench = playingFromStick()
        bench.disk.paths.remove("/books/stick")
        bench.player.fail(EIO)
        bench.worker.runAll()
        #expect(bench.said() == [.stickMissing("stick")] && bench.showing.missingStick == "stick")
        bench.disk.paths.formUnion(["/books/stick", "/books/stick/a.mp3"])
        bench.pass(milliseconds: 2000)
        #expect(bench.player.wantsToPlay && bench.showing.missingStick == nil && bench.showing.trouble == nil)
    }

    /// A file fails more than once while its stick is pulled out: the name stays on the glass, also while the disk is asked again.
    @Test func theNameOfAStickStaysWhileTheDiskIsAskedAgain() {
        let bench = playingFromStick()
        bench.disk.paths.remove("/books/stick")
        bench.player.fail(EIO)
        bench.worker.runAll()
        #expect(bench.showing.missingStick == "stick")
        // The kernel still shows the folder for a moment, with what it remembers of it.
        bench.disk.paths.formUnion(["/books/stick", "/books/stick/c.mp3"])
        bench.player.fail(EIO)
        #expect(bench.showing.missingStick == "stick")
        bench.worker.runAll()
        #expect(bench.showing.trouble == .fileMissing ? bench.showing.missingStick == "stick" : true)
        _ = bench.said()
    }

    @Test func theLastFileOfAFolderThatHoldsMoreIsGivenUp() {
        let bench = playingFromStick()
        bench.disk.paths.insert("/books/stick/cover.jpg")
        bench.player.fail(ENOENT)
        bench.worker.runAll()
        #expect(bench.said() == [.passedOver(title: "a", isMissing: true)])
        #expect(!bench.speaker.wantsToPlay)
    }

    @Test func aDeletedFileIsGivenUp() {
        let bench = playing()
        bench.disk.paths.remove("/books/a.mp3")
        bench.player.fail()
        bench.worker.runAll()
        #expect(bench.said() == [.passedOver(title: "a", isMissing: true)])
        #expect(bench.title == "b" && bench.player.wantsToPlay)
        #expect(bench.speaker.itemTrouble == nil)
    }

    @Test func aBrokenFileIsGivenUp() {
        let bench = playing()
        bench.player.fail(EIO)
        bench.worker.runAll()
        #expect(bench.said() == [.passedOver(title: "a", isMissing: false)])
        #expect(bench.title == "b" && bench.player.wantsToPlay)
    }

    /// By three buttons, by touch and by console: choosing an unavailable item starts nothing.
    @Test(arguments: [true, false]) func aChoiceThatCannotBeHadLeavesAllAsItWas(plays: Bool) throws {
        for isGone in [true, false] {
            for choose: (Bench) -> Void in [
                { $0.speaker.perform(.playItem(3), asked: $0.timers.now) },
                { $0.speaker.perform(.playEntry(id: $0.speaker.queue.entries[2].songID), asked: $0.timers.now) },
                { _ = $0.speaker.play(3, fromMilliseconds: 7000, asked: $0.timers.now) },
            ] {
                let bench = playing()
                if !plays { bench.press(.pause) }
                _ = bench.said()
                if isGone { bench.disk.paths.remove("/books/c.mp3") }
                choose(bench)
                bench.player.fail(ENOENT)
                bench.worker.runAll()
                #expect(bench.said() == [.passedOver(title: "c", isMissing: isGone)])
                // Programs ask later, and are told until something else is chosen.
                #expect(bench.speaker.troubleMessage?.isEmpty == false && bench.speaker.itemTrouble == nil)
                #expect(bench.title == "a" && bench.speaker.wantsToPlay == plays)
                #expect(bench.player.positionMilliseconds == 20_000 && bench.showing.trouble == nil)
            }
        }
    }

    /// Without an earlier item, the chosen title stands beside the trouble for as long as it lasts.
    @Test func aChoiceOutOfNothingSaysWhy() {
        let bench = Bench()
        bench.add("a", "b")
        bench.worker.runAll()
        bench.disk.paths.remove("/books/b.mp3")
        bench.speaker.perform(.playItem(2), asked: bench.timers.now)
        bench.player.fail(ENOENT)
        bench.worker.runAll()
        // The first was ready.
        #expect(bench.title == "a" && !bench.speaker.wantsToPlay)
        #expect(bench.said() == [.passedOver(title: "b", isMissing: true)] && bench.showing.trouble == nil)
        bench.speaker.perform(.playItem(1), asked: bench.timers.now)
        bench.player.fail(EIO)
        bench.worker.runAll()
        #expect(bench.title == "a" && !bench.speaker.wantsToPlay && bench.said() == [.cannotPlay])
        bench.pass(milliseconds: 60_000)
        #expect(bench.showing.trouble == .cannotPlay && bench.title == "a")
        bench.press(.next)
        #expect(bench.showing.trouble == nil)
    }

    @Test func brokenFilesAllTheWayEnd() {
        let bench = Bench()
        bench.add("a", "b", "c")
        bench.press(.play)
        bench.player.hasDevice = false
        for _ in 0..<3 {
            bench.player.fail(EIO)
            bench.worker.runAll()
        }
        #expect(bench.title == "c" && !bench.player.wantsToPlay)
        #expect(bench.timesEnded == 1)
        #expect(bench.speaker.itemTrouble != nil)
    }

    @Test func waitingCanBeCalledOff() {
        let bench = playing()
        bench.removeDisk()
        bench.player.fail(EIO)
        bench.worker.runAll()
        // Clients toggle by the wish to play.
        #expect(bench.speaker.wantsToPlay)
        bench.press(.playPause)
        #expect(!bench.speaker.wantsToPlay)
        #expect(bench.showing.state == .paused)
        bench.disk.paths = ["/books", "/books/a.mp3"]
        bench.pass(milliseconds: 2000)
        #expect(!bench.player.wantsToPlay && bench.player.positionMilliseconds == 20_000)
    }

    @Test func aPressWhileTheDiskIsAskedCounts() {
        let bench = playing()
        bench.removeDisk()
        bench.player.fail(EIO)
        bench.press(.playPause)
        bench.worker.runAll()
        #expect(!bench.speaker.wantsToPlay)
        bench.press(.next)
        #expect(bench.title == "b")
    }

    @Test func aPauseWhileABrokenFileIsLookedAtCounts() {
        let bench = playing()
        bench.player.fail(EIO)
        bench.press(.pause)
        bench.worker.runAll()
        #expect(bench.title == "a" && !bench.speaker.wantsToPlay)
    }

    @Test func lookingAgainDoesNotMultiply() {
        let bench = playing()
        bench.removeDisk()
        for _ in 0..<10 {
            bench.player.fail(EIO)
            bench.worker.runAll()
            bench.press(.play)
        }
        let before = bench.worker.takenCount
        bench.pass(milliseconds: 20_000)
        #expect(bench.worker.takenCount - before <= 12)
    }

    @Test func aDiskThatHangsKeepsNobodyWaiting() {
        let bench = playing()
        bench.removeDisk()
        bench.player.fail(EIO)
        // Nothing is answered meanwhile.
        bench.timers.pass(milliseconds: 60_000)
        #expect(bench.worker.jobs.filter { $0.key == "file" }.count == 1)
        bench.press(.volume(step: -5), .next)
        #expect(bench.title == "b" && bench.speaker.status.volumePercent == 95)
        bench.worker.runAll()
        #expect(bench.title == "b")
    }

    @Test func onlyAFewOtherFilesAreAskedFor() {
        let bench = Bench()
        let items = bench.add("a")
        _ = try? bench.speaker.insert([ItemID](repeating: items[0], count: 5000))
        bench.press(.play)
        bench.disk.paths = ["/books"]
        bench.player.fail()
        bench.worker.runAll()
        #expect(bench.said() == [.fileMissing])
    }

    @Test func aWorkerThatTakesNothingIsADiskThatDoesNotAnswer() {
        let bench = playing()
        bench.worker.refusal = .full
        bench.player.fail(EIO)
        bench.pass(milliseconds: 0)
        #expect(bench.said() == [.fileMissing])
        bench.worker.refusal = nil
        bench.pass(milliseconds: 2000)
        #expect(bench.player.wantsToPlay)
    }

    @Test func aFileDeletedWhileItPlaysIsHeardToItsEnd() {
        let bench = playing()
        let items = bench.speaker.queue.entries.map(\.itemID)
        bench.library.markMissing(items[0])
        bench.speaker.libraryDidLose([items[0]])
        #expect(bench.player.wantsToPlay && bench.title == "a")
        #expect(bench.speaker.queue.currentIndex == 0)
        bench.player.reachEnd()
        #expect(bench.title == "b" && bench.player.wantsToPlay)
        #expect(bench.speaker.queue.entries.map(\.itemID) == Array(items[1...]))
        #expect(bench.speaker.queue.currentIndex == 0)
    }

    @Test func nextGoesOnFromAFileThatWasDeleted() {
        let bench = Bench()
        let items = bench.add("a", "b", "c")
        bench.press(.play, .next)
        bench.library.markMissing(items[1])
        bench.speaker.libraryDidLose([items[1]])
        bench.press(.next)
        #expect(bench.title == "c")
        #expect(bench.speaker.queue.entries.map(\.itemID) == [items[0], items[2]])
        bench.press(.previous)
        #expect(bench.title == "a")
    }
}
