// SPDX-License-Identifier: Apache-2.0
import CPosix

/// Timers on the wall clock, for what people set to a time of day. All use one timerfd(2), which the kernel interrupts when the clock is
/// set. Control thread only.
public final class WallClock {
    /// The reason for calling an action.
    public enum Reason: Equatable, Sendable {
        case due
        /// The clock was set before the time came: a board without a clock chip starts in the past and jumps. The action must find out
        /// whether its time is still to come, or was skipped.
        case wasSet
    }

    /// Identifies a timer, to cancel it; never reused.
    public struct TimerToken: Equatable {
        let id: Int
    }

    /// The result of reading the timerfd.
    enum Reading { case expired, wasSet, nothing }

    private struct Timer {
        let id: Int
        let dueSeconds: Int64
        let action: (Reason) -> Void
    }

    private let file: FileDescriptor
    private let read: (Int32) -> Reading
    /// Soonest first.
    private var timers: [Timer] = []
    private var nextTimerID = 0
    /// True if the clock was set while the timerfd was being set, which then cannot report it.
    private var missedSetting = false

    public convenience init(_ loop: EventLoop) throws(PosixError) { try self.init(loop, read: WallClock.read) }

    /// - Parameter read: reads the timerfd; a test supplies its own, since it cannot set the clock.
    init(_ loop: EventLoop, read: @escaping (Int32) -> Reading) throws(PosixError) {
        let number = timerfd_create(CLOCK_REALTIME, Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK))
        if number < 0 { throw .last("timerfd_create") }
        file = FileDescriptor(owning: number)
        self.read = read
        try loop.add(file.number, .readable) { [self] _ in receive() }
    }

    /// Stops all timers, and removes this object from the loop.
    public func close(_ loop: EventLoop) {
        timers.removeAll()
        loop.remove(file.number)
    }

    /// Calls `action` once: when the clock shows at least `dueSeconds` since 1970, or as soon as it is set before that. To continue,
    /// schedule the timer again.
    @discardableResult
    public func schedule(atSeconds dueSeconds: Int64, _ action: @escaping (Reason) -> Void) -> TimerToken {
        nextTimerID += 1
        let position = timers.firstIndex { $0.dueSeconds > dueSeconds } ?? timers.count
        timers.insert(Timer(id: nextTimerID, dueSeconds: dueSeconds, action: action), at: position)
        if position == 0 { arm() }
        return TimerToken(id: nextTimerID)
    }

    /// Does nothing if the timer has fired or was cancelled.
    public func cancel(_ token: TimerToken) {
        timers.removeAll { $0.id == token.id }
        arm()
    }

    private func arm() {
        var time = itimerspec()
        if let first = timers.first {
            // All zeros would disarm it; a past time fires at once.
            time.it_value.tv_sec = missedSetting ? 0 : time_t(clamping: max(0, first.dueSeconds))
            time.it_value.tv_nsec = time.it_value.tv_sec == 0 ? 1 : 0
        }
        let flags = Int32(TFD_TIMER_ABSTIME) | Int32(TFD_TIMER_CANCEL_ON_SET)
        if timerfd_settime(file.number, flags, &time, nil) < 0, ns_errno() == ECANCELED, !missedSetting {
            missedSetting = true
            arm()
        }
    }

    private func receive() {
        let reading = read(file.number)
        if missedSetting || reading == .wasSet {
            missedSetting = false
            let told = timers
            timers.removeAll()
            // Timers scheduled by an action come after it.
            for timer in told { timer.action(.wasSet) }
        } else if reading == .expired {
            let now = wallClockSeconds()
            while let first = timers.first, first.dueSeconds <= now {
                timers.removeFirst()
                first.action(.due)
            }
        }
        arm()
    }

    private static func read(_ number: Int32) -> Reading {
        var count: UInt64 = 0
        if CPosix.read(number, &count, MemoryLayout<UInt64>.size) > 0 { return .expired }
        return ns_errno() == ECANCELED ? .wasSet : .nothing
    }
}
