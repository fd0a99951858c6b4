// SPDX-License-Identifier: Apache-2.0
import CPosix
import Posix
import Wire

/// The console at a serial line, for people: a prompt, line editing, the same commands. A missing line causes one warning, and further
/// attempts at growing intervals. Lives on the control thread's loop, until `close`.
public final class SerialConsole {
    /// The limit of answers that wait for the line, which takes some 11 KB a second: above this its commands wait.
    static let heldBackBytes = 16 * 1024
    private static let mostKeysLeft = 1024

    /// An open line.
    private final class Line {
        let tty: FileDescriptor
        let settings: termios
        var session: Session
        var editor = LineEditor()
        var output = ResponseBuffer()
        /// The keys that came while a command was under way.
        var keysLeft: [UInt8] = []
        var isWatchedForWriting = false

        init(tty: consuming FileDescriptor, settings: termios, session: Session) {
            self.tty = tty
            self.settings = settings
            self.session = session
            output.isForTerminal = true
        }
    }

    public let path: String
    private let speed: speed_t
    private let host: ConsoleHost
    private let channels: Channels
    private let loop: EventLoop
    private var line: Line?
    private var retry: EventLoop.TimerToken?
    /// The delay between attempts; the first failure is reported.
    private var backoff = Backoff()
    private var turns: Turns?

    /// Opens the line, or keeps trying. Any rate outside `LineSpeed.bauds` becomes 115200.
    public init(
        path: String, baud: Int, host: ConsoleHost, loop: EventLoop, channels: Channels = Channels()
    ) {
        self.path = path
        self.channels = channels
        speed = LineSpeed.code(baud) ?? speed_t(B115200)
        self.host = host
        self.loop = loop
        turns = Turns(loop) { [self] budget in goOn(&budget) }
        open()
    }

    /// True if the line is open.
    public var isOpen: Bool { line != nil }

    /// True while an answer is under way.
    var isAnswering: Bool { line?.session.isBusy ?? false }

    /// The number of bytes that the line has not taken yet.
    var heldBytes: Int { line?.output.count ?? 0 }

    /// Reports a change to a terminal that waits in `idle`. Do not call it from within this console's own command.
    public func notify(_ subsystems: Subsystems) {
        guard let line else { return }
        let wasIdle = line.session.isIdle
        line.session.notify(subsystems, &line.output)
        if wasIdle && !line.session.isIdle {
            line.output.text(LineEditor.prompt)
            line.editor.redraw(&line.output)
            flush(line)
        }
    }

    /// Continues after an awaited result has come.
    public func goOn() {
        if let line { flush(line) }
    }

    /// Closes the line with its old settings, and stops looking for it.
    public func close() {
        if let retry { loop.cancel(retry) }
        retry = nil
        turns = nil
        guard let line else { return }
        self.line = nil
        line.session.end()
        loop.remove(line.tty.number)
        var settings = line.settings
        tcsetattr(line.tty.number, TCSANOW, &settings)
    }

    private func newSession() -> Session { Session(host: host, manner: .spoken, channels: channels) }

    // MARK: Opening

    private func open() {
        do throws(PosixError) {
            let tty = try FileDescriptor.open(path, O_RDWR | O_NOCTTY | O_NONBLOCK)
            let settings = try configure(tty)
            let number = tty.number
            let line = Line(tty: tty, settings: settings, session: newSession())
            try loop.add(number, .readable) { [self] _ in serve(line) }
            self.line = line
            backoff.succeeded()
            line.output.text("\nNightstand. Type help and press Enter.\n" + LineEditor.prompt)
            flush(line)
        } catch {
            lookAgain(error.message)
        }
    }

    private func lookAgain(_ reason: String) {
        if backoff.failures == 0 { Log.warning("console: \(reason); will try again") }
        retry = loop.schedule(at: MonotonicTime.now.adding(milliseconds: backoff.failed())) { [self] in
            retry = nil
            open()
        }
    }

    private func lose(_ line: Line, _ reason: String) {
        guard self.line === line else { return }
        self.line = nil
        line.session.end()
        loop.remove(line.tty.number)
        lookAgain(reason)
    }

    /// Sets raw input: every key comes at once, without an echo, and Ctrl-C is a byte. The kernel still adds carriage returns to the
    /// output. Returns the earlier settings.
    private func configure(_ tty: borrowing FileDescriptor) throws(PosixError) -> termios {
        var found = termios()
        if tcgetattr(tty.number, &found) < 0 {
            // Gives "Inappropriate ioctl for device" for files that are no terminals.
            throw PosixError(code: ENOTTY, operation: "use \(path) as serial console")
        }
        var raw = found
        cfmakeraw(&raw)
        raw.c_oflag |= tcflag_t(OPOST | ONLCR)
        // No modem lines: three wires are enough. A break is no key.
        raw.c_cflag |= tcflag_t(CLOCAL | CREAD)
        raw.c_iflag |= tcflag_t(IGNBRK)
        cfsetispeed(&raw, speed)
        cfsetospeed(&raw, speed)
        if tcsetattr(tty.number, TCSANOW, &raw) < 0 { throw .last("set up \(path)") }
        return found
    }

    // MARK: Serving

    private func serve(_ line: Line) {
        guard self.line === line else { return }
        var keys = InlineArray<256, UInt8>(repeating: 0)
        var span = keys.mutableSpan
        let number = line.tty.number
        let count = span.withUnsafeMutableBufferPointer { read(number, $0.baseAddress, $0.count) }
        if count > 0 {
            for index in 0..<count { receive(keys[index], line) }
        } else if count == 0 || (ns_errno() != EAGAIN && ns_errno() != EINTR) {
            lose(line, "\(path) is gone")
            return
        }
        flush(line)
    }

    private func receive(_ key: UInt8, _ line: Line) {
        if key == .control("C") && (line.session.isBusy || line.output.count > SerialConsole.heldBackBytes) {
            // Ctrl-C stops a long answer, and drops the keys typed after it.
            line.output.removeAll()
            line.keysLeft = []
        }
        // Drop keys while the line is full, because their effect would be invisible.
        if line.output.count > SerialConsole.heldBackBytes || line.keysLeft.count >= SerialConsole.mostKeysLeft {
            return
        }
        if key == .control("C") && line.session.isBusy {
            stopAnswer(line)
        } else {
            line.keysLeft.append(key)
        }
    }

    private func stopAnswer(_ line: Line) {
        line.session.interrupt()
        line.output.text("^C\n" + LineEditor.prompt)
    }

    /// Continues with the answer under way, or with the keys that came.
    private func goOn(_ budget: inout WorkBudget) -> Bool {
        guard let line else { return false }
        while !budget.isSpent && hasWork(line) {
            if line.session.isBusy {
                line.session.goOn(&budget, &line.output)
                didTakeLine(line)
            } else {
                take(line.keysLeft.removeFirst(), line, &budget)
            }
        }
        flush(line)
        return self.line === line && hasWork(line)
    }

    /// Returns whether a command can run. It needs room for an answer: the line wakes the console when it has taken some.
    private func hasWork(_ line: Line) -> Bool {
        line.output.count < SerialConsole.heldBackBytes && !line.session.isWaiting
            && (line.session.isBusy || !line.keysLeft.isEmpty)
    }

    private func take(_ key: UInt8, _ line: Line, _ budget: inout WorkBudget) {
        switch line.editor.receive(key, echo: &line.output) {
        case nil, .end: return
        case .listed: break
        case .interrupt: line.session.interrupt()
        case .line(let bytes):
            let isEmpty = !bytes.contains { !$0.isBlank }
            if !isEmpty || line.session.isIdle {
                line.session.receive(isEmpty ? .complete([]) : .complete(bytes[...]), &budget, &line.output)
            }
            if line.session.isBusy, let typed = line.keysLeft.firstIndex(of: .control("C")) {
                // The key came before the answer began, but is meant for it.
                line.keysLeft.removeFirst(typed + 1)
                return stopAnswer(line)
            }
        }
        didTakeLine(line)
        line.editor.redraw(&line.output)
    }

    /// Shows the prompt behind a complete answer.
    private func didTakeLine(_ line: Line) {
        if line.session.isBusy { return }
        if line.session.isClosed {
            line.output.line("Goodbye.")
            line.session.end()
            line.session = newSession()
        }
        if !line.session.isIdle { line.output.text(line.session.isInList ? "> " : LineEditor.prompt) }
    }

    private func flush(_ line: Line) {
        do throws(PosixError) {
            try line.output.flush(to: line.tty.number, isSocket: false)
        } catch {
            lose(line, "\(path) is gone: \(error.reason)")
            return
        }
        if hasWork(line) { turns?.wake() }
        let mustWait = !line.output.isEmpty
        if mustWait != line.isWatchedForWriting {
            line.isWatchedForWriting = mustWait
            loop.change(line.tty.number, to: mustWait ? [.readable, .writable] : .readable)
        }
    }
}
