// SPDX-License-Identifier: Apache-2.0
import CPosix
import Core
import Posix
import Streams

/// The records of a feed in order of arrival, then sorted: two unnamed files in the cache's folder. It holds 24 bytes in memory for each
/// episode, of any length.
struct FeedFile: ~Copyable {
    /// The limit of the records' bytes.
    private static let mostBytes: Int64 = 24 << 20
    /// The limit of episodes in order of arrival: more than the final limit, since they need not come in order.
    private static let mostEpisodes = 20_000

    private struct Episode {
        var seconds: Int64
        var place: Int64
        var identity: UInt64
    }

    private let folder: String
    private let drafts: FileDescriptor
    private var episodes: [Episode] = []
    /// The address of each identity: another episode with the same identity is known by its address.
    private var named: [UInt64: UInt64] = [:]
    private var front: Int64 = 0
    private var pending: [UInt8] = []

    init(folder: String) throws(PosixError) {
        self.folder = folder
        drafts = try FeedFile.nameless(folder)
    }

    private static func nameless(_ folder: String) throws(PosixError) -> FileDescriptor {
        let path = folder + "/feed-being-read"
        _ = path.withPath { unlink($0) }
        let file = try FileDescriptor.open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
        _ = path.withPath { unlink($0) }
        return file
    }

    /// True at the final limit.
    var isEnough: Bool { episodes.count >= FeedRecord.mostEpisodes }

    /// - Returns: false without room for it.
    mutating func add(_ record: FeedRecord) -> Bool {
        var record = record
        let address = record[.address] ?? ""
        var identity = (record[.identity] ?? "").stableHash
        let place = address.stableHash
        if named[identity] ?? place != place {
            record[.identity] = address
            identity = place
        } else {
            named[identity] = place
        }
        let bytes = record.bytes
        if episodes.count >= FeedFile.mostEpisodes || front + Int64(bytes.count) > FeedFile.mostBytes { return false }
        // An episode without a time keeps its place in the feed.
        let seconds = record.number(.published) ?? episodes.last?.seconds ?? 0
        episodes.append(Episode(seconds: seconds, place: front, identity: identity))
        front += Int64(bytes.count)
        pending += bytes
        return pending.count < 32 * 1024 || flush()
    }

    private mutating func flush() -> Bool {
        defer { pending.removeAll(keepingCapacity: true) }
        return pending.withUnsafeBytes { bytes in
            do throws(PosixError) {
                try drafts.writeAll(bytes)
                return true
            } catch { return false }
        }
    }

    /// Returns a read-only file of the feed and its episodes: the newest first, each identity once, and no more than a book may have.
    mutating func finish(_ feed: FeedRecord) throws(PosixError) -> FileDescriptor {
        guard flush() else { throw PosixError(code: ENOSPC, operation: "write the feed's episodes") }
        var order = Array(episodes.indices)
        order.sort { (left, right) in
            episodes[left].seconds == episodes[right].seconds
                ? left < right : episodes[left].seconds > episodes[right].seconds
        }
        let file = try FeedFile.nameless(folder)
        var feed = feed
        let count = Set(episodes.map { $0.identity }).count
        if count > FeedRecord.mostEpisodes && feed[.notice] == nil {
            feed[.notice] = "only the newest \(FeedRecord.mostEpisodes) of its \(count) episodes are taken"
        }
        var out = feed.bytes
        var seen: Set<UInt64> = []
        for index in order where seen.count < FeedRecord.mostEpisodes {
            let episode = episodes[index]
            if !seen.insert(episode.identity).inserted { continue }
            let piece = try drafts.read(4 + FeedRecord.mostBytes, at: episode.place)
            guard let count = FeedRecord.length(piece[...]), 4 + count <= piece.count else { continue }
            out += piece[..<(4 + count)]
            if out.count >= 32 * 1024 {
                try file.writeAll(out)
                out.removeAll(keepingCapacity: true)
            }
        }
        try file.writeAll(out)
        return try FileDescriptor.open("/proc/self/fd/\(file.number)", O_RDONLY)
    }
}
