// SPDX-License-Identifier: Apache-2.0
import CPosix
import Posix

/// A connection to a speaker for programs that must never wait: it sends commands, hears of changes in between, and reconnects by itself.
/// On its loop's thread.
public final class SpeakerLink {
    /// The answer to a command.
    public struct Answer {
        /// The fields of the answer, in their order.
        public var fields: [(name: String, value: String)] = []
        public var binary: [UInt8] = []
        /// The reason of a refusal; nil for success.
        public var refusal: String?
        /// MPD's number of the refusal.
        public var refusalCode = 0

        public init() {}

        /// The fields as lines, as the speaker sent them.
        public var lines: String {
            var lines = ""
            for field in fields { lines += field.name + ": " + field.value + "\n" }
            return lines
        }

        public func value(_ name: String) -> String? {
            for field in fields where field.name == name { return field.value }
            return nil
        }
    }

    /// The receiver of the link's events. None is called from within `ask`.
    public struct Users {
        public var connected: () -> Void
        /// Called with the reason of a loss, once until the next connection. The link reconnects by itself.
        public var lost: (String) -> Void
        /// Called with the changes, by MPD's names such as "player" and "mixer".
        public var changed: ([String]) -> Void

        public init(
            connected: @escaping () -> Void, lost: @escaping (String) -> Void, changed: @escaping ([String]) -> Void
        ) {
            self.connected = connected
            self.lost = lost
            self.changed = changed
        }
    }

    private enum Waiting {
        case greeting
        case idle
        case answer((Answer?) -> Void)
    }

    /// A connection that allows an early release of its descriptor.
    private final class Connection {
        let file: FileDescriptor
        init(_ file: consuming FileDescriptor) { self.file = file }
    }

    private static let receiveBytes = 64 * 1024

    private let path: String
    private let interests: String?
    private let loop: EventLoop
    private let users: Users
    private var connection: Connection?
    private var reader = AnswerReader()
    private var toSpeaker = ResponseBuffer()
    /// The commands that wait for their answers, in order.
    private var waiting: [Waiting] = []
    private var isIdle = false
    private var retryTimer: EventLoop.TimerToken?
    private var isWriting = false
    private var hasComplained = false
    private var backoff = Backoff(firstMilliseconds: 200, longestMilliseconds: 2000)
    public private(set) var isConnected = false

    /// - Parameter interests: the changes to report, as for `idle`, such as "player mixer"; nil for none.
    public init(socketPath: String, interests: String?, loop: EventLoop, users: Users) {
        path = socketPath
        self.interests = interests
        self.loop = loop
        self.users = users
    }

    /// Connects, now and after each loss.
    public func start() {
        do throws(PosixError) { try connect() } catch {
            lose(
                error.code == ENOENT || error.code == ECONNREFUSED ? "no speaker is running" : error.message)
        }
    }

    package func connect() throws(PosixError) {
        let connection = Connection(try UnixSocket.connect(path))
        try loop.add(connection.file.number, .readable) { [self] interest in ready(interest) }
        self.connection = connection
        reader = AnswerReader()
        waiting = [.greeting]
    }

    /// The id of the listening process; 0 if it is unknown.
    package var process: Int { connection.map { Int(ns_peer_process($0.file.number)) } ?? 0 }

    /// Reconnects now, instead of waiting for the next attempt.
    public func retry() {
        guard connection == nil, let retryTimer else { return }
        loop.cancel(retryTimer)
        start()
    }

    /// Sends a line.
    /// - Parameter then: gets the answer, or nil if the speaker went away before it came.
    public func ask(_ command: String, then: @escaping (Answer?) -> Void) {
        guard isConnected else {
            loop.schedule(at: .now) { then(nil) }
            return
        }
        if isIdle {
            // Then the answer to idle comes first, without a change.
            toSpeaker.line("noidle")
            isIdle = false
        }
        toSpeaker.line(command)
        waiting.append(.answer(then))
        flush()
    }

    private func ready(_ interest: EventLoop.Interest) {
        if interest.contains(.writable) { flush() }
        guard let connection else { return }
        let count = withUnsafeTemporaryAllocation(byteCount: SpeakerLink.receiveBytes, alignment: 8) { buffer in
            let count = recv(connection.file.number, buffer.baseAddress, buffer.count, 0)
            if count > 0 { reader.append(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
            return count
        }
        if count == 0 { return lose("the speaker at \(path) has ended") }
        if count < 0 { return ns_errno() == EAGAIN || ns_errno() == EINTR ? () : lose(PosixError.last("read").message) }
        while self.connection != nil, let result = reader.next() { take(result) }
        idle()
    }

    private func take(_ result: AnswerReader.Result) {
        if waiting.isEmpty { return lose("the speaker says what nobody asked") }
        switch (waiting.removeFirst(), result) {
        case (.greeting, .greeting):
            isConnected = true
            hasComplained = false
            backoff.succeeded()
            users.connected()
        case (.idle, .answer(let answer)):
            isIdle = false
            let names = answer.fields.map { $0.value }
            if !names.isEmpty { users.changed(names) }
        case (.answer(let then), .answer(let answer)): then(answer)
        case (.answer(let then), _):
            then(nil)
            lose("what answers at " + path + " is no speaker")
        default: lose("what answers at " + path + " is no speaker")
        }
    }

    /// Waits for changes while no command is under way.
    private func idle() {
        guard let interests, isConnected, waiting.isEmpty else { return }
        toSpeaker.line("idle " + interests)
        waiting.append(.idle)
        isIdle = true
        flush()
    }

    private func flush() {
        guard let connection else { return }
        do throws(PosixError) { try toSpeaker.flush(to: connection.file.number, isSocket: true) } catch {
            // The loop reads the end of the connection too.
            toSpeaker.removeAll()
            return
        }
        if isWriting == toSpeaker.isEmpty {
            isWriting = !toSpeaker.isEmpty
            loop.change(connection.file.number, to: isWriting ? [.readable, .writable] : .readable)
        }
    }

    private func lose(_ reason: String) {
        if let connection { loop.remove(connection.file.number) }
        connection = nil
        isConnected = false
        isIdle = false
        isWriting = false
        toSpeaker.removeAll()
        let unanswered = waiting
        waiting = []
        retryTimer = loop.schedule(at: MonotonicTime.now.adding(milliseconds: backoff.failed())) { [self] in start() }
        for case .answer(let then) in unanswered { then(nil) }
        if !hasComplained { users.lost(reason) }
        hasComplained = true
    }
}
