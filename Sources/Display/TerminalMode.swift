// SPDX-License-Identifier: Apache-2.0
import CPosix

/// The terminal borrowed for drawing: keys unechoed and at once, a screen of its own, no cursor. One a process, since the
/// terminal is one; `leave` gives it back from any exit path, a signal handler included.
public enum TerminalMode {
    nonisolated(unsafe) private static var saved = termios()
    nonisolated(unsafe) private static var keyboard: Int32 = -1
    nonisolated(unsafe) private static var output: Int32 = -1

    /// _POSIX_VDISABLE of Linux: no character does this.
    private static let disabled: UInt8 = 0

    /// Colours off, all attributes off, cursor on, the screen that was before.
    private static let leaveSequence: StaticString = "\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"

    /// Returns whether `descriptor` is a terminal that can place a cursor.
    public static func canDraw(on descriptor: Int32) -> Bool {
        guard isatty(descriptor) == 1, let type = getenv("TERM") else { return false }
        let name = String(cString: type)
        return !name.isEmpty && name != "dumb"
    }

    /// Switches to raw keys on `input` (left alone where that is no terminal) and to a blank screen on `output`. Control-C still
    /// raises SIGINT. Control thread only.
    static func enter(input: Int32, output: Int32) {
        if Self.output >= 0 { return }
        Self.output = output
        // Sudden ends of the program, such as Control-\ and our own traps, restore the terminal first.
        ns_before_dying { signal, _, _ in
            TerminalMode.leave()
            raise(signal)
        }
        if tcgetattr(input, &saved) == 0 {
            keyboard = input
            var raw = saved
            // No echo, no lines, no control-S that would stop the control thread in a write, no control-Z that would leave
            // the terminal raw.
            raw.c_lflag &= ~tcflag_t(ICANON | ECHO | IEXTEN)
            raw.c_iflag &= ~tcflag_t(IXON | ICRNL | INLCR)
            withUnsafeMutableBytes(of: &raw.c_cc) { characters in
                characters[Int(VMIN)] = 1
                characters[Int(VTIME)] = 0
                characters[Int(VSUSP)] = disabled
            }
            tcsetattr(input, TCSANOW, &raw)
        }
    }

    /// Gives the terminal back as it was. Calls tcsetattr(3), tcflush(3) and write(2) only, so a signal handler or atexit may call it, at any
    /// time and more than once.
    public static func leave() {
        if output >= 0 {
            leaveSequence.withUTF8Buffer {
                if write(output, $0.baseAddress, $0.count) < $0.count {
                    // A terminal that takes nothing: it drops the text that was not shown for this.
                    tcflush(output, TCOFLUSH)
                    _ = write(output, $0.baseAddress, $0.count)
                }
            }
            output = -1
        }
        if keyboard >= 0 {
            tcsetattr(keyboard, TCSANOW, &saved)
            keyboard = -1
        }
    }
}
