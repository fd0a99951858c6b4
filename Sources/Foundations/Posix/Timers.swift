/// What wakes the control thread at a time: the event loop, or a test's own clock.
public protocol Timers: AnyObject {
    var now: MonotonicTime { get }
    /// Calls `action` once at or soon after `due`, never from within this call.
    @discardableResult
    func schedule(at due: MonotonicTime, _ action: @escaping () -> Void) -> EventLoop.TimerToken
    /// Does nothing if the timer has fired or was cancelled.
    func cancel(_ token: EventLoop.TimerToken)
}

extension Timers {
    /// Calls `action` once, so many milliseconds from now.
    // Part of its caller, since Embedded Swift has no code for an extension's method on `any Timers` (see Performer).
    @discardableResult @inline(__always)
    public func schedule(inMilliseconds milliseconds: Int, _ action: @escaping () -> Void) -> EventLoop.TimerToken {
        schedule(at: now.adding(milliseconds: milliseconds), action)
    }
}

extension EventLoop: Timers {
    public var now: MonotonicTime { .now }
}
