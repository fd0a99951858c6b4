import Core
import Posix

/// How the last run went, for whoever asks and for the next one. Beside the account's file.
public struct SyncState: Equatable, Sendable {
    /// When all last went through; seconds since 1970, 0 for never.
    public var throughSeconds: Int64 = 0
    /// The server asks to be left alone until then.
    public var notBeforeSeconds: Int64 = 0
    /// Rows that were none of ours, and records that the server would not have.
    public var skipped: Int64 = 0
    /// Why the last run did not go through; "" where it did.
    public var problem = ""

    public static let mostWaitSeconds: Int64 = 3600
    private static let mostBytes = 4096

    public init() {}

    public static func path(account: String) -> String { account + ".state" }

    /// What cannot be read says nothing.
    public static func read(_ path: String) -> SyncState {
        var state = SyncState()
        guard let bytes = try? Files.read(path, limit: mostBytes) else { return state }
        for line in bytes.split(separator: 0x0A) {
            let words = line.split(separator: 0x20, maxSplits: 1)
            guard words.count == 2 else { continue }
            if words[0].elementsEqual("problem".utf8) { state.problem = String(decoding: words[1], as: UTF8.self) }
            guard let number = Int64(digits: words[1], most: 18) else { continue }
            if words[0].elementsEqual("through".utf8) { state.throughSeconds = number }
            if words[0].elementsEqual("before".utf8) { state.notBeforeSeconds = number }
            if words[0].elementsEqual("skipped".utf8) { state.skipped = number }
        }
        return state
    }

    public func write(_ path: String) throws(PosixError) {
        let line = problem.utf8.prefix(1000).map { $0 < 0x20 ? 0x20 : $0 }
        var bytes = Array("through \(throughSeconds)\nbefore \(notBeforeSeconds)\nskipped \(skipped)\n".utf8)
        if !line.isEmpty { bytes += Array("problem ".utf8) + line + [0x0A] }
        try Account.write(path, bytes)
    }

    /// For how long the server is to be left alone. A clock that was set back since makes that no longer than it can have been.
    public func waitSeconds(now: Int64) -> Int64 {
        let left = notBeforeSeconds.subtractingSaturated(now)
        return left > SyncState.mostWaitSeconds ? 0 : max(0, left)
    }
}
