// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import SQLite

/// The rows of `tagValue` and `itemTag`: the items with each text of each tag.
///
/// If an item lacks a tag that MPD substitutes (`Tag.fallbacks`), it has the substitute's texts under that tag. Beside the tags there is
/// `shape`: the set of tags that an item has at all, so that items without a tag are found too.
enum TagIndex {
    /// The number that stands for a tag in rows of shapes: their text is the set of tags that an item has, a number in which bit N is tag
    /// N.
    static let shape: UInt8 = 255
    /// The length at which longer texts are cut: no query contains a whole chapter from a comment.
    static let mostTextBytes = 1024
    /// The tags that are ordered as numbers, for SQL.
    static var numbers: String { "\(Tag.track.rawValue), \(Tag.disc.rawValue)" }

    static func isNumber(_ tag: Tag) -> Bool { tag == .track || tag == .disc }

    private static let withFallbacks = Tag.allCases.filter { !$0.fallbacks.isEmpty }

    // MARK: Writing

    private struct Entry: Hashable {
        var tag: UInt8
        var text: [UInt8]
    }

    /// Returns the index entries of an item with these tags, each once.
    private static func entries(_ tags: TagList) -> [Entry] {
        var entries: [Entry] = []
        let own = tags.bytes.withUnsafeBytes { TagList.mask($0) }
        var all = own
        func append(_ tag: Tag, as shown: Tag) {
            tags.visit { known, range in
                if known != tag { return }
                let entry = Entry(tag: shown.rawValue, text: cut(tags.bytes[range]))
                if !entries.contains(entry) { entries.append(entry) }
            }
        }
        for tag in Tag.allCases where own & (1 << UInt64(tag.rawValue)) != 0 { append(tag, as: tag) }
        for tag in withFallbacks where own & (1 << UInt64(tag.rawValue)) == 0 {
            guard let source = TagList.source(of: tag, own) else { continue }
            append(source, as: tag)
            all |= 1 << UInt64(tag.rawValue)
        }
        entries.append(Entry(tag: shape, text: Array(String(all).utf8)))
        return entries
    }

    /// Returns a text as the index stores it.
    static func cut(_ text: ArraySlice<UInt8>) -> [UInt8] {
        guard text.count > mostTextBytes else { return Array(text) }
        var end = text.startIndex + mostTextBytes
        // Not within a character.
        while end > text.startIndex && text[end] & 0xC0 == 0x80 { end -= 1 }
        return Array(text[..<end])
    }

    /// Notes an item's tags.
    static func set(_ id: Item.ID, _ tags: TagList, _ database: Database) throws(SQLiteError) {
        let known = try self.tags(of: id, database)
        if let known, known == tags { return }
        let before = known.map { entries($0) } ?? []
        let now = entries(tags)
        for entry in before where !now.contains(entry) { try remove(entry, id, database) }
        for entry in now where !before.contains(entry) { try insert(entry, id, database) }
        try database.cached(
            "INSERT OR REPLACE INTO itemTags(item, tags) VALUES(?, ?)", .integer(id), .blob(tags.bytes)
        ).run()
    }

    /// Forgets an item's tags.
    static func remove(_ id: Item.ID, _ database: Database) throws(SQLiteError) {
        guard let known = try tags(of: id, database) else { return }
        for entry in entries(known) { try remove(entry, id, database) }
        try database.cached("DELETE FROM itemTags WHERE item = ?", .integer(id)).run()
    }

    /// Makes the rows anew from `itemTags`.
    static func fill(_ database: Database) throws(SQLiteError) {
        try database.execute("DELETE FROM itemTag; DELETE FROM tagValue")
        let rows = try database.prepare("SELECT item, tags FROM itemTags")
        while try rows.step() {
            let id = rows.integer(0)
            for entry in entries(TagList(bytes: rows.bytes(1))) { try insert(entry, id, database) }
        }
    }

    private static func tags(of id: Item.ID, _ database: Database) throws(SQLiteError) -> TagList? {
        try database.cached("SELECT tags FROM itemTags WHERE item = ?", .integer(id)).first {
            TagList(bytes: $0.bytes(0))
        }
    }

    private static func insert(_ entry: Entry, _ id: Item.ID, _ database: Database) throws(SQLiteError) {
        var value = try self.value(entry.tag, entry.text, database)
        if value == nil {
            try database.cached(
                "INSERT INTO tagValue(tag, text) VALUES(?, ?)", .integer(Int64(entry.tag)), .utf8(entry.text)
            ).run()
            value = database.lastInsertedRowID
        }
        try database.cached(
            "INSERT OR IGNORE INTO itemTag(value, item) VALUES(?, ?)", .integer(value ?? 0), .integer(id)
        ).run()
    }

    /// Removes an entry of an item, and the text if no other item has it.
    private static func remove(_ entry: Entry, _ id: Item.ID, _ database: Database) throws(SQLiteError) {
        guard let value = try value(entry.tag, entry.text, database) else { return }
        try database.cached("DELETE FROM itemTag WHERE value = ? AND item = ?", .integer(value), .integer(id)).run()
        try database.cached(
            "DELETE FROM tagValue WHERE id = ?1 AND NOT EXISTS(SELECT 1 FROM itemTag WHERE value = ?1)", .integer(value)
        ).run()
    }

    // MARK: Reading

    /// Returns the row of a text; nil if no item has it.
    static func value(_ tag: UInt8, _ text: [UInt8], _ database: Database) throws(SQLiteError) -> Int64? {
        try database.cached(
            "SELECT id FROM tagValue WHERE tag = ? AND text = ?", .integer(Int64(tag)), .utf8(text)
        ).first { $0.integer(0) }
    }

    /// Looks for a present item with this text, among no more than `budget` of its items.
    /// - Parameter item: the search begins behind this item; updated to the last one examined.
    /// - Returns: true if there is one; nil if more items must be examined.
    static func isPresent(
        _ value: Int64, after item: inout Item.ID, _ budget: inout Int, _ database: Database
    ) throws(SQLiteError) -> Bool? {
        let rows = try database.cached(
            """
            SELECT item, isPresent FROM itemTag JOIN item ON item.id = itemTag.item WHERE value = ? AND itemTag.item > ?
            ORDER BY itemTag.item
            """, .integer(value), .integer(item))
        defer { rows.reset() }
        while budget > 0 {
            budget -= 1
            guard try rows.step() else { return false }
            if rows.integer(1) != 0 { return true }
            item = rows.integer(0)
        }
        return nil
    }

    /// Returns the rows of the shapes that lack a tag.
    static func shapes(without tag: Tag, _ database: Database) throws(SQLiteError) -> [Int64] {
        let shapes = try database.cached("SELECT id, text FROM tagValue WHERE tag = ?", .integer(Int64(shape)))
        defer { shapes.reset() }
        var without: [Int64] = []
        while try shapes.step() {
            if shapes.integer(1) & (1 << Int64(tag.rawValue)) == 0 { without.append(shapes.integer(0)) }
        }
        return without
    }
}
