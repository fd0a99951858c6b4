// SPDX-License-Identifier: Apache-2.0
import Posix
import Testing

@testable import Controls

@Suite struct DebouncerTests {
    @Test func aShortGlitchVanishes() {
        var debouncer = Debouncer(stableMilliseconds: 5)
        #expect(debouncer.receive(isPressed: true, at: time(milliseconds: 10)) == nil)
        #expect(debouncer.receive(isPressed: false, at: time(milliseconds: 14.9)) == nil)
        #expect(debouncer.nextDeadline == time(milliseconds: 19.9))
        #expect(debouncer.advance(to: time(milliseconds: 100)) == nil)
        #expect(!debouncer.isPressed)
        #expect(debouncer.nextDeadline == nil)
    }

    @Test func aPulseOfTheStableTimeCounts() {
        var debouncer = Debouncer(stableMilliseconds: 5)
        _ = debouncer.receive(isPressed: true, at: time(milliseconds: 10))
        let down = debouncer.receive(isPressed: false, at: time(milliseconds: 15))
        #expect(down == Debouncer.Change(isPressed: true, timestamp: time(milliseconds: 10)))
        let up = debouncer.advance(to: time(milliseconds: 20))
        #expect(up == Debouncer.Change(isPressed: false, timestamp: time(milliseconds: 15)))
    }

    @Test func itIsAFilterAndNoLockOut() {
        // A lock-out would act at 10 and then be blind: here the noise before the press changes nothing but the time.
        var debouncer = Debouncer(stableMilliseconds: 5)
        for i in 0..<10 {
            #expect(debouncer.receive(isPressed: i % 2 == 0, at: time(milliseconds: 10 + Double(i) * 4)) == nil)
        }
        #expect(debouncer.advance(to: time(milliseconds: 50.9)) == nil)
        #expect(debouncer.advance(to: time(milliseconds: 51)) == nil)
        #expect(!debouncer.isPressed)
    }

    @Test func theChangeIsTimedFromTheFirstEdgeOfItsBurst() {
        var debouncer = Debouncer(stableMilliseconds: 5)
        _ = debouncer.receive(isPressed: true, at: time(milliseconds: 10))
        _ = debouncer.receive(isPressed: false, at: time(milliseconds: 12))
        _ = debouncer.receive(isPressed: true, at: time(milliseconds: 13))
        #expect(debouncer.unsettledSince == time(milliseconds: 10))
        #expect(debouncer.advance(to: time(milliseconds: 17.9)) == nil)
        #expect(debouncer.advance(to: time(milliseconds: 18))?.timestamp == time(milliseconds: 10))
        #expect(debouncer.isPressed)
    }

    @Test func aLostEdgeStartsTheStableTimeAnew() {
        // Version 1 of the kernel's interface reads the level late and can report the same one twice.
        var debouncer = Debouncer(stableMilliseconds: 5)
        _ = debouncer.receive(isPressed: true, at: time(milliseconds: 10))
        _ = debouncer.receive(isPressed: true, at: time(milliseconds: 14))
        #expect(debouncer.advance(to: time(milliseconds: 18)) == nil)
        #expect(debouncer.advance(to: time(milliseconds: 19))?.isPressed == true)
    }

    @Test func zeroPassesChangesOnAndDropsRepeats() {
        var debouncer = Debouncer(stableMilliseconds: 0)
        #expect(debouncer.receive(isPressed: false, at: time(milliseconds: 1)) == nil)
        #expect(debouncer.receive(isPressed: true, at: time(milliseconds: 2))?.isPressed == true)
        #expect(debouncer.receive(isPressed: true, at: time(milliseconds: 3)) == nil)
        #expect(debouncer.receive(isPressed: false, at: time(milliseconds: 3))?.isPressed == false)
        #expect(debouncer.nextDeadline == nil)
    }
}
