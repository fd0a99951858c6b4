// SPDX-License-Identifier: Apache-2.0
import CPosix

/// An eventfd: any thread signals, one thread waits on `number` in poll or epoll. Signals add up to one wake-up.
public struct WakeSignal: ~Copyable {
    /// For poll(2) and epoll.
    public let number: Int32

    public init() throws(PosixError) {
        number = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
        if number < 0 { throw .last("eventfd") }
    }

    deinit { close(number) }

    /// Real-time safe. Cannot fail but for a full counter, which wakes as well.
    @_noLocks @_noAllocation
    public borrowing func signal() { _ = ns_eventfd_signal(number) }

    /// Forgets the signals so far; call it before looking for work, so that none is missed.
    @_noLocks @_noAllocation
    public borrowing func clear() { _ = ns_eventfd_clear(number) }
}
