// SPDX-License-Identifier: Apache-2.0
import CPosix

/// An eventfd: any thread signals, and one thread waits for `number` in poll or epoll. Several signals become one wake-up.
public struct WakeSignal: ~Copyable {
    /// The descriptor for poll(2) and epoll.
    public let number: Int32

    public init() throws(PosixError) {
        number = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
        if number < 0 { throw .last("eventfd") }
    }

    deinit { close(number) }

    /// Signals. Real-time safe. It can fail only if the counter is full, and then it wakes as well.
    @_noLocks @_noAllocation
    public borrowing func signal() { _ = ns_eventfd_signal(number) }

    /// Discards earlier signals. Call it before looking for work, so that none is missed.
    @_noLocks @_noAllocation
    public borrowing func clear() { _ = ns_eventfd_clear(number) }
}
