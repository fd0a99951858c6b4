import CPosix
import Posix

/// A connection to a running speaker for programs that ask much, also for what is no text. Blocks, so only in a process of its own.
public final class SpeakerConnection {
    /// What a command was answered with.
    public enum Reply {
        /// Names and values in their order, and the bytes of a binary answer.
        case done([(name: String, value: String)], binary: [UInt8])
        /// MPD's number, and its words.
        case refused(code: Int, message: String)
        /// It is gone, or no speaker.
        case lost(String)
    }

    public enum Failure: Error {
        /// Nobody listens there.
        case nobody
        case other(String)
    }

    /// The number of a refusal because what was to be made is there.
    public static var exists: Int { ConsoleError.Code.exists.rawValue }

    /// Because it must be asked again later.
    public static var busy: Int { ConsoleError.Code.updateAlready.rawValue }

    /// Bytes as letters.
    public static func base64(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: Base64.text(bytes), as: UTF8.self)
    }

    private static let answerMilliseconds: Int32 = 30_000

    private let path: String
    private let socket: FileDescriptor
    private var held: [UInt8] = []
    private var start = 0

    public init(socketPath: String) throws(Failure) {
        path = socketPath
        do throws(PosixError) { socket = try UnixSocket.connect(path) } catch {
            throw error.code == ENOENT || error.code == ECONNREFUSED ? .nobody : .other(error.message)
        }
        guard let greeting = line(), greeting.begins(with: "OK MPD ") else {
            throw .other("what answers at " + path + " is no speaker")
        }
    }

    /// Sends a line, and waits for its answer.
    public func ask(_ command: String) -> Reply {
        var request = ResponseBuffer()
        request.line(command)
        while !request.isEmpty {
            do throws(PosixError) { try request.flush(to: socket.number, isSocket: true) } catch {
                return .lost(error.message)
            }
            if request.isEmpty { break }
            var polled = pollfd(fd: socket.number, events: Int16(POLLOUT), revents: 0)
            if ns_poll(&polled, 1, SpeakerConnection.answerMilliseconds) <= 0 { return gone }
        }
        var fields: [(name: String, value: String)] = []
        var binary: [UInt8] = []
        while let line = line() {
            if line.utf8.elementsEqual("OK".utf8) { return .done(fields, binary: binary) }
            if line.begins(with: "ACK [") { return SpeakerConnection.refusal(line) }
            guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else { return gone }
            let name = String(line[..<colon])
            let value = line.dropping(bytes: name.utf8.count + 2)
            fields.append((name, value))
            if name == "binary" {
                guard let count = Int(value), let bytes = bytes(count + 1) else { return gone }
                binary = Array(bytes.dropLast())
            }
        }
        return gone
    }

    private var gone: Reply { .lost("the speaker at \(path) does not answer as it should") }

    /// "ACK [5@0] {command} words".
    private static func refusal(_ line: String) -> Reply {
        let bytes = Array(line.utf8)
        var code = 0
        for byte in bytes.dropFirst(5) {
            guard byte >= 0x30 && byte <= 0x39, code < 1000 else { break }
            code = code * 10 + Int(byte - 0x30)
        }
        let words = bytes.firstIndex(of: UInt8(ascii: "}")).map { bytes[min(bytes.count, $0 + 2)...] } ?? bytes[...]
        return .refused(code: code, message: String(decoding: words, as: UTF8.self))
    }

    private func line() -> String? {
        var searched = start
        while true {
            if let end = held[searched...].firstIndex(of: .newline) {
                defer { take(upTo: end + 1) }
                return String(decoding: held[start..<end], as: UTF8.self)
            }
            searched = held.count
            let before = held.count - start
            if !receive() { return nil }
            // What was taken before may have been dropped.
            searched = min(searched, start + before)
        }
    }

    private func bytes(_ count: Int) -> ArraySlice<UInt8>? {
        while held.count - start < count { if !receive() { return nil } }
        defer { take(upTo: start + count) }
        return held[start..<start + count]
    }

    private func take(upTo end: Int) { start = end }

    private func receive() -> Bool {
        if start > 0 {
            held.removeFirst(start)
            start = 0
        }
        var polled = pollfd(fd: socket.number, events: Int16(POLLIN), revents: 0)
        guard ns_poll(&polled, 1, SpeakerConnection.answerMilliseconds) > 0 else { return false }
        let before = held.count
        let most = 64 * 1024
        held.append(contentsOf: repeatElement(0, count: most))
        let count = held.withUnsafeMutableBytes { recv(socket.number, $0.baseAddress! + before, most, 0) }
        held.removeLast(most - max(0, count))
        return count > 0
    }
}
