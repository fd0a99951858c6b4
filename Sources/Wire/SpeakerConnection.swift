// SPDX-License-Identifier: Apache-2.0
import CPosix
import Posix

/// A connection to a running speaker for programs that do nothing else: it sends a command and waits for the answer. Use it only in a
/// process of its own.
public final class SpeakerConnection {
    public enum Failure: Error {
        /// No speaker listens there.
        case nobody(path: String)
        /// The speaker refused: MPD's number and text.
        case refused(code: Int, message: String)
        /// The speaker is gone, or was never there.
        case lost(String)

        public var message: String {
            switch self {
            case .nobody(let path):
                "no speaker is running (nobody answers at \(path)); start it, or name its --socket"
            case .refused(_, let message), .lost(let message): message
            }
        }

        package init(_ error: PosixError, path: String) {
            self = error.code == ENOENT || error.code == ECONNREFUSED ? .nobody(path: path) : .lost(error.message)
        }
    }

    /// The error number for a thing that exists already.
    public static var exists: Int { ConsoleError.Code.exists.rawValue }

    /// The error number for a request to repeat later.
    public static var busy: Int { ConsoleError.Code.updateAlready.rawValue }

    /// Returns bytes as Base64.
    public static func base64(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: Base64.text(bytes), as: UTF8.self)
    }

    private static let answerMilliseconds = 30_000

    private final class End {
        var reason: String?
        var hasChanged = false
    }

    private let path: String
    private let loop: EventLoop
    private let link: SpeakerLink
    private let end = End()

    /// - Parameter interests: the changes that `waitForChange` waits for, as for `idle`; nil for none.
    public init(socketPath: String, interests: String? = nil) throws(Failure) {
        path = socketPath
        let end = end
        do throws(PosixError) {
            loop = try EventLoop()
            link = SpeakerLink(
                socketPath: path, interests: interests, loop: loop,
                users: SpeakerLink.Users(
                    connected: {}, lost: { end.reason = $0 }, changed: { _ in end.hasChanged = true }))
            try link.connect()
        } catch { throw Failure(error, path: path) }
        let link = link
        if !run(SpeakerConnection.answerMilliseconds, until: { link.isConnected }) { throw gone }
    }

    /// Sends a line, and waits for its answer.
    @discardableResult
    public func ask(_ command: String) throws(Failure) -> SpeakerLink.Answer {
        var answer: SpeakerLink.Answer?
        link.ask(command) { answer = $0 }
        if !run(SpeakerConnection.answerMilliseconds, until: { answer != nil }) { throw gone }
        guard let answer else { throw gone }
        if let refusal = answer.refusal { throw .refused(code: answer.refusalCode, message: refusal) }
        return answer
    }

    /// The id of the listening process; 0 if it is unknown, as from within another PID namespace.
    public var process: Int { link.process }

    /// Waits for a time.
    /// - Throws: if the speaker goes away meanwhile.
    public func wait(milliseconds: Int) throws(Failure) {
        _ = run(milliseconds) { false }
        if let reason = end.reason { throw .lost(reason) }
    }

    /// Waits for the next change of interest since this last returned, but no longer than a time.
    /// - Returns: true if there was a change.
    /// - Throws: if the speaker goes away meanwhile.
    public func waitForChange(milliseconds: Int) throws(Failure) -> Bool {
        let end = end
        defer { end.hasChanged = false }
        let hasChanged = run(milliseconds) { end.hasChanged }
        if let reason = end.reason { throw .lost(reason) }
        return hasChanged
    }

    private var gone: Failure { .lost(end.reason ?? "the speaker at \(path) does not answer") }

    /// Runs the loop. Returns true if the condition held before the time was over and before the speaker went away.
    private func run(_ milliseconds: Int, until isDone: () -> Bool) -> Bool {
        var isLate = false
        let timer = loop.schedule(inMilliseconds: milliseconds) { isLate = true }
        defer { loop.cancel(timer) }
        while !isDone() && !isLate && end.reason == nil {
            if (try? loop.waitOnce()) == nil { break }
        }
        return isDone()
    }
}
