// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import SQLite

/// The rows of `speed`: the speeds that a listener set for books. A book's speed is stored with the audio of one of its files, so that
/// the speed follows the book when its folder moves.
extension Library {
    /// Returns the speed of an item's book, or of the item itself if it is of no book; nil if no listener set one. Two devices may have
    /// set it with different files of a book: the later one counts.
    public func speed(ofBookOf id: Item.ID) -> Speed? {
        // Most libraries have none.
        let isAny = read(else: false) { (database) throws(SQLiteError) in
            try database.cached("SELECT 1 FROM speed LIMIT 1").hasRow()
        }
        if !isAny { return nil }
        let book = bookPlace(of: id)?.book
        return read(else: nil) { (database) throws(SQLiteError) in
            try database.cached(
                """
                SELECT factor FROM speed JOIN item ON item.content = speed.content
                  JOIN content ON content.id = item.content
                  LEFT JOIN shared ON kind = 'speed' AND key = printf('%016x-%d', hash, audioBytes)
                WHERE item.id = ?1 OR item.id IN (SELECT item FROM bookItem WHERE book = ?2)
                ORDER BY shared.time DESC LIMIT 1
                """, .integer(id), .optional(book)
            ).first { Speed(text: $0.text(0)) } ?? nil
        }
    }

    /// Sets the speed of an item's book, or of the item itself if it is of no book.
    /// - Parameter speed: nil for the speaker's speed.
    /// - Returns: false if the database refused it.
    public func save(_ speed: Speed?, forBookOf id: Item.ID) -> Bool {
        let book = bookPlace(of: id)?.book
        guard let content = content(of: id) else { return false }
        return write(else: false) { [self] (database) throws(SQLiteError) in
            let rows = try database.cached(
                """
                SELECT content FROM speed WHERE content IN (
                  SELECT content FROM item WHERE id = ?1 OR id IN (SELECT item FROM bookItem WHERE book = ?2))
                """, .integer(id), .optional(book))
            var gone: [Int64] = []
            while try rows.step() { gone.append(rows.integer(0)) }
            try database.transaction { () throws(SQLiteError) in
                for content in gone {
                    _ = try change(.speed, of: content, database) { () throws(SQLiteError) in
                        try database.cached("DELETE FROM speed WHERE content = ?", .integer(content)).run()
                        return true
                    }
                }
                guard let speed else { return }
                _ = try change(.speed, of: content, database) { () throws(SQLiteError) in
                    try Library.setSpeed(speed, content, database)
                    return true
                }
            }
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
