// SPDX-License-Identifier: Apache-2.0
import Model
import Posix
import SQLite

/// The queries and reports of a scan, in portions: no call gets slower in a larger library.
extension Library {
    /// True if the disk has yet to take earlier writes, so that a scan should wait. Otherwise a slow disk would get so much that it refused
    /// writes in the end, and the library would lose files.
    public var isLogBehind: Bool { log?.isBehind ?? false }
    /// True if clients that write should wait, so that the log can be folded in.
    public var isLogFilling: Bool { log?.isFilling ?? false }

    /// The facts about an unchanged file.
    public struct KnownFile: Sendable {
        public let id: Item.ID
        public let isPresent: Bool
    }

    /// Sorts without an index: few items share a path, and SQLite must not build one for each file of a scan.
    static var byPathAndTime: StaticString {
        """
        SELECT id, isPresent FROM item WHERE path = ? AND fileBytes = ? AND fileModified = ?
          AND ifnull((SELECT stamp FROM itemSidecars WHERE itemSidecars.item = item.id), 0) = ?
        """
    }

    /// Returns the item at `path` if the file's length and time show that it has not changed, so that it need not be probed. The files
    /// beside it must be unchanged, too.
    /// - Parameter sidecarStamp: as a probe has it.
    public func knownFile(
        path: String, fileBytes: Int64, fileModifiedSeconds: Int64, sidecarStamp: Int64 = 0
    ) -> KnownFile? {
        read(else: nil) { (database) throws(SQLiteError) in
            let row = try database.cached(
                Library.byPathAndTime, .text(path), .integer(fileBytes), .integer(fileModifiedSeconds),
                .integer(sidecarStamp))
            defer { row.reset() }
            return try Library.atPath(row).map { KnownFile(id: $0.id, isPresent: $0.isPresent) }
        }
    }

    /// A file with known audio.
    public struct ContentFile: Sendable {
        public let id: Item.ID
        public let path: String
        public let fileBytes: Int64
        public let fileModifiedSeconds: Int64
    }

    /// Returns the present files of one audio.
    public func files(of identity: ContentIdentity) -> [ContentFile] {
        read(else: []) { (database) throws(SQLiteError) in
            try database.cached(
                """
                SELECT id, path, fileBytes, fileModified FROM item
                WHERE content = (SELECT id FROM content WHERE hash = ? AND audioBytes = ?) AND +isPresent = 1
                """, .integer(Int64(bitPattern: identity.hash)), .integer(identity.audioBytes)
            ).all { row in
                ContentFile(
                    id: row.integer(0), path: row.text(1), fileBytes: row.integer(2),
                    fileModifiedSeconds: row.integer(3))
            }
        }
    }

    /// The result of adding a file.
    public struct TakenIn: Sendable {
        public let id: Item.ID
        /// True if the item is new or has moved.
        public let hasArrived: Bool
        /// The earlier item at its path, if it is gone now.
        public let displaced: [Item.ID]
    }

    /// Takes in the probe of a file. Many at a time go into a `batch`. A moved file keeps its item, if the item was noted as missing.
    /// - Returns: nil if it could not be saved.
    public func takeIn(_ probe: Probe) -> TakenIn? {
        let before = files(of: probe.identity)
        let atPath = presentItems(at: probe.path)
        guard let item = upsert(probe) else { return nil }
        let stays = before.contains { $0.id == item.id && $0.path.utf8.elementsEqual(item.path.utf8) }
        return TakenIn(id: item.id, hasArrived: !stays, displaced: atPath.filter { $0 != item.id })
    }

    private func presentItems(at path: String) -> [Item.ID] {
        read(else: []) { (database) throws(SQLiteError) in
            try database.cached("SELECT id FROM item WHERE path = ? AND +isPresent = 1", .text(path)).all {
                $0.integer(0)
            }
        }
    }

    /// Notes that the files of items are present, or missing.
    public func setPresent(_ ids: [Item.ID], _ isPresent: Bool) {
        if ids.isEmpty { return }
        batch { for id in ids { setPresent(id, isPresent) } }
    }

    /// The end of a page of `presentItems`.
    public struct PresentCursor: Sendable {
        let key: [UInt8]
        let path: String
    }

    /// Returns a page of the present items in the library's order, with their paths, and the start of the next page.
    /// - Parameter folder: only items at this path or below it; nil for all.
    public func presentItems(
        in folder: String?, after cursor: PresentCursor?, limit: Int
    ) -> (items: [(id: Item.ID, path: String)], next: PresentCursor?) {
        read(else: ([], nil)) { (database) throws(SQLiteError) in
            let below = folder.map { $0.utf8.last == UInt8(ascii: "/") ? $0 : $0 + "/" }
            let belowKey = folder.map(naturalKey) ?? []
            let start = cursor?.key ?? belowKey
            let row = try database.cached(
                """
                SELECT id, path, pathKey FROM item WHERE isPresent = 1 AND (pathKey, path) > (?, ?)
                ORDER BY pathKey, path LIMIT ?
                """, .blob(start), .text(cursor?.path ?? ""), .integer(Int64(limit)))
            defer { row.reset() }
            var items: [(id: Item.ID, path: String)] = []
            var next: PresentCursor?
            var count = 0
            while try row.step() {
                count += 1
                let path = row.text(1)
                let key = row.bytes(2)
                if count == 1, let cursor, key.lexicographicallyPrecedes(cursor.key) {
                    throw SQLiteError.indexOutOfOrder
                }
                next = PresentCursor(key: key, path: path)
                if !key.starts(with: belowKey) { return (items, nil) }
                // Keys are not unique: "a" and "A" share one.
                if let folder, let below, !path.utf8.starts(with: below.utf8), !path.utf8.elementsEqual(folder.utf8) {
                    continue
                }
                // A scan cannot find an episode's file.
                if isBelowPodcasts(path) && isEpisode(row.integer(0)) { continue }
                items.append((row.integer(0), path))
            }
            return (items, count < limit ? nil : next)
        }
    }

    private func isBelowPodcasts(_ path: String) -> Bool {
        guard let podcastsFolder else { return false }
        return path.begins(with: podcastsFolder) && path.utf8.count > podcastsFolder.utf8.count
    }

    /// Returns the present item before another in the library's order; nil for the first.
    public func itemBefore(_ id: Item.ID) -> Item.ID? {
        read(else: nil) { (database) throws(SQLiteError) in
            try database.cached(
                """
                SELECT other.id FROM item, item AS other WHERE item.id = ? AND other.isPresent = 1
                  AND (other.pathKey, other.path) < (item.pathKey, item.path)
                ORDER BY other.pathKey DESC, other.path DESC LIMIT 1
                """, .integer(id)
            ).first { $0.integer(0) }
        }
    }

    /// Returns present items of unknown duration, ordered by id.
    public func itemsWithoutDuration(after id: Item.ID, limit: Int) -> [Item.ID] {
        read(else: []) { (database) throws(SQLiteError) in
            // The plus keeps SQLite from the index of present items, all of which it would sort by id for each page.
            return try database.cached(
                "SELECT id FROM item WHERE id > ? AND duration IS NULL AND +isPresent = 1 ORDER BY id LIMIT ?",
                .integer(id), .integer(Int64(limit))
            ).all { $0.integer(0) }
        }
    }
}
