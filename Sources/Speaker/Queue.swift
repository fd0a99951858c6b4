// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Model

/// The entries in order, and the current one.
///
/// Every edit increments `version`, and reports what it changed, so that only that is saved. Until the first edit, the queue is the scans'
/// result: the library, or the named files.
public struct Queue {
    /// A piece to insert into the queue: an item, or, with a number from 1 on, one of its chapters.
    public struct Piece: Equatable, Sendable {
        public var itemID: ItemID
        public var chapter: UInt16

        public init(_ itemID: ItemID, chapter: UInt16 = 0) {
            self.itemID = itemID
            self.chapter = chapter
        }
    }

    /// MPD's default limit of songs.
    public static let usualLimit = 16_384

    public internal(set) var entries: [QueueEntry] = []
    public internal(set) var currentIndex: Int?
    /// The version, from 1 to the largest number of 31 bits, then from 1 again.
    public private(set) var version = Queue.firstVersion
    /// The song id of the next entry; never used before.
    public private(set) var nextSongID = 1
    /// True without edits: the queue is what the scans find, in their order.
    public internal(set) var followsScans: Bool
    public internal(set) var modes = PlayModes()
    var order: PlayOrder
    /// True if the current item's file is away: its entry stays for as long as it is current.
    var isCurrentAway = false
    private var versions = QueueVersions(version: Queue.firstVersion)

    private static let firstVersion = 1
    private static let lastVersion = Int(Int32.max)

    /// - Parameter seed: the seed of a random order.
    public init(followsScans: Bool = false, seed: UInt64 = 0) {
        self.followsScans = followsScans
        order = PlayOrder(seed: seed)
    }

    /// Restores a saved queue.
    public init(
        entries: [QueueEntry], currentSongID: Int?, nextSongID: Int, followsScans: Bool, modes: PlayModes = PlayModes(),
        seed: UInt64 = 0
    ) {
        self.entries = entries
        self.followsScans = followsScans
        self.nextSongID = max(nextSongID, 1 + (entries.map { $0.songID }.max() ?? 0))
        currentIndex = currentSongID.flatMap { id in entries.firstIndex { $0.songID == id } }
        order = PlayOrder(seed: seed)
        _ = set(modes)
    }

    // MARK: Asking

    public var isEmpty: Bool { entries.isEmpty }
    public var count: Int { entries.count }
    public var current: QueueEntry? { currentIndex.map { entries[$0] } }

    public func index(ofSongID id: Int) -> Int? { entries.firstIndex { $0.songID == id } }

    /// Returns the first entry of the whole item.
    public func index(ofItem id: ItemID) -> Int? { entries.firstIndex { $0.itemID == id && $0.chapter == 0 } }

    /// Returns the ranges that differ from this version. Returns everything if the version is unknown, as after a restart.
    public func positionsChanged(since version: Int) -> [Range<Int>] {
        if version > self.version { return count == 0 ? [] : [0..<count] }
        return versions.changed(since: version, count: count)
    }

    /// The limit of entries: an edit does not enlarge a library that is beyond the usual limit.
    public var limit: Int { max(Queue.usualLimit, entries.count) }

    // MARK: Pieces

    mutating func makeEntry(_ item: ItemID, chapter: UInt16 = 0) -> QueueEntry {
        defer { nextSongID += 1 }
        return QueueEntry(songID: nextSongID, itemID: item, chapter: chapter)
    }

    mutating func endFollowing() {
        followsScans = false
        isCurrentAway = false
    }

    /// Increments the version for a change of these places.
    mutating func countUp(_ places: Range<Int>) {
        if version == Queue.lastVersion {
            version = Queue.firstVersion
            versions = QueueVersions(version: version)
        } else {
            version += 1
            versions.note(version, places)
        }
    }

    /// Adds these places to the last edit.
    mutating func noteMore(_ places: Range<Int>) { versions.note(version, places) }
}

/// The error of a queue that would exceed `limit` entries.
public struct QueueFull: Error, Equatable {
    public let limit: Int
}
