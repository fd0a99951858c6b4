// SPDX-License-Identifier: Apache-2.0
import Posix

/// A clock that stands until a test moves it, and calls what is due then, as `EventLoop` does.
public final class FakeTimers: Timers {
    public private(set) var now = MonotonicTime(nanoseconds: 1_000_000_000)
    private var timers: [(id: Int, due: MonotonicTime, latest: MonotonicTime, action: () -> Void)] = []
    private var lastID = 0

    public init() {}

    public func schedule(
        at due: MonotonicTime, latest: MonotonicTime, _ action: @escaping () -> Void
    ) -> EventLoop.TimerToken {
        lastID += 1
        let place = timers.firstIndex { $0.due > due } ?? timers.count
        timers.insert((lastID, due, max(due, latest), action), at: place)
        return EventLoop.TimerToken(id: lastID)
    }

    public func cancel(_ token: EventLoop.TimerToken) {
        timers.removeAll { EventLoop.TimerToken(id: $0.id) == token }
    }

    /// Timers that wait.
    public var count: Int { timers.count }

    /// Lets time pass, and runs what falls due at its time.
    public func pass(milliseconds: Int) {
        let end = now.adding(milliseconds: milliseconds)
        while let wake = timers.map(\.latest).min(), wake <= end {
            now = max(now, wake)
            while let first = timers.first, first.due <= now {
                timers.removeFirst()
                first.action()
            }
        }
        now = end
    }
}
