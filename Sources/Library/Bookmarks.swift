// SPDX-License-Identifier: Apache-2.0
import Model
import Posix
import SQLite

/// Bookmarks hang on the audio, so that they survive renaming and copying.
extension Library {
    /// No sentence is longer that a person would want to read.
    private static let mostWordBytes = 2000

    /// Adds a bookmark, or tells that it exists.
    public func addBookmark(
        _ id: Item.ID, milliseconds: Int, words: String, nowSeconds: Int64 = wallClockSeconds()
    ) -> Favourite.Addition {
        guard let content = content(of: id) else { return .notSaved }
        let place = Int64(max(0, milliseconds))
        return write(else: .notSaved) { [self] (database) throws(SQLiteError) in
            let isAdded = try change(.bookmark, of: content, at: place, database) { () throws(SQLiteError) in
                try database.cached(
                    "INSERT OR IGNORE INTO bookmark(content, milliseconds, words, added) VALUES(?, ?, ?, ?)",
                    .integer(content), .integer(place), .text(Library.cut(words)), .integer(nowSeconds)
                ).run()
                return database.changes > 0
            }
            return isAdded ? .added : .alreadyThere
        }
    }

    /// At a character's end.
    static func cut(_ words: String) -> String {
        words.utf8.count <= mostWordBytes
            ? words : String(decoding: Array(words.utf8.prefix(mostWordBytes)), as: UTF8.self)
    }

    /// Returns whether there was one.
    @discardableResult
    public func removeBookmark(_ number: Int64) -> Bool {
        write(else: false) { [self] (database) throws(SQLiteError) in
            let row = try database.cached(
                "SELECT content, milliseconds FROM bookmark WHERE sequence = ?", .integer(number))
            guard try row.step() else { return false }
            let (content, milliseconds) = (row.integer(0), row.integer(1))
            row.reset()
            return try change(.bookmark, of: content, at: milliseconds, database) { () throws(SQLiteError) in
                try database.cached("DELETE FROM bookmark WHERE sequence = ?", .integer(number)).run()
                return database.changes > 0
            }
        }
    }

    /// The number of the bookmark at a place in an item.
    public func bookmark(of id: Item.ID, milliseconds: Int) -> Int64? {
        read(else: nil) { (database) throws(SQLiteError) in
            try database.cached(
                """
                SELECT sequence FROM bookmark WHERE content = (SELECT content FROM item WHERE id = ?) AND milliseconds = ?
                """, .integer(id), .integer(max(0, milliseconds))
            ).first { $0.integer(0) }
        }
    }

    /// Of audio that some file has or had: a page of them, the newest first.
    public func bookmarks(offset: Int = 0, limit: Int = Int.max) -> [Bookmark] {
        bookmarks("ORDER BY sequence DESC LIMIT ? OFFSET ?", [.integer(max(0, limit)), .integer(max(0, offset))])
    }

    public func bookmark(_ number: Int64) -> Bookmark? {
        bookmarks("WHERE sequence = ?", [.integer(number)]).first
    }

    private func bookmarks(_ which: String, _ values: [Value]) -> [Bookmark] {
        read(else: []) { (database) throws(SQLiteError) in
            try database.composed(
                """
                SELECT sequence, item.id, milliseconds, words, bookmark.added, path, title
                FROM bookmark JOIN item ON item.id = (
                  SELECT file.id FROM item AS file WHERE file.content = bookmark.content
                  ORDER BY file.isPresent DESC, file.id LIMIT 1)
                \(which)
                """, values
            ).all { rows in
                Bookmark(
                    number: rows.integer(0), itemID: rows.integer(1), path: rows.text(5), title: rows.text(6),
                    milliseconds: Library.held(rows.integer(2)), words: rows.text(3),
                    addedSeconds: Library.seconds(rows.integer(4)))
            }
        }
    }
}
