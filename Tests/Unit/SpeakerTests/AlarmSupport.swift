// SPDX-License-Identifier: Apache-2.0
import Model
import Posix
import TestSupport

@testable import Speaker

/// A clock on the wall that a test sets, beside a fake one that only goes on.
final class FakeWall {
    let timers: FakeTimers
    /// Of the wall when the other clock was at 0.
    private var startMilliseconds: Int64
    private var token: EventLoop.TimerToken?
    var isKnown = true
    var alarms: Alarms?
    var local: LocalTime

    init(seconds: Int64, _ timers: FakeTimers, _ local: LocalTime = .utc) {
        self.timers = timers
        self.local = local
        startMilliseconds = seconds * 1000 - timers.now.nanoseconds / 1_000_000
    }

    var seconds: Int64 { milliseconds / 1000 }
    private var milliseconds: Int64 { startMilliseconds + timers.now.nanoseconds / 1_000_000 }

    /// A person sets the clock, which makes it known.
    func set(seconds: Int64) {
        startMilliseconds += seconds * 1000 - milliseconds
        isKnown = true
        alarms?.clockWasSet()
    }

    var clock: AlarmClock {
        var clock = AlarmClock()
        clock.seconds = { self.seconds }
        clock.isSet = { self.isKnown }
        clock.local = local
        clock.wake = { seconds in
            if let token = self.token { self.timers.cancel(token) }
            self.token = nil
            guard let seconds, seconds < 1 << 40 else { return }
            self.token = self.timers.schedule(
                at: self.timers.now.adding(milliseconds: max(0, seconds * 1000 - self.milliseconds))
            ) {
                self.token = nil
                self.alarms?.look()
            }
        }
        return clock
    }
}

extension LocalTime {
    static var utc: LocalTime { LocalTime { _ in 0 } }

    /// A zone that is changed at one moment.
    static func changing(at moment: Int64, from before: Int64, to after: Int64) -> LocalTime {
        LocalTime { $0 < moment ? before : after }
    }
}

/// The first of 2026, which was a Thursday, at 20:00.
let thursdayEvening: Int64 = 1_767_297_600
