// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Posix

@Suite struct WallClockTests {
    @Test func timersFireInOrderOfTimeAndOnce() throws {
        let loop = try EventLoop()
        let clock = try WallClock(loop)
        let now = wallClockSeconds()
        var fired: [Int] = []
        for (number, due) in [(3, now + 1), (1, now - 1_000_000_000), (2, now)] {
            clock.schedule(atSeconds: due) { reason in
                #expect(reason == .due)
                #expect(wallClockSeconds() >= due)
                fired.append(number)
                if number == 3 { loop.stop() }
            }
        }
        let cancelled = clock.schedule(atSeconds: now - 5) { _ in fired.append(99) }
        clock.cancel(cancelled)
        try loop.run()
        clock.close(loop)
        #expect(fired == [1, 2, 3])
    }

    @Test func aTimerBeyondAllTimesWaits() throws {
        let loop = try EventLoop()
        let clock = try WallClock(loop)
        var fired = 0
        clock.schedule(atSeconds: .max) { _ in fired += 1 }
        clock.schedule(atSeconds: .min) { _ in loop.stop() }
        try loop.run()
        clock.close(loop)
        #expect(fired == 0)
    }

    /// The test injects the timerfd's result for a set clock, since it may not set the clock.
    @Test func everyTimerIsToldThatTheClockWasSet() throws {
        let loop = try EventLoop()
        var isSet = true
        let clock = try WallClock(loop) { _ in
            defer { isSet = false }
            return isSet ? .wasSet : .expired
        }
        let now = wallClockSeconds()
        var told: [String] = []
        clock.schedule(atSeconds: now + 3600) { told.append("later \($0)") }
        clock.schedule(atSeconds: now - 1) { reason in
            told.append("now \(reason)")
            // It wants to ring all the same: the next reading says that its time has come.
            clock.schedule(atSeconds: now - 1) {
                told.append("again \($0)")
                loop.stop()
            }
        }
        try loop.run()
        clock.close(loop)
        #expect(told == ["now wasSet", "later wasSet", "again due"])
    }

    @Test func aReadingThatSaysNothingCallsNobody() throws {
        let loop = try EventLoop()
        var readings = 0
        let clock = try WallClock(loop) { number in
            readings += 1
            return readings < 3 ? .nothing : .expired
        }
        var fired = 0
        clock.schedule(atSeconds: 1) { _ in
            fired += 1
            loop.stop()
        }
        try loop.run()
        clock.close(loop)
        #expect(fired == 1)
        #expect(readings == 3)
    }
}
