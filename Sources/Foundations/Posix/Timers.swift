// SPDX-License-Identifier: Apache-2.0
/// Wakes the control thread at a time: the event loop, or a test's clock.
public protocol Timers: AnyObject {
    var now: MonotonicTime { get }
    /// Calls `action` once at or soon after `due`, never from within this call.
    /// - Parameter latest: the time until which the timer may wait for another wake-up, to save one of its own.
    @discardableResult
    func schedule(at due: MonotonicTime, latest: MonotonicTime, _ action: @escaping () -> Void) -> EventLoop.TimerToken
    /// Does nothing if the timer has fired or was cancelled.
    func cancel(_ token: EventLoop.TimerToken)
}

// These methods are inlined, since Embedded Swift has no code for an extension's method on `any Timers` (see Performer).
extension Timers {
    /// Calls `action` once at or soon after `due`, never from within this call.
    @discardableResult @inline(__always)
    public func schedule(at due: MonotonicTime, _ action: @escaping () -> Void) -> EventLoop.TimerToken {
        schedule(at: due, latest: due, action)
    }

    /// Calls `action` once, after so many milliseconds.
    @discardableResult @inline(__always)
    public func schedule(inMilliseconds milliseconds: Int, _ action: @escaping () -> Void) -> EventLoop.TimerToken {
        schedule(at: now.adding(milliseconds: milliseconds), action)
    }
}

extension EventLoop: Timers {
    public var now: MonotonicTime { .now }
}
