import Model
import SQLite

/// What was played last, and what was heard to its end.
extension Library {
    /// A place of an item was saved: it was the last to be played, and its book's place is there.
    func noteHeard(_ id: Item.ID, _ content: Int64) {
        write(else: ()) { (database) throws(SQLiteError) in
            let last = try database.cached("SELECT content FROM heard ORDER BY sequence DESC LIMIT 1")
            let isLast = try last.step() && last.integer(0) == content
            last.reset()
            if isLast { return }
            // Of a book one is enough.
            try database.cached(
                """
                DELETE FROM heard WHERE content IN (
                  SELECT item.content FROM bookItem AS own JOIN bookItem AS other ON other.book = own.book
                    JOIN item ON item.id = other.item WHERE own.item = ?)
                """, .integer(id)
            ).run()
            try Library.append("heard", content, database)
        }
    }

    /// An item was heard to its end, which finishes it. What was jumped over is not told of here.
    public func didHearToEnd(_ id: Item.ID) {
        guard let content = content(of: id) else { return }
        write(else: ()) { (database) throws(SQLiteError) in
            if try !Library.isFinished(content, database) { try Library.append("finished", content, database) }
        }
    }

    /// An item is played anew from its beginning: it is not finished any more, and the book that begins with it neither.
    public func didBeginAnew(_ id: Item.ID) {
        guard let content = content(of: id) else { return }
        write(else: ()) { (database) throws(SQLiteError) in try Library.beginAnew(id, content, database) }
    }

    private static func beginAnew(_ id: Item.ID, _ content: Int64, _ database: Database) throws(SQLiteError) {
        let any = try database.cached("SELECT 1 FROM finished LIMIT 1")
        let isAny = try any.step()
        any.reset()
        if !isAny { return }
        if try isFinished(content, database) {
            try database.cached("DELETE FROM finished WHERE content = ?", .integer(content)).run()
        }
        try database.cached(
            """
            DELETE FROM finished WHERE content IN (
              SELECT item.content FROM bookItem AS own JOIN bookItem AS other ON other.book = own.book
                JOIN item ON item.id = other.item
              WHERE own.item = ?1 AND own.place = 0 AND NOT EXISTS(SELECT 1 FROM episode WHERE item = ?1) ORDER BY other.place DESC LIMIT 1)
            """, .integer(id)
        ).run()
    }

    /// Puts it at the end.
    static func append(_ table: String, _ content: Int64, _ database: Database) throws(SQLiteError) {
        try database.composed(
            """
            INSERT OR REPLACE INTO \(table)(sequence, content) VALUES((SELECT coalesce(max(sequence), 0) + 1 FROM \(table)), ?)
            """, [.integer(content)]
        ).run()
    }

    static func isFinished(_ content: Int64, _ database: Database) throws(SQLiteError) -> Bool {
        let row = try database.cached("SELECT 1 FROM finished WHERE content = ?", .integer(content))
        defer { row.reset() }
        return try row.step()
    }

    /// Whether a file was heard to its end, or a person said so.
    public func isFinished(_ id: Item.ID) -> Bool {
        guard let content = content(of: id) else { return false }
        return read(else: false) { (database) throws(SQLiteError) in try Library.isFinished(content, database) }
    }

    /// A person says that the book an item is of is finished, or is not; or the file where it is of none. A podcast has no end: there it is
    /// the episode.
    /// - Returns: false where it could not be saved.
    @discardableResult
    public func setFinished(_ id: Item.ID, _ isFinished: Bool) -> Bool {
        let last = isEpisode(id) ? nil : bookPlace(of: id).flatMap { lastItem(of: $0.book) }
        guard let content = content(of: last ?? id) else { return false }
        return write(else: false) { (database) throws(SQLiteError) in
            if isFinished {
                try Library.append("finished", content, database)
            } else {
                try database.cached("DELETE FROM finished WHERE content = ?", .integer(content)).run()
            }
            return true
        }
    }
}
