import CPosix
import Posix

/// A connection to a running speaker for programs: asks, and waits for the answer. Blocks, so only in a process of its own.
public final class SpeakerQuery {
    private static let answerMilliseconds: Int32 = 10_000

    private let path: String
    private let socket: FileDescriptor
    private var answers = LineBuffer(maximumLineBytes: 1 << 20)

    /// Throws where nobody listens, or no speaker.
    public init(socketPath: String) throws(PosixError) {
        path = socketPath
        socket = try UnixSocket.connect(socketPath)
        if !(try nextLine().begins(with: "OK MPD ")) {
            throw PosixError(code: EPROTO, operation: "what answers at \(path) is no speaker")
        }
    }

    /// The process that listens; 0 where it cannot be told, as from within another PID namespace.
    public var process: Int { Int(ns_peer_process(socket.number)) }

    /// The fields of the answer to a command, in order. Throws where the speaker refuses it, or is gone.
    public func fields(_ command: String) throws(PosixError) -> [(name: String, value: String)] {
        var request = ResponseBuffer()
        request.line(command)
        try request.flush(to: socket.number, isSocket: true)
        var fields: [(name: String, value: String)] = []
        while true {
            let line = try nextLine()
            if line == "OK" { return fields }
            if line.begins(with: "ACK ") { throw PosixError(code: ENOTSUP, operation: "\(path): \(line)") }
            let bytes = Array(line.utf8)
            guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { continue }
            fields.append((String(decoding: bytes[..<colon], as: UTF8.self), line.dropping(bytes: colon + 2)))
        }
    }

    /// Waits; false where the speaker went away meanwhile.
    public func wait(milliseconds: Int) -> Bool {
        let end = MonotonicTime.now.adding(milliseconds: milliseconds)
        while true {
            let left = end.milliseconds(since: .now)
            if left <= 0 { return true }
            var polled = pollfd(fd: socket.number, events: Int16(POLLIN), revents: 0)
            if ns_poll(&polled, 1, Int32(clamping: left)) > 0 { return false }
        }
    }

    private func nextLine() throws(PosixError) -> String {
        while true {
            if let line = answers.next(), case .complete(let bytes) = line {
                return String(decoding: bytes, as: UTF8.self)
            }
            var polled = pollfd(fd: socket.number, events: Int16(POLLIN), revents: 0)
            if ns_poll(&polled, 1, SpeakerQuery.answerMilliseconds) == 0 {
                throw PosixError(code: ETIMEDOUT, operation: "ask the speaker at \(path)")
            }
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = recv(socket.number, &buffer, buffer.count, 0)
            if count == 0 { throw PosixError(code: ECONNRESET, operation: "ask the speaker at \(path)") }
            if count < 0 {
                if ns_errno() == EAGAIN || ns_errno() == EINTR { continue }
                throw .last("ask the speaker at \(path)")
            }
            buffer[..<count].withUnsafeBytes { answers.append($0) }
        }
    }
}
