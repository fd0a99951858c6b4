// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Media
import TestSupport
import Testing

@testable import Speaker
@testable import SpeakerBench

@Suite("Sleep timer") struct SleepTests {
    private func playing(_ chapters: [Int] = []) -> Bench {
        let bench = Bench()
        bench.teach(chapters)
        bench.add("a", "b")
        bench.press(.play)
        _ = bench.changed()
        return bench
    }

    @Test func minutesEndInAFadeThatIsNotMissed() {
        let bench = playing()
        bench.press(.setVolume(percent: 40), .sleep(.minutes(15)))
        #expect(bench.changed().contains(.modes) && bench.speaker.status.sleepMilliseconds == 900_000)
        #expect(bench.speaker.status.sleep == .minutes(15))
        bench.pass(milliseconds: 886_999)
        #expect(bench.player.fall == nil && bench.player.wantsToPlay)
        bench.player.positionMilliseconds = 30_000
        bench.pass(milliseconds: 1)
        #expect(bench.player.fall == 10_000 && bench.player.wantsToPlay)
        bench.player.positionMilliseconds = 43_000
        _ = bench.changed()
        bench.pass(milliseconds: 13_000)
        // Paused where the sound began to die away, with the volume as it was.
        #expect(!bench.player.wantsToPlay && bench.player.positionMilliseconds == 30_000)
        #expect(bench.library.item(bench.player.track!.id)?.positionMilliseconds == 30_000)
        #expect(bench.speaker.status.volumePercent == 40 && bench.player.softwarePercent == 40)
        #expect(bench.speaker.sleep.setting == .off && bench.speaker.status.sleepMilliseconds == nil)
        #expect(bench.changed().isSuperset(of: [.player, .modes]) && bench.player.fall != nil)
        // And the next that is heard is as loud as ever.
        bench.pass(milliseconds: 1000)
        #expect(bench.player.fall == nil)
        bench.press(.play)
        #expect(bench.player.wantsToPlay)
        bench.pass(milliseconds: 3_600_000)
        #expect(bench.player.wantsToPlay)
    }

    /// Ends that are heard count, and no jumps over them; a file's end is a chapter's, too.
    @Test func afterSomeChapters() {
        let bench = playing([0, 20_000, 40_000])
        bench.speaker.rules.flowsIntoNextBook = true
        func hear(to milliseconds: Int) {
            while bench.player.positionMilliseconds < milliseconds && bench.player.wantsToPlay {
                bench.player.positionMilliseconds += 500
                bench.timers.pass(milliseconds: 500)
            }
        }
        bench.press(.sleep(.chapters(3)))
        #expect(bench.speaker.status.sleepWord == "3 chapters")
        bench.press(.seek(milliseconds: 15_000))
        hear(to: 25_000)
        #expect(bench.speaker.sleep.setting == .chapters(2))
        bench.press(.seek(milliseconds: 45_000))
        #expect(bench.speaker.sleep.setting == .chapters(2))
        bench.player.reachEnd()
        #expect(bench.title == "b" && bench.speaker.sleep.setting == .chapter)
        hear(to: 25_000)
        #expect(!bench.player.wantsToPlay && bench.player.positionMilliseconds == 20_000)
        #expect(bench.speaker.sleep.setting == .off)
    }

    /// For a listener who fell asleep before the silence: the bookmark goes once the listener has heard the part behind it, or has switched
    /// the timer off.
    @Test func aBookmarkStandsWhereItWasSet() throws {
        let folder = try TemporaryFolder()
        var bench = Bench(stateFolder: folder.path)
        bench.add("a", "b")
        bench.press(.play, .seek(milliseconds: 1500), .sleep(.minutes(15)))
        #expect(bench.library.bookmarks().map { $0.milliseconds } == [1500])
        #expect(bench.library.bookmarks().first?.words == "Sleep timer: a")
        bench.press(.sleep(.off))
        #expect(bench.library.bookmarkCount == 0)
        bench.press(.seek(milliseconds: 2500), .sleep(.minutes(15)), .seek(milliseconds: 5000))
        bench.pass(milliseconds: 900_000)
        #expect(!bench.player.wantsToPlay && bench.library.bookmarkCount == 1)
        // Over a restart, and until the next file.
        bench.end()
        bench = Bench(stateFolder: folder.path)
        bench.timers.pass(milliseconds: 200_000)
        bench.press(.play)
        #expect(bench.library.bookmarkCount == 1)
        bench.player.reachEnd()
        #expect(bench.title == "b" && bench.library.bookmarkCount == 0)
    }

    /// Behind the end of an item what is behind the silence is the next one.
    @Test func aBookmarkIsHeardPastBehindTheEndOfAnItem() {
        let bench = Bench()
        bench.add("a", "b", "c")
        bench.press(.play, .seek(milliseconds: 1500), .sleep(.item))
        bench.player.reachEnd()
        #expect(bench.title == "b" && !bench.player.wantsToPlay && bench.library.bookmarkCount == 1)
        bench.timers.pass(milliseconds: 200_000)
        bench.press(.play)
        #expect(bench.library.bookmarkCount == 1)
        bench.player.reachEnd()
        #expect(bench.title == "c" && bench.library.bookmarkCount == 0)
    }

    @Test func itWakesNobodyOnTheWay() {
        let bench = Bench()
        bench.add("a")
        bench.press(.sleep(.minutes(60)))
        let before = bench.timers.count
        bench.press(.sleep(.off))
        #expect(bench.timers.count == before - 1)
        bench.press(.sleep(.chapter), .sleep(.item), .sleep(.minutes(1)), .sleep(.minutes(2)))
        #expect(bench.timers.count == before)
    }

    @Test func whoPressesWhileItFadesIsAwake() {
        let bench = playing()
        for command in [Command.skip(milliseconds: -10_000), .volume(step: 5), .sleep(.minutes(15)), .play] {
            bench.press(.sleep(.minutes(15)))
            bench.pass(milliseconds: 890_000)
            #expect(bench.player.fall != nil)
            bench.press(command)
            #expect(bench.player.fall == nil && bench.speaker.status.sleepMilliseconds == 900_000)
            bench.pass(milliseconds: 15_000)
            #expect(bench.player.wantsToPlay)
        }
        // A pause takes effect at the place of the press.
        bench.press(.sleep(.minutes(15)))
        bench.pass(milliseconds: 890_000)
        bench.player.positionMilliseconds = 41_000
        bench.press(.playPause)
        #expect(bench.player.fall == nil && !bench.player.wantsToPlay && bench.speaker.sleep.setting == .off)
        #expect(bench.player.positionMilliseconds == 41_000)
    }

    /// Silent, and a hand comes: it plays on from where the sound began to die away, for as long again.
    @Test func whoPressesInTheTwoMinutesAfterItWasAwake() {
        for command in [Command.play, .playPause, .skip(milliseconds: -10_000), .volume(step: 5)] {
            let bench = playing()
            bench.press(.sleep(.minutes(15)))
            bench.pass(milliseconds: 887_000)
            bench.player.positionMilliseconds = 30_000
            bench.pass(milliseconds: 13_000)
            #expect(!bench.player.wantsToPlay)
            bench.pass(milliseconds: 120_000)
            // A change without a hand changes nothing.
            bench.press(.setVolume(percent: 50))
            #expect(!bench.player.wantsToPlay)
            bench.speaker.perform(command, asked: bench.timers.now)
            #expect(bench.player.wantsToPlay && bench.speaker.status.sleepMilliseconds == 900_000, "\(command)")
            #expect(bench.player.positionMilliseconds <= 30_000)
        }
    }

    @Test func laterOrByWhatIsNoWishToHearItStaysOver() {
        let bench = playing()
        bench.press(.sleep(.minutes(15)))
        bench.pass(milliseconds: 900_000)
        for command in [Command.setVolume(percent: 30), .pause, .toggleFavourite, .sleep(.off), .menu(.open)] {
            bench.speaker.perform(command, asked: bench.timers.now)
            #expect(!bench.player.wantsToPlay && bench.speaker.sleep.setting == .off, "\(command)")
        }
        bench.press(.sleep(.minutes(15)), .play)
        bench.pass(milliseconds: 900_000)
        #expect(!bench.player.wantsToPlay)
        bench.pass(milliseconds: 120_001)
        bench.speaker.perform(.play, asked: bench.timers.now)
        #expect(bench.player.wantsToPlay && bench.speaker.sleep.setting == .off)
    }

    @Test func aPauseBeforeItIsOverEndsNothing() {
        let bench = playing()
        bench.press(.sleep(.minutes(15)), .pause)
        bench.pass(milliseconds: 600_000)
        #expect(bench.speaker.status.sleepMilliseconds == 300_000)
        bench.press(.play)
        bench.pass(milliseconds: 290_000)
        #expect(bench.player.fall != nil)
        // Paused in time: the listener is not falling asleep.
        bench.press(.sleep(.minutes(1)), .pause)
        bench.pass(milliseconds: 60_000)
        #expect(bench.player.fall == nil && bench.speaker.sleep.setting == .off)
    }

    @Test func anItemThatEndsWhileItFadesIsGoneBackTo() {
        let bench = playing()
        bench.press(.sleep(.minutes(1)))
        bench.pass(milliseconds: 46_000)
        bench.player.positionMilliseconds = 52_000
        bench.pass(milliseconds: 1000)
        bench.player.reachEnd()
        #expect(bench.title == "b")
        bench.pass(milliseconds: 13_000)
        #expect(bench.title == "a" && !bench.player.wantsToPlay && bench.player.positionMilliseconds == 52_000)
    }

    @Test func aChapterIsHeardToItsEnd() {
        let bench = playing([0, 20_000, 40_000])
        bench.press(.sleep(.chapter))
        #expect(bench.speaker.status.sleepMilliseconds == nil && bench.speaker.status.sleep == .chapter)
        bench.press(.seek(milliseconds: 19_900))
        bench.player.positionMilliseconds = 20_001
        bench.pass(milliseconds: 110)
        #expect(!bench.player.wantsToPlay && bench.player.positionMilliseconds == 20_000)
        #expect(bench.player.fall == nil && bench.speaker.sleep.setting == .off)
    }

    @Test func whoGoesElsewhereHearsThatChapterToItsEnd() {
        let bench = playing([0, 20_000, 40_000])
        bench.press(.sleep(.chapter), .seek(milliseconds: 25_000))
        #expect(bench.player.wantsToPlay && bench.speaker.sleep.end == 40_000)
        // The last one ends with the item, and the next is not begun.
        let before = bench.player.followingChanges
        bench.press(.seek(milliseconds: 45_000))
        #expect(bench.player.followingChanges > before)
        bench.player.reachEnd()
        #expect(bench.title == "b" && !bench.player.wantsToPlay && bench.speaker.sleep.setting == .off)
        #expect(bench.player.positionMilliseconds == 0)
    }

    @Test func anItemIsHeardToItsEnd() {
        let bench = playing([0, 20_000])
        bench.press(.sleep(.item), .seek(milliseconds: 30_000))
        bench.player.reachEnd()
        #expect(bench.title == "b" && !bench.player.wantsToPlay && bench.speaker.sleep.setting == .off)
        bench.press(.play)
        bench.player.reachEnd()
        #expect(bench.timesEnded == 1)
    }

    @Test func aButtonGoesThroughTheLengths() {
        let bench = playing()
        var seen: [Sleep] = []
        for _ in 0..<6 {
            bench.press(.sleepStep)
            seen.append(bench.speaker.sleep.setting)
        }
        #expect(seen == [.minutes(15), .minutes(30), .minutes(45), .minutes(60), .chapter, .off])
        #expect(Sleep.minutes(20).step(forward: true, around: true) == .minutes(30))
        #expect(Sleep.minutes(20).step(forward: false, around: false) == .minutes(15))
        #expect(Sleep.minutes(5).step(forward: false, around: false) == .off)
        #expect(Sleep.minutes(90).step(forward: true, around: false) == .chapter)
        #expect(Sleep.chapter.step(forward: true, around: false) == .chapter)
        #expect(Sleep.off.step(forward: false, around: false) == .off)
        #expect(Sleep.item.step(forward: false, around: false) == .minutes(60))
    }
}
