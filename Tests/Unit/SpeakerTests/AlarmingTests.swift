// SPDX-License-Identifier: Apache-2.0
import CPosix
import Core
import Library
import Media
import Model
import Posix
import TestSupport
import Testing

@testable import Speaker
@testable import SpeakerBench

@Suite("What is heard of alarms") struct AlarmingTests {
    /// A speaker at eight in the evening, with an alarm in a minute.
    private func bench(
        _ alarm: Alarm = Alarm(minute: 1201, days: .daily, riseMinutes: 0), library: Library? = nil
    ) -> (bench: Bench, wall: FakeWall) {
        let timers = FakeTimers()
        let wall = FakeWall(seconds: thursdayEvening, timers)
        let bench = Bench(library: library, timers: timers, alarmClock: wall.clock)
        wall.alarms = bench.speaker.alarms
        bench.add("a", "b")
        bench.press(.setVolume(percent: 30))
        #expect(bench.speaker.addAlarm(alarm) == 1 && bench.said() == [.alarmSet])
        _ = bench.changed()
        return (bench, wall)
    }

    private func isTone(_ bench: Bench) -> Bool { bench.player.track?.source == .tone }

    @Test func itPlaysWhatWasHeardLastAndEnds() {
        let (bench, _) = bench()
        bench.press(.play, .seek(milliseconds: 20_000), .pause)
        bench.pass(milliseconds: 60_000)
        #expect(bench.player.wantsToPlay && bench.title == "a" && bench.player.softwarePercent == 50)
        #expect(bench.showing.volumePercent == 30 && bench.showing.alarm == AlarmStatus(.ringing, minute: 1201))
        #expect(bench.changed().isSuperset(of: [.player, .modes]))
        bench.press(.toggleFavourite)
        #expect(!bench.player.wantsToPlay && bench.player.softwarePercent == 30 && bench.said() == [.alarmOff])
        #expect(bench.showing.alarm == AlarmStatus(.waiting, minute: 1201))
        #expect(bench.speaker.currentItem?.isFavourite == false)
        bench.pass(milliseconds: 3_600_000)
        #expect(!bench.player.wantsToPlay)
    }

    @Test func whateverIsPressedPutsItOff() {
        for command in [
            Command.playPause, .play, .pause, .next, .skip(milliseconds: 10_000), .volume(step: -5), .sleepStep,
            .setVolume(percent: 3), .toggleBookmark, .alarm(.snooze), .sentence(.again), .menu(.next),
        ] {
            let (bench, _) = bench()
            bench.pass(milliseconds: 60_000)
            let title = bench.title
            bench.press(command, command)
            #expect(!bench.player.wantsToPlay && bench.said() == [.snoozing], "\(command)")
            #expect(bench.showing.alarm?.state == .snoozed && bench.showing.volumePercent == 30)
            #expect(bench.player.softwarePercent == 30 && bench.showing.sleep == .off && bench.title == title)
            bench.pass(milliseconds: 539_999)
            #expect(!bench.player.wantsToPlay)
            bench.pass(milliseconds: 1)
            #expect(bench.player.wantsToPlay && bench.player.softwarePercent == 50)
        }
    }

    @Test func aHoldEndsIt() {
        for command in [Command.toggleFavourite, .menu(.open), .stop, .alarm(.end)] {
            for snoozes in [false, true] {
                let (bench, _) = bench()
                bench.pass(milliseconds: 60_000)
                if snoozes { bench.press(.playPause) }
                bench.press(command)
                #expect(bench.said().last == .alarmOff && bench.showing.alarm?.state == .waiting, "\(command)")
                #expect(!bench.speaker.isMenuOpen && bench.speaker.currentItem?.isFavourite != true)
                bench.pass(milliseconds: 3_600_000)
                #expect(!bench.player.wantsToPlay)
            }
        }
    }

    /// Playback during a snooze has its usual volume.
    @Test func aWhileAfterItAllIsAsEver() {
        let (bench, _) = bench()
        bench.pass(milliseconds: 60_000)
        bench.press(.playPause)
        bench.pass(milliseconds: 2000)
        bench.press(.play, .volume(step: 5))
        #expect(bench.player.wantsToPlay && bench.player.softwarePercent == 35)
        bench.pass(milliseconds: 538_000)
        #expect(bench.showing.alarm?.state == .ringing && bench.player.softwarePercent == 50)
    }

    @Test func whoeverChoosesSomethingHearsIt() {
        let (bench, _) = bench()
        bench.pass(milliseconds: 60_000)
        bench.speaker.go(to: 1, play: true, asked: bench.timers.now)
        #expect(bench.title == "b" && bench.player.wantsToPlay && bench.showing.alarm?.state == .waiting)
        #expect(bench.player.softwarePercent == 30)
    }

    @Test func itBecomesLouder() {
        for (rise, loudness) in [(1, 100), (10, 60), (60, 31), (5, 30), (60, 100)] {
            let (bench, _) = bench(Alarm(minute: 1201, days: .daily, riseMinutes: rise, loudnessPercent: loudness))
            bench.pass(milliseconds: 60_000)
            var before = 0
            for second in 0...rise * 60 {
                let percent = bench.player.softwarePercent ?? 0
                #expect(percent >= max(30, before) && percent <= loudness)
                if second == 0 { #expect(percent == 30) }
                if second == rise * 60 { #expect(percent == loudness) }
                before = percent
                if second < rise * 60 - 1 || rise < 60 { bench.timers.pass(milliseconds: 1000) }
                if second == rise * 60 - 1 && rise == 60 { break }
            }
        }
    }

    /// The night's ceiling is for hands.
    @Test func itIsAsLoudAsItIsSetByNight() {
        let (bench, _) = bench()
        bench.speaker.rules.night = PlayingRules.Night(
            hours: NightHours(from: 0, to: 1439), sleep: .minutes(30), startPercent: 10, mostPercent: 20)
        bench.speaker.listening.rewind.wallMinute = { 1201 }
        bench.pass(milliseconds: 60_000)
        #expect(bench.player.softwarePercent == 50 && bench.showing.sleep == .off)
    }

    @Test func sleepAndAlarmDoNotFight() {
        let (bench, _) = bench()
        bench.press(.play, .sleep(.minutes(1)))
        bench.pass(milliseconds: 55_000)
        #expect(bench.player.fall != nil)
        bench.pass(milliseconds: 5000)
        #expect(bench.player.wantsToPlay && bench.player.fall == nil && bench.showing.sleep == .off)
        bench.pass(milliseconds: 1_000_000)
        #expect(bench.player.wantsToPlay)
    }

    @Test func whatCannotBePlayedIsATone() {
        let (bench, _) = bench()
        bench.press(.play, .pause)
        bench.removeDisk()
        bench.pass(milliseconds: 60_000)
        bench.player.fail()
        bench.pass(milliseconds: 1000)
        #expect(isTone(bench) && bench.player.wantsToPlay && bench.player.softwarePercent == 50)
        #expect(bench.title == "a" && bench.showing.state == .playing && bench.showing.positionMilliseconds == 0)
        // The tone has no place, and goes when it is put off.
        bench.player.positionMilliseconds = 5000
        bench.pass(milliseconds: 10_000)
        #expect(bench.library.item(1)?.positionMilliseconds == 0)
        bench.press(.playPause)
        #expect(bench.player.track == nil && !bench.player.wantsToPlay)
        // With the disk back it plays what it should.
        bench.pass(milliseconds: 540_000)
        #expect(bench.player.wantsToPlay && !isTone(bench) && bench.title == "a")
        bench.press(.stop)
        bench.press(.play)
        #expect(bench.title == "a" && bench.player.wantsToPlay)
    }

    @Test func silenceIsNotWaitedFor() {
        let (bench, _) = bench()
        bench.pass(milliseconds: 60_000)
        // A card that is away for a moment is no reason.
        bench.player.loseDevice()
        bench.pass(milliseconds: 60_000)
        #expect(!isTone(bench))
        bench.player.findDevice()
        // All of the queue has been heard.
        bench.player.reachEnd()
        bench.player.reachEnd()
        #expect(!bench.player.wantsToPlay)
        bench.pass(milliseconds: 12_000)
        #expect(isTone(bench) && bench.player.wantsToPlay)
        bench.player.fail(EIO)
        bench.pass(milliseconds: 12_000)
        #expect(isTone(bench) && bench.player.wantsToPlay)
        bench.press(.alarm(.end))
        bench.pass(milliseconds: 60_000)
        #expect(bench.player.track == nil)
    }

    @Test func thereIsNothingAtAll() {
        let timers = FakeTimers()
        let wall = FakeWall(seconds: thursdayEvening, timers)
        let bench = Bench(timers: timers, alarmClock: wall.clock)
        wall.alarms = bench.speaker.alarms
        for sound in [Alarm.Sound.lastHeard, .item(77), .book(of: 77), .playlist("none")] {
            let id =
                bench.speaker.addAlarm(
                    Alarm(minute: Int((wall.seconds / 60 + 1) % 1440), days: .daily, sound: sound)) ?? 0
            bench.pass(milliseconds: 75_000)
            #expect(isTone(bench) && bench.player.wantsToPlay, "\(sound)")
            #expect(bench.speaker.alarms.remove(id) && bench.player.track == nil)
        }
    }

    @Test func recordingsAndPlaylists() {
        for sound in [Alarm.Sound.item(2), .playlist("morning")] {
            let (bench, _) = bench(Alarm(minute: 1201, days: .daily, sound: sound))
            bench.speaker.sound.setPlaylists(names: { _ in }, read: { _, finish in finish([2, 1]) })
            bench.press(.play)
            bench.pass(milliseconds: 60_000)
            #expect(bench.title == "b" && bench.player.wantsToPlay, "\(sound)")
            if sound != .item(2) { #expect(bench.speaker.queue.entries.map(\.itemID) == [1, 2, 1]) }
            bench.press(.alarm(.end))
            // The next day it is not put in again.
            bench.pass(milliseconds: 86_400_000)
            #expect(bench.title == "b" && bench.player.wantsToPlay)
            if sound != .item(2) { #expect(bench.speaker.queue.count == 3) }
        }
    }

    /// A list that is another one each morning fills no queue.
    @Test func aListThatChangesIsPutInOnce() {
        let (bench, _) = bench(Alarm(minute: 1201, days: .daily, sound: .playlist("Unfinished")))
        bench.add("c", "d", "e", "f")
        var list: [ItemID] = [2, 3]
        bench.speaker.sound.setPlaylists(names: { _ in }, read: { _, finish in finish(list) })
        for morning in 0..<12 {
            list = morning % 2 == 0 ? [2, 3, 5] : [6, 4, 3]
            bench.pass(milliseconds: morning == 0 ? 60_000 : 86_400_000)
            #expect(bench.player.wantsToPlay && bench.speaker.currentItem?.id == list[0])
            bench.press(.alarm(.end))
        }
        #expect(bench.speaker.queue.count <= 7)
    }

    @Test func aPowerCutWhileItRings() throws {
        let folder = try TemporaryFolder()
        let (first, wall) = bench(library: Library(stateFolder: folder.path) { _ in })
        first.pass(milliseconds: 70_000)
        #expect(first.player.wantsToPlay)
        first.library.close()
        let timers = FakeTimers()
        let later = FakeWall(seconds: wall.seconds + 600, timers)
        let second = Bench(stateFolder: folder.path, timers: timers, alarmClock: later.clock)
        later.alarms = second.speaker.alarms
        #expect(second.showing.alarm?.state == .ringing && second.player.softwarePercent == 50)
        #expect(second.showing.volumePercent == 30 && second.player.wantsToPlay)
        second.press(.stop)
        second.library.close()
        let third = Bench(stateFolder: folder.path, timers: timers, alarmClock: later.clock)
        #expect(third.showing.alarm?.state == .waiting && !third.player.wantsToPlay)
        #expect(third.player.softwarePercent == 30)
    }

    @Test func theClockIsNotSet() {
        let timers = FakeTimers()
        let wall = FakeWall(seconds: 5, timers)
        wall.isKnown = false
        let bench = Bench(timers: timers, alarmClock: wall.clock)
        wall.alarms = bench.speaker.alarms
        bench.add("a")
        #expect(bench.showing.trouble == nil)
        _ = bench.speaker.addAlarm(Alarm(minute: 1170, days: .daily))
        #expect(bench.showing.trouble == .clockNotSet && bench.showing.alarm == nil)
        bench.press(.play)
        #expect(bench.showing.trouble == nil)
        bench.press(.pause)
        wall.set(seconds: thursdayEvening)
        #expect(bench.showing.alarm?.state == .ringing && bench.player.wantsToPlay && bench.showing.trouble == nil)
    }

    @Test func theMenuSetsIt() {
        let (bench, _) = bench()
        func stands() -> String { bench.showing.menu?.entry.title ?? "" }
        bench.press(.menu(.open))
        for _ in 0..<20 where bench.showing.menu?.entry.choice != .list(.alarms) { bench.press(.menu(.next)) }
        bench.press(.menu(.choose))
        #expect(stands() == "20:01 daily" && bench.showing.menu?.entry.isCurrent == true)
        bench.press(.menu(.next), .menu(.choose))
        #expect(stands() == "6:00" && bench.showing.menu?.count == 24)
        bench.press(.menu(.next), .menu(.choose))
        #expect(stands() == "7:00" && bench.showing.menu?.count == 12)
        for _ in 0..<8 { bench.press(.menu(.next)) }
        bench.press(.menu(.choose))
        #expect(stands() == "daily" && bench.showing.menu?.list.words == "7:40")
        _ = bench.said()
        bench.press(.menu(.next), .menu(.choose))
        #expect(!bench.speaker.isMenuOpen && bench.said() == [.alarmSet])
        let new = bench.speaker.alarms.all.last
        #expect(new?.minute == 460 && new?.days == .workdays && new?.sound == .lastHeard && new?.isOn == true)
        // Chosen, one is switched off, and on again.
        for (isOn, notice) in [(false, Notice.alarmOff), (true, .alarmSet)] {
            bench.press(.menu(.open))
            for _ in 0..<20 where bench.showing.menu?.entry.choice != .list(.alarms) { bench.press(.menu(.next)) }
            bench.press(.menu(.choose), .menu(.choose))
            #expect(bench.speaker.alarms.all.first?.isOn == isOn && bench.said().last == notice)
        }
        // And one is taken away; with the last of them the way to do so goes.
        for left in [1, 0] {
            bench.press(.menu(.open))
            for _ in 0..<20 where bench.showing.menu?.entry.choice != .list(.alarms) { bench.press(.menu(.next)) }
            bench.press(.menu(.choose))
            for _ in 0..<5 { bench.press(.menu(.next)) }
            #expect(stands() == "Delete an alarm")
            bench.press(.menu(.choose))
            #expect(stands() == (left == 1 ? "20:01 daily" : "7:40 mon-fri"))
            bench.press(.menu(.choose))
            #expect(bench.speaker.alarms.all.count == left && bench.said().last == .alarmRemoved)
        }
        bench.press(.menu(.open))
        for _ in 0..<20 where bench.showing.menu?.entry.choice != .list(.alarms) { bench.press(.menu(.next)) }
        bench.press(.menu(.choose))
        #expect(stands() == "New alarm" && bench.showing.menu?.count == 1)
    }
}
