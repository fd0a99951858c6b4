// SPDX-License-Identifier: Apache-2.0
import Model
import SQLite

/// Clients' notes on songs: names with values. They belong to the content, so that a file can be renamed.
extension Library {
    /// Returns a sticker's value; nil if there is none.
    public func sticker(_ name: String, of id: Item.ID) -> String? {
        read(else: nil) { (database) throws(SQLiteError) in
            try database.cached(
                "SELECT value FROM sticker WHERE content = (SELECT content FROM item WHERE id = ?) AND name = ?",
                .integer(id), .text(name)
            ).first { $0.text(0) }
        }
    }

    /// Returns all stickers of an item, ordered by name.
    public func stickers(of id: Item.ID) -> [(name: String, value: String)] {
        read(else: []) { (database) throws(SQLiteError) in
            try database.cached(
                """
                SELECT name, value FROM sticker WHERE content = (SELECT content FROM item WHERE id = ?) ORDER BY name
                """, .integer(id)
            ).all { ($0.text(0), $0.text(1)) }
        }
    }

    /// Returns false if it could not be written.
    public func setSticker(_ name: String, of id: Item.ID, to value: String) -> Bool {
        write(else: false) { (database) throws(SQLiteError) in
            try database.cached(
                """
                INSERT INTO sticker(content, name, value) SELECT content, ?, ? FROM item WHERE id = ?
                  ON CONFLICT(content, name) DO UPDATE SET value = excluded.value
                """, .text(name), .text(value), .integer(id)
            ).run()
            return database.changes > 0
        }
    }

    /// - Parameter name: nil for all stickers of the item.
    /// - Returns: false if there was none.
    public func removeSticker(_ name: String?, of id: Item.ID) -> Bool {
        write(else: false) { (database) throws(SQLiteError) in
            try database.cached(
                """
                DELETE FROM sticker WHERE content = (SELECT content FROM item WHERE id = ?1) AND (?2 IS NULL OR name = ?2)
                """, .integer(id), name.map { .text($0) } ?? .null
            ).run()
            return database.changes > 0
        }
    }

    /// A sticker of a file that is there.
    public struct FoundSticker: Sendable {
        public let path: String
        public let value: String
    }

    /// Returns a page of the files with a sticker of this name, after looking at no more than `limit` stickers.
    /// - Parameters:
    ///   - folder: the files' folder, or one above it; nil for any.
    ///   - content: the end of the last page; 0 for the first.
    /// - Returns: the end of this page; nil for the last.
    public func stickers(
        named name: String, below folder: String?, _ comparison: StickerComparison?, after content: Int64,
        limit: Int
    ) -> (found: [FoundSticker], next: Int64?) {
        read(else: ([], nil)) { (database) throws(SQLiteError) in
            let rows = try database.cached(
                "SELECT content, value FROM sticker WHERE name = ? AND content > ? ORDER BY content LIMIT ?",
                .text(name), .integer(content), .integer(max(1, limit)))
            defer { rows.reset() }
            var found: [FoundSticker] = []
            var last = content
            var count = 0
            while try rows.step() {
                count += 1
                last = rows.integer(0)
                let value = rows.text(1)
                if let comparison, !Library.holds(value, comparison) { continue }
                let files = try database.cached(
                    "SELECT path FROM item WHERE content = ? AND isPresent ORDER BY path", .integer(last))
                defer { files.reset() }
                while try files.step() {
                    let path = files.text(0)
                    if let folder, !Library.stands(path, below: folder) { continue }
                    found.append(FoundSticker(path: path, value: value))
                }
            }
            return (found, count < max(1, limit) ? nil : last)
        }
    }

    private static func holds(_ value: String, _ comparison: StickerComparison) -> Bool {
        switch comparison {
        case .equals(let text): value.utf8.elementsEqual(text.utf8)
        case .isLess(let text): value.utf8.lexicographicallyPrecedes(text.utf8)
        case .isGreater(let text): text.utf8.lexicographicallyPrecedes(value.utf8)
        }
    }

    private static func stands(_ path: String, below folder: String) -> Bool {
        let prefix = folder.utf8
        let rest = path.utf8.dropFirst(prefix.count)
        return path.utf8.starts(with: prefix) && (prefix.last == UInt8(ascii: "/") || rest.first == UInt8(ascii: "/"))
    }
}
