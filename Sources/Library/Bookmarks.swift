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
        write(else: .notSaved) { (database) throws(SQLiteError) in
            try database.cached(
                """
                INSERT OR IGNORE INTO bookmark(content, milliseconds, words, added)
                SELECT content, ?, ?, ? FROM item WHERE id = ?
                """, .integer(max(0, milliseconds)), .text(Library.cut(words)), .integer(nowSeconds), .integer(id)
            ).run()
            if database.changes > 0 { return .added }
            return try Library.bookmark(id, milliseconds, database) != nil ? .alreadyThere : .notSaved
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
        write(else: false) { (database) throws(SQLiteError) in
            try database.cached("DELETE FROM bookmark WHERE sequence = ?", .integer(number)).run()
            return database.changes > 0
        }
    }

    /// The number of the bookmark at a place in an item.
    public func bookmark(of id: Item.ID, milliseconds: Int) -> Int64? {
        read(else: nil) { (database) throws(SQLiteError) in try Library.bookmark(id, milliseconds, database) }
    }

    private static func bookmark(
        _ id: Item.ID, _ milliseconds: Int, _ database: Database
    ) throws(SQLiteError) -> Int64? {
        let row = try database.cached(
            """
            SELECT sequence FROM bookmark WHERE content = (SELECT content FROM item WHERE id = ?) AND milliseconds = ?
            """, .integer(id), .integer(max(0, milliseconds)))
        defer { row.reset() }
        return try row.step() ? row.integer(0) : nil
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
            let rows = try database.composed(
                """
                SELECT sequence, item.id, milliseconds, words, bookmark.added, path, title
                FROM bookmark JOIN item ON item.id = (
                  SELECT file.id FROM item AS file WHERE file.content = bookmark.content
                  ORDER BY file.isPresent DESC, file.id LIMIT 1)
                \(which)
                """, values)
            defer { rows.reset() }
            var bookmarks: [Bookmark] = []
            while try rows.step() {
                bookmarks.append(
                    Bookmark(
                        number: rows.integer(0), itemID: rows.integer(1), path: rows.text(5), title: rows.text(6),
                        milliseconds: Library.held(rows.integer(2)), words: rows.text(3),
                        addedSeconds: Library.seconds(rows.integer(4))))
            }
            return bookmarks
        }
    }
}
