// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import TestSupport
import Testing

@testable import Speaker
@testable import SpeakerBench

/// The speaker's own buttons, locked or describing themselves.
@Suite("Hand mode") struct HandModeTests {
    private let bench = Bench()

    private func press(_ command: Command) -> [Notice] {
        bench.speaker.press(command, asked: bench.timers.now)
        return bench.said()
    }

    @Test func aButtonThatDescribesItselfDoesNothingElse() {
        bench.add("a", "b")
        #expect(press(.describe) == [.describing] && !bench.speaker.buttonsAct)
        let (title, place) = (bench.title, bench.player.positionMilliseconds)
        #expect(press(.playPause) == [.hint("plays or pauses")] && !bench.player.wantsToPlay)
        #expect(press(.skip(milliseconds: -10_000)) == [.hint("goes back 10 seconds")])
        #expect(press(.volume(step: 5)) == [.hint("makes it louder")])
        #expect(bench.player.positionMilliseconds == place && bench.title == title)
        // Others may do what they like meanwhile.
        bench.speaker.perform(.play, asked: nil)
        #expect(bench.player.wantsToPlay)
        #expect(press(.describe) == [.unlocked] && bench.speaker.buttonsAct)
        #expect(press(.playPause) == [] && !bench.player.wantsToPlay)
    }

    @Test func lockedButtonsSaySoAndAreUnlockedByTheSameHand() {
        bench.add("a")
        #expect(press(.describe) == [.describing] && press(.lock) == [.locked])
        for command in [.playPause, .next, .toggleFavourite, .describe, .menu(.open)] as [Command] {
            #expect(press(command) == [.locked])
        }
        #expect(!bench.player.wantsToPlay && bench.speaker.menu.status == nil && bench.library.favourites().isEmpty)
        #expect(press(.lock) == [.unlocked])
        _ = press(.playPause)
        #expect(bench.player.wantsToPlay)
    }

    @Test func aRingingAlarmHearsLockedButtons() {
        let timers = FakeTimers()
        let wall = FakeWall(seconds: 1_700_000_000 / 86_400 * 86_400 + 20 * 3600, timers)
        let bench = Bench(library: nil, timers: timers, alarmClock: wall.clock)
        wall.alarms = bench.speaker.alarms
        bench.add("a")
        #expect(bench.speaker.addAlarm(Alarm(minute: 1201, days: .daily, riseMinutes: 0)) == 1)
        bench.speaker.press(.lock, asked: timers.now)
        bench.pass(milliseconds: 60_000)
        #expect(bench.player.wantsToPlay && bench.speaker.alarms.isRinging)
        bench.speaker.press(.toggleFavourite, asked: timers.now)
        #expect(!bench.player.wantsToPlay && !bench.speaker.alarms.isUnderWay && !bench.speaker.buttonsAct)
    }

    /// Each command has words of its own kind, and none is empty.
    @Test func everyCommandDescribesItself() {
        _ = press(.describe)
        for command in [
            .none, .play, .pause, .stop, .toggleFavourite, .toggleBookmark, .next, .previous, .seek(milliseconds: 0),
            .setVolume(percent: 5), .speed(step: 10), .sentence(.again), .loop(.from), .sleepStep, .say, .lock,
            .menu(.open), .screen(.library),
        ] as [Command] where command != .lock {
            guard case .hint(let words)? = press(command).first else {
                Issue.record("\(command)")
                continue
            }
            #expect(!words.isEmpty && words.count < 60)
        }
    }
}
