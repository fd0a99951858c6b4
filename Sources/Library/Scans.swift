// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Posix
import SQLite

/// Recording which files there are.
extension Library {
    /// Takes in the probe of a file. Many at a time go into a `batch`.
    ///
    /// Two files of the same audio are two items. A renamed or moved file keeps its item, if the item was noted as missing before:
    /// `setPresent`.
    /// - Returns: nil if it could not be saved.
    @discardableResult
    public func upsert(_ probe: Probe, nowSeconds: Int64 = wallClockSeconds()) -> Item? {
        itemsDidChange()
        let id: Item.ID? = write(else: nil) { (database) throws(SQLiteError) in
            var id: Item.ID = 0
            try database.transaction { () throws(SQLiteError) in
                let content = try contentID(probe, database)
                if let known = try item(of: content, at: probe.path, database) {
                    id = known
                    try update(id, probe, database)
                } else {
                    id = try insert(probe, content, nowSeconds, database)
                }
                try TagIndex.set(id, Library.tags(of: probe), database)
                try noteSidecars(id, probe.sidecarStamp, database)
                try LoudnessRow.note(probe.loudness, content, database)
                try setChapters(id, probe.chapters, pages: probe.pages, database)
                try setCover(id, probe.cover, database)
                // The earlier item at this path is gone. (The plus keeps SQLite from an index of all that are there.)
                try database.cached(
                    "UPDATE item SET isPresent = 0, goneSince = ? WHERE path = ? AND id <> ? AND +isPresent = 1",
                    .optional(Library.trusted(nowSeconds)), .text(probe.path), .integer(id)
                ).run()
                try Folders.row(probe.path.pathFolder, database)
                try Library.noteBook(in: probe.path.pathFolder, database)
            }
            return id
        }
        guard let id else { return nil }
        return item(id)
    }

    private func noteSidecars(_ id: Item.ID, _ stamp: Int64, _ database: Database) throws(SQLiteError) {
        if stamp == 0 {
            try database.cached("DELETE FROM itemSidecars WHERE item = ?", .integer(id)).run()
        } else {
            try database.cached(
                "INSERT OR REPLACE INTO itemSidecars(item, stamp) VALUES(?, ?)", .integer(id), .integer(stamp)
            ).run()
        }
    }

    /// The length of audio that was rescued without its identity, until its file is probed again.
    static let unknownBytes: Int64 = -1

    private func contentID(_ probe: Probe, _ database: Database) throws(SQLiteError) -> Int64 {
        let identity = probe.identity
        let hash = Int64(bitPattern: identity.hash)
        let row = try database.cached(
            "SELECT id FROM content WHERE hash = ? AND audioBytes = ?", .integer(hash), .integer(identity.audioBytes))
        defer { row.reset() }
        if try row.step() { return row.integer(0) }
        let rescued = try database.cached(
            """
            SELECT content.id FROM item JOIN content ON content.id = item.content WHERE path = ? AND audioBytes = ?
            """, .text(probe.path), .integer(Library.unknownBytes))
        defer { rescued.reset() }
        if try rescued.step() {
            let id = rescued.integer(0)
            try database.cached(
                "UPDATE content SET hash = ?, audioBytes = ? WHERE id = ?", .integer(hash),
                .integer(identity.audioBytes), .integer(id)
            ).run()
            try Facts.rename(id, identity, database)
            return id
        }
        try database.cached(
            "INSERT INTO content(hash, audioBytes) VALUES(?, ?)", .integer(hash), .integer(identity.audioBytes)
        ).run()
        let id = database.lastInsertedRowID
        // Made now, so that counting a play changes only this one row.
        try database.cached(
            """
            INSERT OR IGNORE INTO plays(content, playCount) VALUES(?, 0)
            """, .integer(id)
        ).run()
        // A table with a lost end reuses numbers, and a garbled item may name any: two recordings would share one place.
        let other = try database.cached("SELECT 1 FROM item WHERE content = ? LIMIT 1", .integer(id))
        defer { other.reset() }
        if try other.step() { throw SQLiteError(damage: "a new recording has the number of another") }
        return id
    }

    /// Returns the item of a file with this audio at this path, or its item from before a move.
    private func item(of content: Int64, at path: String, _ database: Database) throws(SQLiteError) -> Item.ID? {
        enum Column: Int32 { case id, path, isPresent }
        let rows = try database.cached(
            """
            SELECT id, path, isPresent FROM item WHERE content = ? ORDER BY isPresent DESC, goneSince DESC, id
            """, .integer(content))
        defer { rows.reset() }
        var moved: Item.ID?
        while try rows.step() {
            let id = rows.integer(Column.id)
            if rows.text(Column.path).utf8.elementsEqual(path.utf8) { return id }
            if moved == nil && rows.integer(Column.isPresent) == 0 { moved = id }
        }
        return moved
    }

    private func insert(
        _ probe: Probe, _ content: Int64, _ nowSeconds: Int64, _ database: Database
    ) throws(SQLiteError) -> Item.ID {
        let title = Library.title(of: probe)
        // A file of known audio has the same duration as the others.
        try database.cached(
            """
            INSERT INTO item(content, path, pathKey, fileBytes, fileModified, title, titleKey, artist, album, artwork, added,
              isPresent, duration)
            VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, 1,
              coalesce((SELECT max(duration) FROM item WHERE content = ?1), ?12))
            """, .integer(content), .text(probe.path), .blob(naturalKey(probe.path)), .integer(probe.fileBytes),
            .integer(probe.fileModifiedSeconds), .text(title), .blob(naturalKey(title)),
            .text(probe.tags[.artist] ?? ""),
            .text(probe.tags[.album] ?? ""), .optional(probe.artwork), .integer(nowSeconds),
            .optional(probe.durationMilliseconds.map { max(0, $0) })
        ).run()
        return database.lastInsertedRowID
    }

    private func update(_ id: Item.ID, _ probe: Probe, _ database: Database) throws(SQLiteError) {
        let row = try database.cached("SELECT path FROM item WHERE id = ?", .integer(id))
        let before = try row.step() ? row.text(0).pathFolder : ""
        row.reset()
        if before != probe.path.pathFolder { try Library.noteBook(in: before, database) }
        let title = Library.title(of: probe)
        // A duration from a seek table is the true one.
        try database.cached(
            """
            UPDATE item SET path = ?1, pathKey = ?2, fileBytes = ?3, fileModified = ?4, title = ?5, titleKey = ?6, artist = ?7,
              album = ?8, artwork = ?9, isPresent = 1, goneSince = NULL,
              duration = CASE WHEN EXISTS(SELECT 1 FROM seekTable WHERE seekTable.content = item.content)
                THEN coalesce(duration, ?10) ELSE coalesce(?10, duration) END
            WHERE id = ?11
            """, .text(probe.path), .blob(naturalKey(probe.path)), .integer(probe.fileBytes),
            .integer(probe.fileModifiedSeconds), .text(title), .blob(naturalKey(title)),
            .text(probe.tags[.artist] ?? ""),
            .text(probe.tags[.album] ?? ""), .optional(probe.artwork),
            .optional(probe.durationMilliseconds.map { max(0, $0) }),
            .integer(id)
        ).run()
    }

    /// Returns the tags, always with a title.
    private static func tags(of probe: Probe) -> TagList {
        var tags = probe.tags
        if tags[.title] == nil { tags.append(.title, title(of: probe)) }
        return tags
    }

    private static func title(of probe: Probe) -> String {
        probe.tags[.title] ?? probe.path.pathStem.pathName.readable
    }

    /// Notes that the item's file is missing (playing it failed); a scan may find it again.
    public func markMissing(_ id: Item.ID) { setPresent(id, false) }

    func setPresent(_ id: Item.ID, _ isPresent: Bool, nowSeconds: Int64 = wallClockSeconds()) {
        itemsDidChange()
        write(else: ()) { (database) throws(SQLiteError) in
            try database.cached(
                "UPDATE item SET isPresent = ?, goneSince = ? WHERE id = ?", .integer(isPresent ? 1 : 0),
                isPresent ? .null : .optional(Library.trusted(nowSeconds)), .integer(id)
            ).run()
            let row = try database.cached("SELECT path FROM item WHERE id = ?", .integer(id))
            defer { row.reset() }
            if try row.step() { try Library.noteBook(in: row.text(0).pathFolder, database) }
        }
    }

    /// Returns the clock's time; nil if it cannot be right: a board without a clock starts in the past.
    private static func trusted(_ seconds: Int64) -> Int64? { seconds > 1_700_000_000 ? seconds : nil }

    // MARK: Forgetting

    /// Forgets files that went missing before that moment, at most `mostForgottenAtOnce`, with the memory of their audio if no other file
    /// has it. Keeps favorites, since a listener chose them.
    /// - Returns: the number of forgotten files; call again while it is not 0.
    @discardableResult
    public func forget(goneSince seconds: Int64) -> Int {
        var forgotten = 0
        batch {
            forgotten = write(else: 0) { (database) throws(SQLiteError) in
                // The last ids stay, so that no id is ever given again.
                let rows = try database.prepare(
                    """
                    SELECT id, content FROM item WHERE isPresent = 0 AND goneSince < ? AND id < (SELECT max(id) FROM item)
                      AND NOT EXISTS(SELECT 1 FROM fact WHERE fact.content = item.content
                        AND kind IN ('favourite', 'bookmark')) LIMIT ?
                    """, .integer(seconds), .integer(Library.mostForgottenAtOnce))
                let gone = try Library.forgotten(rows)
                if gone.count < Library.mostForgottenAtOnce {
                    try database.execute(
                        "UPDATE item SET goneSince = CAST(strftime('%s') AS INTEGER) WHERE isPresent = 0 AND goneSince IS NULL"
                    )
                }
                try remove(gone, database)
                return gone.count
            }
        }
        if forgotten > 0 { forgetEmptyFolders() }
        return forgotten
    }

    /// Forgets addresses that were played once and never kept, at most `mostForgottenAtOnce`: they are in no queue, were never heard, are
    /// no favorites, and no client left a sticker on them.
    /// - Parameter current: the current item, in the queue or not; 0 for none.
    /// - Returns: the number of forgotten addresses; call again while it is not 0.
    public func forgetStrayAddresses(but current: Item.ID) -> Int {
        var forgotten = 0
        batch {
            forgotten = write(else: 0) { (database) throws(SQLiteError) in
                let rows = try database.prepare(
                    """
                    SELECT id, content FROM item WHERE path >= 'http:' AND path < 'httpt' AND id <> ?1
                      AND id < (SELECT max(id) FROM item) AND id NOT IN (SELECT item FROM queueEntry)
                      AND id NOT IN (SELECT item FROM episode) AND content NOT IN (
                        SELECT content FROM plays WHERE playCount > 0 UNION SELECT file FROM workPlace WHERE milliseconds > 0)
                      AND content NOT IN (SELECT content FROM sticker)
                      AND NOT EXISTS(SELECT 1 FROM fact WHERE fact.content = item.content
                        AND kind IN ('favourite', 'bookmark')) LIMIT ?2
                    """, .integer(current), .integer(Library.mostForgottenAtOnce))
                let strays = try Library.forgotten(rows)
                try remove(strays, database)
                return strays.count
            }
        }
        if forgotten > 0 { itemsDidChange() }
        return forgotten
    }

    private static func forgotten(_ rows: Statement) throws(SQLiteError) -> [(id: Item.ID, content: Int64)] {
        defer { rows.reset() }
        var gone: [(id: Item.ID, content: Int64)] = []
        while try rows.step() { gone.append((rows.integer(0), rows.integer(1))) }
        return gone
    }

    private func remove(_ gone: [(id: Item.ID, content: Int64)], _ database: Database) throws(SQLiteError) {
        // All at once: the queue has no index by item.
        try database.cached(
            "DELETE FROM queueEntry WHERE item IN (SELECT value FROM json_each(?))",
            .text("[" + gone.map { "\($0.id)" }.joined(separator: ",") + "]")
        ).run()
        for item in gone {
            try database.cached("DELETE FROM item WHERE id = ?", .integer(item.id)).run()
            try TagIndex.remove(item.id, database)
            try database.cached("DELETE FROM itemChapters WHERE item = ?", .integer(item.id)).run()
            try setCover(item.id, nil, database)
            try database.cached("DELETE FROM bookItem WHERE item = ?", .integer(item.id)).run()
            try database.cached("DELETE FROM itemSidecars WHERE item = ?", .integer(item.id)).run()
            try database.cached("DELETE FROM episode WHERE item = ?", .integer(item.id)).run()
            let others = try database.cached(
                """
                SELECT 1 FROM item WHERE content = ?1 UNION ALL SELECT 1 WHERE ?1 = (SELECT max(id) FROM content)
                LIMIT 1
                """, .integer(item.content))
            defer { others.reset() }
            if try others.step() { continue }
            try database.cached("DELETE FROM plays WHERE content = ?", .integer(item.content)).run()
            try database.cached("DELETE FROM seekTable WHERE content = ?", .integer(item.content)).run()
            try database.cached("DELETE FROM sticker WHERE content = ?", .integer(item.content)).run()
            try database.cached("DELETE FROM workPlace WHERE file = ?", .integer(item.content)).run()
            try database.cached("DELETE FROM fact WHERE content = ?", .integer(item.content)).run()
            try database.cached("DELETE FROM loudness WHERE content = ?", .integer(item.content)).run()
            try database.cached("DELETE FROM content WHERE id = ?", .integer(item.content)).run()
        }
    }

    public static let mostForgottenAtOnce = 25
    private static let mostFoldersAtOnce = 100

    /// Forgets empty folders, as far as one call looks; the next call continues behind those.
    private func forgetEmptyFolders() {
        write(else: ()) { (database) throws(SQLiteError) in
            func last(behind id: Int64) throws(SQLiteError) -> Int64? {
                try database.cached(
                    "SELECT max(id) FROM (SELECT id FROM folder WHERE id > ? ORDER BY id LIMIT ?)", .integer(id),
                    .integer(Library.mostFoldersAtOnce)
                ).first { $0.optionalInteger(0) } ?? nil
            }
            var start = memory.lastFolderLookedAt
            var end = try last(behind: start)
            if end == nil {
                start = 0
                end = try last(behind: 0)
            }
            guard let end else { return }
            try database.cached(
                """
                DELETE FROM folder WHERE id > ? AND id <= ? AND NOT EXISTS(
                  SELECT 1 FROM item WHERE item.path > folder.path || '/' AND item.path < folder.path || '0')
                  AND path <> '/'
                """, .integer(start), .integer(end)
            ).run()
            memory.lastFolderLookedAt = end
        }
    }
}
