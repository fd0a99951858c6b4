// SPDX-License-Identifier: Apache-2.0
import CPosix
import Synchronization

/// Ends the process in time after a request to end, even if a disk, a pipe or a sound card hangs. Its own thread sleeps until a signal or
/// `begin`, and kills the process some time later if it still runs.
public final class ExitGuard: @unchecked Sendable {
    /// Less than the 2 s promised to people and service managers.
    public static let milliseconds: Int32 = 1800

    private let begun: WakeSignal
    private let thread: Thread

    /// - Parameter signals: a descriptor that becomes and stays readable at a signal to end.
    public init(signals: Int32) throws(PosixError) {
        let begun = try WakeSignal()
        let number = begun.number
        thread = try Thread(name: "exit", stackBytes: 32 * 1024) { ExitGuard.run(signals, number) }
        self.begun = begun
    }

    /// Starts the timer for the end.
    public func begin() { begun.signal() }

    private static func run(_ signals: Int32, _ begun: Int32) {
        var polled: InlineArray<2, pollfd> = [
            pollfd(fd: signals, events: Int16(POLLIN), revents: 0),
            pollfd(fd: begun, events: Int16(POLLIN), revents: 0),
        ]
        var span = polled.mutableSpan
        while span.withUnsafeMutableBufferPointer({ ns_poll($0.baseAddress!, 2, -1) }) <= 0 {}
        var nobody = pollfd(fd: -1, events: 0, revents: 0)
        _ = ns_poll(&nobody, 1, milliseconds)
        let words: StaticString = "ended without waiting any longer for what hangs\n"
        // Do not use Log: standard error may be what hangs.
        var error = pollfd(fd: 2, events: Int16(POLLOUT), revents: 0)
        if ns_poll(&error, 1, 0) > 0 { _ = write(2, words.utf8Start, words.utf8CodeUnitCount) }
        _exit(1)
    }
}
