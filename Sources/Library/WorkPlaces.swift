// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Posix
import SQLite

/// The rows of `workPlace`: the place of each work, and whether it is finished.
///
/// A work is what is heard as one: a book of several files, any other file, an episode of a podcast, or a station. It has one row, which
/// names the audio of the file in which the place is. The rows are in the order of listening, which no wrong clock can upset.
enum WorkPlaces {
    struct Row {
        /// The audio of the file in which the place is.
        var file: Int64
        /// The place; nil without listening.
        var milliseconds: Int64?
        var isFinished = false
        /// The time of the last listening, in seconds since 1970; 0 if unknown.
        var savedSeconds: Int64 = 0
        /// The order of listening: greater is later; 0 for a row that is not in the table.
        var sequence: Int64 = 0
        /// The time of an act that was no listening, in milliseconds since 1970, or 0. Not nil if other devices need to know of it.
        var owedMilliseconds: Int64?
    }

    /// Selects the audio of all files of the work that item ?1 is a file of.
    static var files: String {
        """
        SELECT content FROM item WHERE id = ?1 UNION
        SELECT part.content FROM bookItem AS own JOIN bookItem AS other ON other.book = own.book
          JOIN item AS part ON part.id = other.item
        WHERE own.item = ?1 AND NOT EXISTS(SELECT 1 FROM episode WHERE item = ?1)
        """
    }

    private static let columns: StaticString = "sequence, file, milliseconds, isFinished, saved, owed"

    private static func rows(_ statement: Statement, limit: Int) throws(SQLiteError) -> [Row] {
        defer { statement.reset() }
        var rows: [Row] = []
        while rows.count < limit, try statement.step() {
            rows.append(
                Row(
                    file: statement.integer(1), milliseconds: statement.optionalInteger(2),
                    isFinished: statement.integer(3) != 0, savedSeconds: statement.integer(4),
                    sequence: statement.integer(0), owedMilliseconds: statement.optionalInteger(5)))
        }
        return rows
    }

    /// Returns the row of an item's work; nil for none.
    static func row(ofWorkOf item: Item.ID, _ database: Database) throws(SQLiteError) -> Row? {
        try rows(
            database.composed(
                "SELECT \(columns) FROM workPlace WHERE file IN (\(files)) ORDER BY sequence DESC", [.integer(item)]),
            limit: 1
        ).first
    }

    /// Returns the row that names a file's audio; nil for none.
    static func row(ofFile content: Int64, _ database: Database) throws(SQLiteError) -> Row? {
        try rows(
            database.cached(
                "SELECT sequence, file, milliseconds, isFinished, saved, owed FROM workPlace WHERE file = ?",
                .integer(content)), limit: 1
        ).first
    }

    /// Returns the row of the work heard last; nil for none.
    static func last(_ database: Database) throws(SQLiteError) -> Row? {
        try rows(
            database.cached(
                "SELECT sequence, file, milliseconds, isFinished, saved, owed FROM workPlace ORDER BY sequence DESC LIMIT 1"
            ),
            limit: 1
        ).first
    }

    /// Makes a row the only one of its work, and the last of all.
    /// - Parameter item: a file of the work; nil if none is here.
    static func put(_ row: Row, ofWorkOf item: Item.ID?, _ database: Database) throws(SQLiteError) {
        try database.transaction { () throws(SQLiteError) in
            try database.composed(
                "DELETE FROM workPlace WHERE file = ?2 OR file IN (\(files))", [.optional(item), .integer(row.file)]
            ).run()
            try database.cached(
                """
                INSERT INTO workPlace(sequence, file, milliseconds, isFinished, saved, owed)
                VALUES((SELECT coalesce(max(sequence), 0) + 1 FROM workPlace), ?, ?, ?, ?, ?)
                """, .integer(row.file), .optional(row.milliseconds.map { max(0, $0) }),
                .integer(row.isFinished ? 1 : 0), .integer(row.savedSeconds), .optional(row.owedMilliseconds)
            ).run()
        }
    }

    /// Notes that other devices know the place in a file.
    static func owesNothing(_ file: Int64, _ database: Database) throws(SQLiteError) {
        try database.cached("UPDATE workPlace SET owed = NULL WHERE file = ?", .integer(file)).run()
    }

    /// Makes a row the last of all.
    static func moveToEnd(_ row: Row, _ database: Database) throws(SQLiteError) {
        try database.cached(
            "UPDATE workPlace SET sequence = (SELECT max(sequence) + 1 FROM workPlace) WHERE sequence = ?",
            .integer(row.sequence)
        ).run()
    }

    /// Unites the rows of files that are one work from now on: keeps the one heard last. The work is finished if that row is, or the last
    /// file's.
    static func unite(workOf item: Item.ID, lastItem: Item.ID, _ database: Database) throws(SQLiteError) {
        let rows = try rows(
            database.composed(
                """
                SELECT \(columns) FROM workPlace WHERE file IN (\(files))
                ORDER BY milliseconds IS NOT NULL DESC, sequence DESC
                """, [.integer(item)]), limit: .max)
        guard rows.count > 1, let newest = rows.first else { return }
        let last = try database.cached("SELECT content FROM item WHERE id = ?", .integer(lastItem))
        let lastContent = try last.step() ? last.integer(0) : 0
        last.reset()
        try database.composed(
            "DELETE FROM workPlace WHERE sequence <> ?2 AND file IN (\(files))",
            [.integer(item), .integer(newest.sequence)]
        ).run()
        var owed = rows.compactMap { $0.owedMilliseconds }.max()
        let isFinished = rows.contains { $0.isFinished && $0.file == lastContent }
        if isFinished && !newest.isFinished { owed = max(owed ?? 0, newest.savedSeconds.multipliedSaturated(by: 1000)) }
        try database.cached(
            "UPDATE workPlace SET isFinished = max(isFinished, ?), owed = ? WHERE sequence = ?",
            .integer(isFinished ? 1 : 0), .optional(owed), .integer(newest.sequence)
        ).run()
    }
}

/// The places of works, and the finished ones.
extension Library {
    /// Saves the place in an item's work. It writes one row of one small page; quick enough for every 5 seconds and every button.
    ///
    /// If the write fails, the next successful save includes it.
    /// - Parameter isHeard: false for a place without listening: any listening elsewhere since then is later.
    public func savePosition(
        _ id: Item.ID, milliseconds: Int, isHeard: Bool = true, nowSeconds: Int64? = nil
    ) {
        guard let content = content(of: id) else { return }
        memory.unsavedPlaces.removeAll { $0.content == content }
        memory.unsavedPlaces.append(
            UnsavedPlace(
                item: id, content: content, milliseconds: milliseconds,
                savedSeconds: isHeard ? nowSeconds ?? wallSeconds() : nil))
        while let index = memory.unsavedPlaces.firstIndex(where: { !$0.isInBatch }) {
            guard save(memory.unsavedPlaces[index]) else { return }
            if database.isInTransaction {
                memory.unsavedPlaces[index].isInBatch = true
            } else {
                memory.unsavedPlaces.remove(at: index)
            }
        }
        if let unsaved = memory.unsaved { save(unsaved) }
        saveUnsavedQueue()
        saveUnsavedModes()
        saveUnsavedSpeed()
        saveUnsavedSound()
        saveUnsavedAlarms()
    }

    private func save(_ place: UnsavedPlace) -> Bool {
        // Usually it is the same row as last time.
        let isLast: Bool? = write(else: nil) { (database) throws(SQLiteError) in
            try database.cached(
                """
                UPDATE workPlace SET milliseconds = ?2, saved = ifnull(?3, saved), owed = ifnull(owed, 0)
                WHERE file = ?1 AND sequence = (SELECT max(sequence) FROM workPlace)
                """, .integer(place.content), .integer(max(0, place.milliseconds)), .optional(place.savedSeconds)
            ).run()
            return database.changes > 0
        }
        guard let isLast else { return false }
        if isLast { return true }
        // Makes its book first, if that is due.
        _ = bookPlace(of: place.item)
        return write(else: false) { (database) throws(SQLiteError) in
            var row =
                try WorkPlaces.row(ofWorkOf: place.item, database)
                ?? WorkPlaces.Row(file: place.content)
            row.file = place.content
            row.milliseconds = Int64(place.milliseconds)
            row.savedSeconds = place.savedSeconds ?? row.savedSeconds
            row.owedMilliseconds = row.owedMilliseconds ?? 0
            try WorkPlaces.put(row, ofWorkOf: place.item, database)
            return true
        }
    }

    /// Returns the time when the place in an item was last saved, in seconds since 1970; nil if it never was.
    public func placeSavedSeconds(_ id: Item.ID) -> Int64? {
        guard let content = content(of: id) else { return nil }
        return read(else: nil) { (database) throws(SQLiteError) in
            try WorkPlaces.row(ofFile: content, database)?.savedSeconds
        }
    }

    /// Returns the audio in an item's file.
    func content(of id: Item.ID) -> Int64? {
        read(else: nil) { (database) throws(SQLiteError) in
            try database.cached("SELECT content FROM item WHERE id = ?", .integer(id)).first { $0.integer(0) }
        }
    }

    // MARK: Finished

    /// Notes that an item was heard to its end. Finishes its work if nothing of the work comes behind it. A skipped end does not count.
    public func didHearToEnd(_ id: Item.ID) {
        if restOfBook(behind: id).isEmpty { finish(workOf: id) }
    }

    /// Notes that an item plays anew from its beginning: the work that begins with it is no longer finished.
    public func didBeginAnew(_ id: Item.ID) {
        if let place = bookPlace(of: id), place.index > 0, sharesPlace(id) { return }
        beginAnew(workOf: id)
    }

    /// Returns whether an item's work was heard to its end, or marked as finished.
    public func isFinished(_ id: Item.ID) -> Bool {
        read(else: false) { (database) throws(SQLiteError) in
            try WorkPlaces.row(ofWorkOf: id, database)?.isFinished ?? false
        }
    }

    /// Marks the work of an item as finished or unfinished, for a listener.
    /// - Returns: false if it could not be saved.
    @discardableResult
    public func setFinished(_ id: Item.ID, _ isFinished: Bool) -> Bool {
        _ = bookPlace(of: id)
        return isFinished ? finish(workOf: id) : beginAnew(workOf: id)
    }

    @discardableResult
    private func finish(workOf id: Item.ID) -> Bool {
        guard let content = content(of: id) else { return false }
        return write(else: false) { (database) throws(SQLiteError) in
            var row = try WorkPlaces.row(ofWorkOf: id, database) ?? WorkPlaces.Row(file: content)
            if row.isFinished { return true }
            row.isFinished = true
            row.owedMilliseconds = row.owedMilliseconds ?? 0
            try WorkPlaces.put(row, ofWorkOf: id, database)
            return true
        }
    }

    @discardableResult
    private func beginAnew(workOf id: Item.ID) -> Bool {
        let now = Library.seconds(wallSeconds()) * 1000
        return write(else: false) { (database) throws(SQLiteError) in
            guard let row = try WorkPlaces.row(ofWorkOf: id, database), row.isFinished else { return true }
            try database.cached(
                "UPDATE workPlace SET isFinished = 0, owed = ? WHERE sequence = ?", .integer(now),
                .integer(row.sequence)
            ).run()
            return true
        }
    }
}
