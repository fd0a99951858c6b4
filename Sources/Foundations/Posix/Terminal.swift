// SPDX-License-Identifier: Apache-2.0
import CPosix

/// The terminal's settings, changed while a program reads keys or hides the input. They are global, so that anything that ends the process
/// can restore them. Control thread; `restore` is safe in a signal handler, and when repeated.
public enum Terminal {
    public enum Mode {
        /// Each key arrives at once and without an echo. Ctrl-C arrives as a byte.
        case keys
        /// The same, but Ctrl-C raises SIGINT, and Ctrl-Z does nothing, since it would leave the terminal changed. For a program that draws
        /// and handles signals itself.
        case drawing
        /// Lines arrive without an echo: a password.
        case hidden
    }

    nonisolated(unsafe) private static var found = termios()
    nonisolated(unsafe) private static var descriptor: Int32 = -1

    /// Changes the settings. Does nothing if the descriptor is no terminal.
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
            // Ctrl-S would block the thread in a write.
            changed.c_iflag &= ~tcflag_t(IXON | ICRNL | INLCR)
            withUnsafeMutableBytes(of: &changed.c_cc) { characters in
                characters[Int(VMIN)] = 1
                characters[Int(VTIME)] = 0
                // Linux's _POSIX_VDISABLE: disables the character.
                if mode == .drawing { characters[Int(VSUSP)] = 0 }
            }
        }
        // Drop earlier input before a password.
        tcsetattr(terminal, mode == .hidden ? TCSAFLUSH : TCSANOW, &changed)
    }

    public static func restore() {
        if descriptor >= 0 { tcsetattr(descriptor, TCSANOW, &found) }
        descriptor = -1
    }
}
