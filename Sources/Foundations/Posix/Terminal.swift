// SPDX-License-Identifier: Apache-2.0
import CPosix

/// The settings of a person's terminal, changed for as long as a program reads keys or hides what is typed. One a process, so that
/// what ends the process can restore them. Control thread; `restore` is safe in a signal handler, and when repeated.
public enum Terminal {
    public enum Mode {
        /// Each key comes at once and unechoed, Ctrl-C among them as a byte.
        case keys
        /// Likewise, but Ctrl-C still raises SIGINT, and Ctrl-Z would leave the terminal changed, so it does nothing. For a program that
        /// draws, which handles signals itself.
        case drawing
        /// Lines come as usual, unechoed: a password.
        case hidden
    }

    nonisolated(unsafe) private static var found = termios()
    nonisolated(unsafe) private static var descriptor: Int32 = -1

    /// Does nothing where the descriptor is no terminal.
    public static func set(_ mode: Mode, on terminal: Int32) {
        if tcgetattr(terminal, &found) < 0 { return }
        descriptor = terminal
        if mode != .drawing {
            ns_before_ending { signal, _, _ in
                Terminal.restore()
                raise(signal)
            }
        }
        var changed = found
        changed.c_lflag &= ~tcflag_t(ECHO)
        if mode != .hidden {
            changed.c_lflag &= ~tcflag_t(ICANON | IEXTEN | (mode == .keys ? ISIG : 0))
            // Ctrl-S would stop the thread in a write.
            changed.c_iflag &= ~tcflag_t(IXON | ICRNL | INLCR)
            withUnsafeMutableBytes(of: &changed.c_cc) { characters in
                characters[Int(VMIN)] = 1
                characters[Int(VTIME)] = 0
                // _POSIX_VDISABLE of Linux: no character does this.
                if mode == .drawing { characters[Int(VSUSP)] = 0 }
            }
        }
        // Before a password, what was typed too early is dropped.
        tcsetattr(terminal, mode == .hidden ? TCSAFLUSH : TCSANOW, &changed)
    }

    public static func restore() {
        if descriptor >= 0 { tcsetattr(descriptor, TCSANOW, &found) }
        descriptor = -1
    }
}
