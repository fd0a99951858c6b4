// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Model
import Scanning
import TestSupport
import Testing

@testable import Speaker
@testable import SpeakerBench

/// The parts that the speaker joins, each without it.
@Suite("Parts of the speaker") struct OwnerTests {
    private let bench = Bench()
    private let player = FakePlayer()

    // MARK: The sleep timer

    private func sleep(_ store: Library? = nil) -> SleepTimer { SleepTimer(player, bench.timers, store: store) }

    @Test func aFadeIsBegunAndEndedInTime() {
        let sleep = sleep()
        var events: [String] = []
        sleep.fadeIsDue = { [player] in
            events.append("fade")
            sleep.beginFade(entry: 7)
            player.positionMilliseconds = 99_000
        }
        sleep.arrived = { events.append("silent") }
        player.positionMilliseconds = 50_000
        sleep.set(.minutes(1))
        bench.timers.pass(milliseconds: 46_999)
        #expect(events.isEmpty && sleep.remainingMilliseconds == 13_001)
        bench.timers.pass(milliseconds: 1)
        #expect(events == ["fade"] && sleep.isFading && player.fall == SleepTimer.fadeMilliseconds)
        bench.timers.pass(milliseconds: 13_000)
        #expect(events == ["fade", "silent"])
        #expect(sleep.fadeStart?.entry == 7 && sleep.fadeStart?.milliseconds == 50_000)
        sleep.finish()
        // Loud again, but not before the last of it has gone.
        #expect(player.fall != nil && sleep.setting == .off && sleep.fadeStart == nil)
        bench.timers.pass(milliseconds: 300)
        #expect(player.fall == nil)
    }

    @Test func whatIsSetAnewWhileItFadesIsHeardAtOnce() {
        let sleep = sleep()
        sleep.fadeIsDue = { sleep.beginFade(entry: 1) }
        sleep.set(.minutes(1))
        bench.timers.pass(milliseconds: 47_000)
        #expect(player.fall != nil)
        sleep.set(.minutes(1))
        #expect(player.fall == nil && !sleep.isFading && sleep.remainingMilliseconds == 60_000)
    }

    @Test func theMinutesThatAreLeftAreKept() {
        let sleep = sleep(bench.library)
        sleep.set(.minutes(30))
        bench.timers.pass(milliseconds: 601_000)
        sleep.save()
        #expect(bench.library.restoredSleep() == .minutes(20))
        sleep.finish()
        #expect(bench.library.restoredSleep() ?? .off == .off)
    }

    @Test func theEndOfTheChapterIsNotLookedForDuringAJump() {
        bench.add("a")
        bench.press(.play)
        let sleep = SleepTimer(bench.player, bench.timers, store: nil)
        var arrivals = 0
        sleep.arrived = { arrivals += 1 }
        sleep.set(.chapter)
        bench.player.positionMilliseconds = 30_000
        sleep.willJump()
        sleep.setEnd(nil)
        #expect(sleep.endsWithItem && sleep.endsAtBorder)
        sleep.willJump()
        bench.player.positionMilliseconds = 50_000
        sleep.watch()
        #expect(arrivals == 0)
        sleep.setEnd(40_000)
        #expect(arrivals == 1 && !sleep.endsWithItem)
    }

    // MARK: Speeds

    @Test func aBookKeepsItsSpeedAndTheSpeakerIts() {
        let ids = bench.add("a", folder: "/one") + bench.add("b", folder: "/two")
        let speeds = Speeds(bench.library, store: bench.library)
        speeds.itemDidChange(to: ids[0])
        #expect(speeds.set(Speed(percent: 150), forBook: true, of: ids[0]) && speeds.now.percent == 150)
        #expect(bench.library.restoredSpeed() == .own && speeds.speed(of: ids[1]) == .own)
        speeds.itemDidChange(to: ids[1])
        #expect(speeds.now == .own && speeds.set(Speed(percent: 80), forBook: false, of: ids[1]))
        #expect(bench.library.restoredSpeed().percent == 80 && speeds.speed(of: ids[0]).percent == 150)
        let again = Speeds(bench.library, store: bench.library)
        again.restore()
        #expect(again.speaker.percent == 80 && !again.setBook(nil, of: nil))
    }

    @Test func whatIsSetForNamedFilesIsNotKept() {
        let speeds = Speeds(bench.library, store: nil)
        #expect(speeds.set(Speed(percent: 200), forBook: false, of: nil) && bench.library.restoredSpeed() == .own)
    }

    // MARK: The queue's keeper

    private func keeper(_ source: ScanSource = .library(folder: "/")) -> (QueueKeeper, () -> [Changes]) {
        let audience = Audience { _ in }
        var told: [Changes] = []
        audience.didChange = { told.append($0) }
        let keeper = QueueKeeper(
            bench.library, source, scans: bench.scans, player: player, timers: bench.timers, audience: audience)
        return (keeper, { told })
    }

    @Test func thePlayerIsAskedAnewOnlyWhereAnotherFollows() {
        let (keeper, told) = keeper()
        keeper.arrive([1, 2, 3, 4].map { Arrival(id: $0, place: .last) })
        keeper.setCurrent(0, isChosen: false)
        #expect(keeper.itemsToPlay == [1, 2])
        let before = player.followingChanges
        var timesSaved = 0
        keeper.edit({ $0.remove(2..<3) }, saveState: { timesSaved += 1 })
        #expect(player.followingChanges == before && timesSaved == 1)
        keeper.edit({ $0.remove(1..<2) }, saveState: { timesSaved += 1 })
        #expect(player.followingChanges == before + 1 && keeper.itemsToPlay == [1, 4])
        #expect(told() == [.queue, .queue, .queue])
        // No edit, nothing told or saved.
        keeper.edit({ $0.remove(9..<10) }, saveState: { timesSaved += 1 })
        #expect(told().count == 3 && timesSaved == 2)
    }

    @Test func onlyTheLibrarysQueueIsSaved() {
        for (source, rows) in [(ScanSource.library(folder: "/"), [2, 1]), (.named(["/x"]), [])] {
            let (keeper, _) = keeper(source)
            let items = bench.add("a\(rows.count)", "b\(rows.count)")
            keeper.arrive(items.map { Arrival(id: $0, place: .last) })
            keeper.edit({ $0.move(0..<1, to: 1) }, saveState: {})
            #expect(bench.library.restoredQueue().count == (rows.isEmpty ? 2 : rows.count))
            #expect(keeper.queue.entries.map(\.itemID) == items.reversed())
        }
    }

    @Test func progressIsWhatTheScanLastTold() {
        let (keeper, _) = keeper()
        bench.scans.progress = ScanProgress(filesSeen: 7)
        #expect(keeper.filesSeen == nil)
        keeper.scanDidProgress()
        #expect(keeper.filesSeen == 7)
        keeper.forgetProgress()
        #expect(keeper.filesSeen == nil)
    }

    // MARK: The transcript's last sentence

    @Test func theLastSentenceIsWantedOfOneItemAlone() {
        let items = bench.library.items(bench.add("a", "b"))
        let follower = TranscriptFollower(worker: bench.worker, audience: Audience { _ in }) { _, _ in
            FakeReader()
        }
        var wanted: [Bool] = []
        follower.didRead = { wanted.append($0) }
        follower.follow(items[0])
        follower.wantLastSentence()
        bench.worker.runAll()
        follower.follow(items[1])
        bench.worker.runAll()
        follower.follow(items[0])
        follower.wantLastSentence()
        follower.forgetWantedSentence()
        bench.worker.runAll()
        follower.follow(items[1])
        follower.wantLastSentence()
        follower.follow(items[0])
        bench.worker.runAll()
        #expect(wanted == [true, false, false, false])
    }
}
