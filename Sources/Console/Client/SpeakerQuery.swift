import CPosix
import Posix

/// A connection to a running speaker for programs: asks, and waits for the answer. Blocks, so only in a process of its own.
/// What goes wrong is said on standard error.
public final class SpeakerQuery {
    private static let answerMilliseconds = 10_000

    private let path: String
    private let socket: FileDescriptor

    /// Nil where nobody listens, or no speaker.
    public init?(socketPath: String) {
        path = socketPath
        guard let connected = ConsoleClient.connect(path) else { return nil }
        socket = connected
        guard let greeting = answer(endsWith: "\n") else { return nil }
        if !greeting.begins(with: "OK MPD ") {
            Log.error("what answers at " + path + " is no speaker")
            return nil
        }
    }

    /// The process that listens; 0 where it cannot be told, as from within another PID namespace.
    public var process: Int { Int(ns_peer_process(socket.number)) }

    /// The lines of the answer to a command, of which there must be some. Nil where the speaker refuses it, or is gone.
    public func ask(_ command: String) -> [UInt8]? {
        var request = ResponseBuffer()
        request.line(command)
        try? request.flush(to: socket.number, isSocket: true)
        return answer(endsWith: "\nOK\n").map { Array($0.utf8) }
    }

    /// Waits; false where the speaker went away meanwhile.
    public func wait(milliseconds: Int) -> Bool {
        let end = MonotonicTime.now.adding(milliseconds: milliseconds)
        while true {
            let left = end.milliseconds(since: .now)
            if left <= 0 { return true }
            if isReadable(within: Int(clamping: left)) {
                Log.error("the speaker at \(path) ended")
                return false
            }
        }
    }

    private func isReadable(within milliseconds: Int) -> Bool {
        var polled = pollfd(fd: socket.number, events: Int16(POLLIN), revents: 0)
        return ns_poll(&polled, 1, Int32(clamping: milliseconds)) > 0
    }

    private func answer(endsWith end: StaticString) -> String? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while isReadable(within: SpeakerQuery.answerMilliseconds) {
            let count = recv(socket.number, &buffer, buffer.count, 0)
            if count <= 0 { break }
            bytes += buffer[..<count]
            let rest = bytes.count - end.utf8CodeUnitCount
            let isWhole =
                rest >= 0
                && bytes.withUnsafeBytes { memcmp($0.baseAddress! + rest, end.utf8Start, $0.count - rest) == 0 }
            if isWhole { return String(decoding: bytes, as: UTF8.self) }
            // A refusal is one line.
            if bytes[0] == UInt8(ascii: "A") && bytes.last == .newline { break }
        }
        Log.error("the speaker at " + path + " does not answer as it should: " + String(decoding: bytes, as: UTF8.self))
        return nil
    }
}
