// SPDX-License-Identifier: Apache-2.0
import CPosix

/// The control thread's event loop: descriptors by epoll, timers by its timeout. All closures run on the thread that called `run`, and only
/// that thread may use this object.
public final class EventLoop {
    public struct Interest: OptionSet, Sendable {
        public let rawValue: UInt32
        public init(rawValue: UInt32) { self.rawValue = rawValue }
        public static let readable = Interest(rawValue: EPOLLIN.rawValue)
        public static let writable = Interest(rawValue: EPOLLOUT.rawValue)
        /// The exceptional condition of poll(2): the mount table has changed.
        public static let priority = Interest(rawValue: EPOLLPRI.rawValue)
        /// Always reported, even if not requested.
        public static let hangUp = Interest(rawValue: EPOLLHUP.rawValue | EPOLLERR.rawValue)
    }

    /// Identifies a timer, to cancel it; never reused.
    public struct TimerToken: Equatable {
        let id: Int

        public init(id: Int) { self.id = id }
    }

    private struct Timer {
        let id: Int
        let due: MonotonicTime
        let latest: MonotonicTime
        let action: () -> Void
    }

    private let epoll: FileDescriptor
    private var handlers: [Int32: (Interest) -> Void] = [:]
    /// The descriptors removed since the loop last woke. The kernel may reuse their numbers at once.
    private var removed: [Int32] = []
    /// Soonest first. A speaker has a handful of timers, so a sorted array beats a heap.
    private var timers: [Timer] = []
    private var nextTimerID = 0
    private var isRunning = false
    /// The number of returns from waiting.
    public private(set) var wakeUps = 0
    /// The time when the loop last woke; the events being handled were there by then.
    public private(set) var turnBegan = MonotonicTime.now

    public init() throws(PosixError) {
        let number = epoll_create1(Int32(EPOLL_CLOEXEC))
        if number < 0 { throw .last("epoll_create") }
        epoll = FileDescriptor(owning: number)
        // Create the first Set or Dictionary here: it seeds all hashing, and other threads of the Embedded runtime would spin meanwhile
        // (swift_once). The loop exists before any thread that hashes.
        handlers.reserveCapacity(16)
    }

    /// Calls `handler` whenever the descriptor is ready. The descriptor must stay open until `remove`. Throws `EPERM` for
    /// regular files, which epoll does not take.
    public func add(
        _ descriptor: Int32, _ interest: Interest, handler: @escaping (Interest) -> Void
    ) throws(PosixError) {
        var event = epoll_event(events: interest.rawValue, data: epoll_data_t(fd: descriptor))
        if epoll_ctl(epoll.number, EPOLL_CTL_ADD, descriptor, &event) < 0 { throw .last("epoll_ctl") }
        handlers[descriptor] = handler
    }

    /// Changes the events that a descriptor is watched for.
    public func change(_ descriptor: Int32, to interest: Interest) {
        var event = epoll_event(events: interest.rawValue, data: epoll_data_t(fd: descriptor))
        _ = epoll_ctl(epoll.number, EPOLL_CTL_MOD, descriptor, &event)
    }

    /// Call before closing the descriptor. Events already collected for it are dropped.
    public func remove(_ descriptor: Int32) {
        if handlers.removeValue(forKey: descriptor) != nil {
            removed.append(descriptor)
            _ = epoll_ctl(epoll.number, EPOLL_CTL_DEL, descriptor, nil)
        }
    }

    /// Calls `action` once at or soon after `due`, and wakes for it at `latest`.
    @discardableResult
    public func schedule(at due: MonotonicTime, latest: MonotonicTime, _ action: @escaping () -> Void) -> TimerToken {
        nextTimerID += 1
        let position = timers.firstIndex { $0.due > due } ?? timers.count
        timers.insert(Timer(id: nextTimerID, due: due, latest: max(due, latest), action: action), at: position)
        return TimerToken(id: nextTimerID)
    }

    /// Does nothing if the timer has fired or was cancelled.
    public func cancel(_ token: TimerToken) {
        timers.removeAll { $0.id == token.id }
    }

    /// Waits and dispatches until `stop`.
    public func run() throws(PosixError) {
        isRunning = true
        while isRunning {
            try waitOnce()
        }
    }

    /// Makes `run` return after the present handler.
    public func stop() { isRunning = false }

    /// Waits for the next descriptor or timer and runs what is due.
    public func waitOnce() throws(PosixError) {
        var events = InlineArray<16, epoll_event>(repeating: epoll_event())
        var timeout: Int32 = -1
        if var wake = timers.first?.latest {
            for timer in timers.dropFirst() { wake = min(wake, timer.latest) }
            // Round up: a timer must not fire early and find nothing due.
            let left = (wake.nanoseconds - MonotonicTime.now.nanoseconds + 999_999) / 1_000_000
            timeout = Int32(clamping: max(0, left))
        }
        let number = epoll.number
        var span = events.mutableSpan
        let count = span.withUnsafeMutableBufferPointer { epoll_wait(number, $0.baseAddress!, 16, timeout) }
        if count < 0 && ns_errno() != EINTR { throw .last("epoll_wait") }
        if timeout != 0 { wakeUps += 1 }
        turnBegan = .now
        removed.removeAll(keepingCapacity: true)
        for i in 0..<max(0, Int(count)) {
            let descriptor = events[i].data.fd
            // An event of a reused number will be reported again.
            if removed.contains(descriptor) { continue }
            handlers[descriptor]?(Interest(rawValue: events[i].events))
        }
        runDueTimers()
    }

    private func runDueTimers() {
        let now = MonotonicTime.now
        while let first = timers.first, first.due <= now {
            timers.removeFirst()
            first.action()
        }
    }
}
