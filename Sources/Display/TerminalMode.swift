// SPDX-License-Identifier: Apache-2.0
import CPosix
import Posix

/// The terminal borrowed for drawing: keys unechoed and at once, a screen of its own, no cursor. One a process, since the
/// terminal is one; `leave` gives it back from any exit path, a signal handler included.
public enum TerminalMode {
    nonisolated(unsafe) private static var output: Int32 = -1

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
        Terminal.set(.drawing, on: input)
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
        Terminal.restore()
    }
}
