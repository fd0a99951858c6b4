// SPDX-License-Identifier: Apache-2.0
import CPosix
import Posix

/// A link to a running speaker for programs that do nothing else: asks, and waits for the answer. So only in a process of its own.
public final class SpeakerConnection {
    public enum Failure: Error {
        /// Nobody listens there.
        case nobody(path: String)
        /// MPD's number, and its words.
        case refused(code: Int, message: String)
        /// The speaker is gone, or none was there.
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

    /// The number of a refusal because the thing exists already.
    public static var exists: Int { ConsoleError.Code.exists.rawValue }

    /// The number of a refusal to be repeated later.
    public static var busy: Int { ConsoleError.Code.updateAlready.rawValue }

    /// Bytes as letters.
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

    /// - Parameter interests: the changes that `waitForChange` waits for, in the words of `idle`; nil for nothing.
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

    /// The process that listens; 0 if it is unknown, as from within another PID namespace.
    public var process: Int { link.process }

    /// Waits. - Throws: if the speaker goes away meanwhile.
    public func wait(milliseconds: Int) throws(Failure) {
        _ = run(milliseconds) { false }
        if let reason = end.reason { throw .lost(reason) }
    }

    /// Waits until something of interest is another than when this last returned, but no longer than that.
    /// - Returns: whether something is.
    /// - Throws: if the speaker goes away meanwhile.
    public func waitForChange(milliseconds: Int) throws(Failure) -> Bool {
        let end = end
        defer { end.hasChanged = false }
        let hasChanged = run(milliseconds) { end.hasChanged }
        if let reason = end.reason { throw .lost(reason) }
        return hasChanged
    }

    private var gone: Failure { .lost(end.reason ?? "the speaker at \(path) does not answer") }

    /// Returns whether that was so before the time was over and the speaker went away.
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
