// SPDX-License-Identifier: Apache-2.0
import CPosix

/// A descriptor that becomes readable at a signal. Make it before other threads start, so that they inherit the blocked mask. SIGPIPE is
/// ignored from then on: write(2) reports a lost reader itself.
public struct SignalDescriptor: ~Copyable {
    /// Signals that ask the program to end.
    public static var ending: [Int32] { [SIGTERM, SIGINT, SIGHUP] }
    /// Signals of the terminal: its size has changed, or the program is in the foreground again.
    public static var terminal: [Int32] { [SIGWINCH, SIGCONT] }

    public let number: Int32

    public init(_ signals: [Int32]) throws(PosixError) {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
        sigprocmask(SIG_BLOCK, &set, nil)
        signal(SIGPIPE, ns_ignore_signal())
        number = signalfd(-1, &set, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
        if number < 0 { throw .last("signalfd") }
    }

    deinit { close(number) }

    /// Discards the received signals. For handlers of the loop, which know only the number.
    public static func drain(_ number: Int32) {
        var information = signalfd_siginfo()
        while read(number, &information, MemoryLayout<signalfd_siginfo>.size) > 0 {}
    }
}
