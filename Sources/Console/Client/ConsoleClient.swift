// SPDX-License-Identifier: Apache-2.0
import CPosix
import Posix
import Wire

/// The program `nightstand console`: sends typed or piped input to the speaker's socket, and writes its answers to standard output. Runs in
/// a process of its own, and blocks.
public final class ConsoleClient {
    /// The limit of input that waits for the speaker: above this it reads no more.
    private static let heldBackBytes = 64 * 1024

    private let path: String
    private let socket: FileDescriptor
    private let greeting: String
    private let input: Int32
    private let output: Int32
    private let isInteractive: Bool
    /// The typed line, until Enter.
    private var editor = LineEditor()
    private var isInputOpen = true
    private var toSpeaker = ResponseBuffer()
    private var typed = LineBuffer(maximumLineBytes: 1 << 20)
    private var answers = LineBuffer(maximumLineBytes: 1 << 20)
    private var hasGreeting = false
    private var hasRefusal = false
    private var hasAskedToClose = false

    /// Runs until the input has ended and the last answer has come. Returns the exit code: 0, or 1 if no speaker runs or it goes away, with
    /// a message on standard error. For piped input it is also 1 if a command was refused.
    /// - Parameter greeting: the first line at a terminal.
    public static func run(socketPath: String, greeting: String) -> Int32 {
        run(socketPath: socketPath, greeting: greeting, input: 0, output: 1)
    }

    /// Runs with other descriptors than standard input and output.
    static func run(socketPath: String, greeting: String = "", input: Int32, output: Int32) -> Int32 {
        let socket: FileDescriptor
        do throws(PosixError) { socket = try UnixSocket.connect(socketPath) } catch {
            Log.error(SpeakerConnection.Failure(error, path: socketPath).message)
            return 1
        }
        return ConsoleClient(path: socketPath, socket: socket, greeting: greeting, input: input, output: output).talk()
    }

    private init(path: String, socket: consuming FileDescriptor, greeting: String, input: Int32, output: Int32) {
        self.path = path
        self.socket = socket
        self.greeting = greeting
        self.input = input
        self.output = output
        isInteractive = isatty(input) == 1
    }

    private func talk() -> Int32 {
        if isInteractive { Terminal.set(.keys, on: input) }
        defer { if isInteractive { Terminal.restore() } }
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        while true {
            var wanted = [
                pollfd(fd: socket.number, events: Int16(POLLIN), revents: 0),
                // Poll ignores a negative descriptor.
                pollfd(fd: -1, events: Int16(POLLIN), revents: 0),
            ]
            if !toSpeaker.isEmpty { wanted[0].events |= Int16(POLLOUT) }
            if isInputOpen && toSpeaker.count < ConsoleClient.heldBackBytes { wanted[1].fd = input }
            if ns_poll(&wanted, 2, -1) < 0 {
                if ns_errno() == EINTR { continue }
                Log.error(PosixError.last("poll").message)
                return 1
            }
            if wanted[0].revents != 0 {
                let count = recv(socket.number, &buffer, buffer.count, 0)
                if count > 0 {
                    if !take(answer: buffer[..<count]) { return 1 }
                } else if count == 0 || (ns_errno() != EAGAIN && ns_errno() != EINTR) {
                    return end()
                }
            }
            if wanted[1].revents != 0 {
                let count = read(input, &buffer, buffer.count)
                if count > 0 && isInteractive {
                    for byte in buffer[..<count] where isInputOpen { take(key: byte) }
                } else if count > 0 {
                    take(input: buffer[..<count])
                } else if count == 0 || ns_errno() != EINTR {
                    isInputOpen = false
                    // The last line of a file may lack its newline.
                    if typed.count > 0 { take(input: [.newline]) }
                }
            }
            do throws(PosixError) {
                try toSpeaker.flush(to: socket.number, isSocket: true)
            } catch {
                // The speaker has closed; its last answers are still unread.
                toSpeaker.removeAll()
                isInputOpen = false
            }
            // The speaker answers all commands it got, then closes its end.
            if !isInputOpen && toSpeaker.isEmpty { shutdown(socket.number, Int32(SHUT_WR)) }
        }
    }

    /// Takes a key. Ctrl-D, or Ctrl-C on an empty line, ends the input.
    private func take(key byte: UInt8) {
        var echo = ResponseBuffer()
        let isEmpty = editor.line.isEmpty
        let event = editor.receive(byte, echo: &echo)
        switch event {
        case .end: isInputOpen = false
        case .interrupt where isEmpty: isInputOpen = false
        case .interrupt, .listed:
            echo.text(LineEditor.prompt)
            editor.redraw(&echo)
        case .line, nil: break
        }
        if !isInputOpen { return }
        write(echo.bytes)
        if case .line(let line) = event { take(input: line[...] + [.newline]) }
    }

    /// Passes the input on. People try `quit` and `exit` first, so these mean `close`.
    private func take(input bytes: ArraySlice<UInt8>) {
        bytes.withUnsafeBytes { typed.append($0) }
        while let line = typed.next() {
            guard case .complete(let line) = line else { continue }
            let word = String(decoding: line, as: UTF8.self)
            if word == "close" || (isInteractive && (word == "quit" || word == "exit")) {
                hasAskedToClose = true
                toSpeaker.line("close")
            } else if isInteractive && line.isEmpty {
                write(LineEditor.prompt)
            } else {
                toSpeaker.bytes(line)
                toSpeaker.line("")
            }
        }
    }

    /// Shows the speaker's answer, without its greeting. Returns false if it is no speaker.
    private func take(answer bytes: ArraySlice<UInt8>) -> Bool {
        bytes.withUnsafeBytes { answers.append($0) }
        var shown = ResponseBuffer()
        while let line = answers.next() {
            guard case .complete(let line) = line else { continue }
            if !hasGreeting {
                guard line.starts(with: "OK MPD ".utf8) else {
                    Log.error("what answers at \(path) is no speaker")
                    return false
                }
                hasGreeting = true
                if isInteractive {
                    shown.line(greeting)
                    shown.text(LineEditor.prompt)
                }
                continue
            }
            if isatty(output) == 1 { shown.bytesForTerminal(line) } else { shown.bytes(line) }
            shown.line("")
            let isRefusal = line.starts(with: "ACK [".utf8)
            if isRefusal { hasRefusal = true }
            if isInteractive && (isRefusal || line.elementsEqual("OK".utf8)) {
                shown.text(LineEditor.prompt)
                // Show the text typed meanwhile.
                editor.redraw(&shown)
            }
        }
        write(shown.bytes)
        return true
    }

    /// Handles the end of the connection, which the speaker has closed.
    private func end() -> Int32 {
        if isInteractive { write("\n") }
        if isInputOpen && !hasAskedToClose || !hasGreeting {
            Log.error("the speaker at \(path) has closed the connection")
            return 1
        }
        return hasRefusal && !isInteractive ? 1 : 0
    }

    private func write(_ text: String) { write(Array(text.utf8)) }

    /// Writes to the output. If its reader is gone, SIGPIPE ends the process, like any other in a pipe.
    private func write(_ bytes: [UInt8]) {
        var done = 0
        while done < bytes.count {
            let count = bytes[done...].withUnsafeBytes { CPosix.write(output, $0.baseAddress, $0.count) }
            if count < 0 && ns_errno() != EINTR { return }
            done += max(0, count)
        }
    }
}
