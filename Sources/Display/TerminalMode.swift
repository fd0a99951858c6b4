// SPDX-License-Identifier: Apache-2.0
import CPosix
import Posix

/// The terminal's mode for drawing: immediate keys without echo, an alternate screen, no cursor. It is global, since there is one terminal.
/// `leave` restores it from any exit path, including a signal handler.
public enum TerminalMode {
    nonisolated(unsafe) private static var output: Int32 = -1

    /// Resets colors and attributes, and restores the cursor and the earlier screen.
    private static let leaveSequence: StaticString = "\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"

    /// Returns true if `descriptor` is a terminal that can place a cursor.
    public static func canDraw(on descriptor: Int32) -> Bool {
        guard isatty(descriptor) == 1, let type = getenv("TERM") else { return false }
        let name = String(cString: type)
        return !name.isEmpty && name != "dumb"
    }

    /// Switches `input` to raw keys, if it is a terminal, and `output` to a blank screen. Control-C still raises SIGINT. Control thread
    /// only.
    static func enter(input: Int32, output: Int32) {
        if Self.output >= 0 { return }
        Self.output = output
        // Restore the terminal before sudden ends of the program, such as Control-\ and our own traps.
        ns_before_dying { signal, _, _ in
            TerminalMode.leave()
            raise(signal)
        }
        Terminal.set(.drawing, on: input)
    }

    /// Restores the terminal. It calls only tcsetattr(3), tcflush(3) and write(2), so a signal handler or atexit may call it, at any time
    /// and repeatedly.
    public static func leave() {
        if output >= 0 {
            leaveSequence.withUTF8Buffer {
                if write(output, $0.baseAddress, $0.count) < $0.count {
                    // For a terminal that accepts nothing: drop the unsent text.
                    tcflush(output, TCOFLUSH)
                    _ = write(output, $0.baseAddress, $0.count)
                }
            }
            output = -1
        }
        Terminal.restore()
    }
}
