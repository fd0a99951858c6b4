// SPDX-License-Identifier: Apache-2.0
import CPosix
import Wire

/// A person's terminal for as long as a `LineEditor` reads its keys: each comes at once, unechoed, Ctrl-C among them as a byte. One a
/// process, so that what ends the process can give it back.
enum RawTerminal {
    nonisolated(unsafe) private static var found = termios()
    nonisolated(unsafe) private static var descriptor: Int32 = -1

    static func enter(_ terminal: Int32) {
        if tcgetattr(terminal, &found) < 0 { return }
        descriptor = terminal
        ns_before_ending { signal, _, _ in
            RawTerminal.leave()
            raise(signal)
        }
        var raw = found
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
        raw.c_iflag &= ~tcflag_t(IXON | ICRNL | INLCR)
        tcsetattr(terminal, TCSADRAIN, &raw)
    }

    /// Restores the terminal's settings. Safe in a signal handler, and when repeated.
    static func leave() {
        if descriptor >= 0 { tcsetattr(descriptor, TCSANOW, &found) }
        descriptor = -1
    }
}
