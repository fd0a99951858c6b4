// SPDX-License-Identifier: Apache-2.0
import Model
import Posix
import SQLite

/// Bookmarks belong to the audio, so that they survive renaming and copying.
extension Library {
    /// The longest text of a bookmark: more than a person wants to read.
    private static let mostWordBytes = 2000

    /// Adds a bookmark, or reports that it exists.
    public func addBookmark(
        _ id: Item.ID, milliseconds: Int, words: String, nowSeconds: Int64 = wallClockSeconds()
    ) -> Favourite.Addition {
        guard let content = content(of: id) else { return .notSaved }
        let place = Int64(max(0, milliseconds))
        let isAdded = say(.bookmark, of: content, at: place, nowSeconds: nowSeconds, replaces: false) {
            (database) throws(SQLiteError) in
            try database.cached(
                "SELECT json_object('added', ?, 'words', ?)", .integer(Library.seconds(nowSeconds)),
                .text(Library.cut(words))
            ).first { $0.text(0) }
        }
        return isAdded.map { $0 ? .added : .alreadyThere } ?? .notSaved
    }

    /// Cuts the words to the limit, at the end of a character.
    static func cut(_ words: String) -> String {
        words.utf8.count <= mostWordBytes
            ? words : String(decoding: Array(words.utf8.prefix(mostWordBytes)), as: UTF8.self)
    }

    /// Returns false if there was no such bookmark.
    @discardableResult
    public func removeBookmark(_ number: Int64) -> Bool {
        let now = Library.seconds(wallSeconds())
        return write(else: false) { (database) throws(SQLiteError) in
            let key = try database.cached(
                "SELECT key FROM fact WHERE revision = ? AND kind = 'bookmark'", .integer(number)
            ).first { $0.text(0) }
            guard let key else { return false }
            return try Facts.say(.bookmark, key, nil, name: "", nowSeconds: now, database)
        }
    }

    /// Returns the number of the bookmark at a place in an item.
    public func bookmark(of id: Item.ID, milliseconds: Int) -> Int64? {
        read(else: nil) { (database) throws(SQLiteError) in
            try database.cached(
                """
                SELECT revision FROM fact JOIN item ON item.id = ?1 JOIN content ON content.id = item.content
                WHERE kind = 'bookmark' AND key = printf('%016x-%d-%d', hash, audioBytes, ?2) AND value IS NOT NULL
                """, .integer(id), .integer(max(0, milliseconds))
            ).first { $0.integer(0) }
        }
    }

    /// Returns a page of the bookmarks in audio that a file has or had, the newest first.
    public func bookmarks(offset: Int = 0, limit: Int = Int.max) -> [Bookmark] {
        bookmarks("ORDER BY revision DESC LIMIT ? OFFSET ?", [.integer(max(0, limit)), .integer(max(0, offset))])
    }

    public func bookmark(_ number: Int64) -> Bookmark? {
        bookmarks("AND revision = ?", [.integer(number)]).first
    }

    private func bookmarks(_ which: String, _ values: [Value]) -> [Bookmark] {
        read(else: []) { (database) throws(SQLiteError) in
            try database.composed(
                """
                SELECT revision, item.id, \(Facts.milliseconds), \(Facts.words), \(Facts.added), path, title
                FROM fact JOIN item ON item.id = (
                  SELECT file.id FROM item AS file WHERE file.content = fact.content
                  ORDER BY file.isPresent DESC, file.id LIMIT 1)
                WHERE kind = 'bookmark' AND value IS NOT NULL \(which)
                """, values
            ).all { rows in
                Bookmark(
                    number: rows.integer(0), itemID: rows.integer(1), path: rows.text(5), title: rows.text(6),
                    milliseconds: Library.held(rows.integer(2)), words: Library.cut(rows.text(3)),
                    addedSeconds: Library.seconds(rows.integer(4)))
            }
        }
    }
}
