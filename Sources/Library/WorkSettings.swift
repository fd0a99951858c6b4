// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import SQLite

/// The speeds and the skipped ends that a listener set for books. They belong to the audio of one of a book's files, so that they follow
/// the book when its folder moves.
extension Library {
    /// Returns the speed of an item's book, or of the item itself if it is of no book; nil if no listener set one.
    public func speed(ofBookOf id: Item.ID) -> Speed? { text(.speed, ofBookOf: id).flatMap { Speed(text: $0) } }

    /// Returns the skipped ends of the files of an item's book; nil if no listener set them.
    public func skippedEnds(ofBookOf id: Item.ID) -> SkippedEnds? {
        text(.skip, ofBookOf: id).flatMap { SkippedEnds(text: $0) }
    }

    /// Sets the speed of an item's book, or of the item itself if it is of no book.
    /// - Parameter speed: nil for the speaker's speed.
    /// - Returns: false if the database refused it.
    public func save(_ speed: Speed?, forBookOf id: Item.ID) -> Bool { save(speed?.text, .speed, forBookOf: id) }

    /// Sets the skipped ends of the files of an item's book; nil for none. Returns false if the database refused it.
    public func save(skipped ends: SkippedEnds?, forBookOf id: Item.ID) -> Bool {
        save(ends?.text, .skip, forBookOf: id)
    }

    /// Returns the JSON member that holds a setting's value.
    private static func member(_ kind: SharedRecord.Kind) -> String { kind == .speed ? "factor" : "seconds" }

    /// Returns the text of a book's setting. Two devices may have set it with different files of a book: the later one counts.
    private func text(_ kind: SharedRecord.Kind, ofBookOf id: Item.ID) -> String? {
        // Most libraries have none.
        let isAny = read(else: false) { (database) throws(SQLiteError) in
            try database.cached(
                "SELECT 1 FROM fact WHERE kind = ? AND value IS NOT NULL LIMIT 1", .text(kind.rawValue)
            ).hasRow()
        }
        if !isAny { return nil }
        let book = bookPlace(of: id)?.book
        return read(else: nil) { (database) throws(SQLiteError) in
            try database.cached(
                """
                SELECT CASE WHEN json_valid(value) THEN json_extract(value, '$.' || ?4) END FROM fact
                WHERE kind = ?3 AND content IN (
                  SELECT content FROM item WHERE id = ?1 OR id IN (SELECT item FROM bookItem WHERE book = ?2))
                ORDER BY time DESC LIMIT 1
                """, .integer(id), .optional(book), .text(kind.rawValue), .text(Library.member(kind))
            ).first { $0.optionalText(0) } ?? nil
        }
    }

    private func save(_ text: String?, _ kind: SharedRecord.Kind, forBookOf id: Item.ID) -> Bool {
        let book = bookPlace(of: id)?.book
        guard let own = content(of: id) else { return false }
        let said: [Int64]? = read(else: nil) { (database) throws(SQLiteError) in
            try database.cached(
                """
                SELECT content FROM fact WHERE kind = ?3 AND content IN (
                  SELECT content FROM item WHERE id = ?1 OR id IN (SELECT item FROM bookItem WHERE book = ?2))
                """, .integer(id), .optional(book), .text(kind.rawValue)
            ).all { $0.integer(0) }
        }
        guard let said else { return false }
        var isSaved = true
        batch {
            for content in said where content != own || text == nil {
                isSaved = say(kind, of: content) { _ in nil } != nil && isSaved
            }
            guard let text else { return }
            isSaved =
                say(kind, of: own) { (database) throws(SQLiteError) in
                    try database.cached("SELECT json_object(?, ?)", .text(Library.member(kind)), .text(text)).first {
                        $0.text(0)
                    }
                } != nil && isSaved
        }
        return isSaved
    }
}
