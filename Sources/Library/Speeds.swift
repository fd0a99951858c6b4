import Core
import Model
import SQLite

/// The rows of `speed`: what a person has set, for the speaker and for books. A book's stands with the audio of one of its files, so
/// that it stays with the book wherever that goes.
extension Library {
    /// Where the speaker's own stands. No audio has this number.
    private static let speakerContent: Int64 = 0

    /// The speaker's, as it was when it last ran.
    public func restoredSpeed() -> Speed {
        read(else: nil) { (database) throws(SQLiteError) in
            let row = try database.cached(
                "SELECT factor FROM speed WHERE content = ?", .integer(Library.speakerContent))
            defer { row.reset() }
            return try row.step() ? Speed(text: row.text(0)) : nil
        } ?? .own
    }

    /// Saves the speaker's. What could not be saved is, with the next that can be.
    public func save(_ speed: Speed) {
        memory.speed.value = speed
        saveUnsavedSpeed()
    }

    func saveUnsavedSpeed() {
        guard let speed = memory.speed.unsaved else { return }
        memory.speed.isUnsaved = !write(else: false) { (database) throws(SQLiteError) in
            try Library.setSpeed(speed, Library.speakerContent, database)
            return true
        }
    }

    /// That of the book an item is of, or of the item where it is of none; nil where none was set. Two devices may have set it with
    /// different files of a book: the later one counts.
    public func speed(ofBookOf id: Item.ID) -> Speed? {
        // Mostly nobody has set any.
        let isAny = read(else: false) { (database) throws(SQLiteError) in
            let row = try database.cached(
                "SELECT 1 FROM speed WHERE content > ? LIMIT 1", .integer(Library.speakerContent))
            defer { row.reset() }
            return try row.step()
        }
        if !isAny { return nil }
        let book = bookPlace(of: id)?.book
        return read(else: nil) { (database) throws(SQLiteError) in
            let row = try database.cached(
                """
                SELECT factor FROM speed JOIN item ON item.content = speed.content
                  JOIN content ON content.id = item.content
                  LEFT JOIN shared ON kind = 'speed' AND key = printf('%016x-%d', hash, audioBytes)
                WHERE item.id = ?1 OR item.id IN (SELECT item FROM bookItem WHERE book = ?2)
                ORDER BY shared.time DESC LIMIT 1
                """, .integer(id), .optional(book))
            defer { row.reset() }
            return try row.step() ? Speed(text: row.text(0)) : nil
        }
    }

    /// Sets it for the book an item is of, or for the item where it is of none.
    /// - Parameter speed: nil for the speaker's.
    /// - Returns: false where it could not be saved.
    public func save(_ speed: Speed?, forBookOf id: Item.ID) -> Bool {
        let book = bookPlace(of: id)?.book
        guard let content = content(of: id) else { return false }
        return write(else: false) { (database) throws(SQLiteError) in
            try database.cached(
                """
                DELETE FROM speed WHERE content IN (
                  SELECT content FROM item WHERE id = ?1 OR id IN (SELECT item FROM bookItem WHERE book = ?2))
                """, .integer(id), .optional(book)
            ).run()
            if let speed { try Library.setSpeed(speed, content, database) }
            return true
        }
    }

    static func setSpeed(_ speed: Speed, _ content: Int64, _ database: Database) throws(SQLiteError) {
        try database.cached(
            """
            INSERT INTO speed(content, factor) VALUES(?, ?) ON CONFLICT(content) DO UPDATE SET factor = excluded.factor
            """, .integer(content), .text(speed.text)
        ).run()
    }
}
