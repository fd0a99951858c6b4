// SPDX-License-Identifier: Apache-2.0
import CPosix
import Foundation
import Posix
import Testing

@testable import Console
@testable import Wire

/// A folder of its own for a test's sockets, removed at the end.
final class TemporaryFolder {
    let path: String

    init() {
        path = FileManager.default.temporaryDirectory.path + "/console-\(UUID().uuidString.prefix(8))"
        try! FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

extension EventLoop {
    /// Runs until the condition holds; false if it does not within a minute, which only a failure reaches, however busy the host.
    func run(until condition: () -> Bool) throws -> Bool {
        var isTooLate = false
        let deadline = schedule(at: MonotonicTime.now.adding(milliseconds: 60_000)) { isTooLate = true }
        while !condition() && !isTooLate { try waitOnce() }
        cancel(deadline)
        return condition()
    }

    /// One round that does not wait.
    func runWhatIsReady() throws {
        schedule(at: MonotonicTime.now) {}
        try waitOnce()
    }
}

/// The other end of a socket or terminal, on the same loop as the console under test.
final class Peer {
    private let loop: EventLoop
    private let descriptor: FileDescriptor
    private(set) var received: [UInt8] = []
    private(set) var isEnded = false
    private var toSend = ResponseBuffer()
    private var isSocket: Bool
    private var isReading = true

    convenience init(_ path: String, _ loop: EventLoop) throws {
        try self.init(descriptor: try UnixSocket.connect(path), isSocket: true, loop)
    }

    init(descriptor: consuming FileDescriptor, isSocket: Bool, _ loop: EventLoop) throws {
        self.loop = loop
        self.isSocket = isSocket
        self.descriptor = descriptor
        try loop.add(self.descriptor.number, .readable) { [unowned self] _ in serve() }
    }

    deinit { loop.remove(descriptor.number) }

    var text: String { String(decoding: received, as: UTF8.self) }

    func send(_ text: String) { send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) {
        toSend.bytes(bytes[...])
        flush()
    }

    /// Starts over with what is received.
    func forget() { received = [] }

    func endSending() { shutdown(descriptor.number, Int32(SHUT_WR)) }

    func setReading(_ reading: Bool) {
        isReading = reading
        flush()
    }

    /// Sends and gives what comes back up to and with the line that ends the answer.
    func ask(_ line: String) throws -> String {
        received = []
        send(line + "\n")
        guard try loop.run(until: { [unowned self] in isEnded || endsAnswer }) else { return "timeout: " + text }
        return text
    }

    private var endsAnswer: Bool {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count >= 2, lines.last == "" else { return false }
        let last = lines[lines.count - 2]
        return last == "OK" || last.hasPrefix("ACK [") || last.hasPrefix("OK MPD")
    }

    private func serve() {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        if isReading {
            let count = read(descriptor.number, &buffer, buffer.count)
            if count > 0 {
                received += buffer[..<count]
            } else if count == 0 || ns_errno() != EAGAIN {
                isEnded = true
                loop.remove(descriptor.number)
                return
            }
        }
        flush()
    }

    private func flush() {
        if isEnded { return }
        do throws(PosixError) {
            try toSend.flush(to: descriptor.number, isSocket: isSocket)
        } catch {
            toSend.removeAll()
        }
        var interest: EventLoop.Interest = isReading ? .readable : []
        if !toSend.isEmpty { interest.insert(.writable) }
        loop.change(descriptor.number, to: interest)
    }
}

extension ConsoleServer {
    /// One that listens on a Unix socket.
    convenience init(
        path: String, host: ConsoleHost, loop: EventLoop, limits: Limits = Limits()
    ) throws(PosixError) {
        self.init(host: host, loop: loop, limits: limits)
        try listen(path: path)
    }
}
