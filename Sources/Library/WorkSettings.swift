// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import SQLite

/// The rows of `speed` and `skip`: the speeds and the skipped ends that a listener set for books. A book's are stored with the audio of
/// one of its files, so that they follow the book when its folder moves.
extension Library {
    /// Returns the speed of an item's book, or of the item itself if it is of no book; nil if no listener set one.
    public func speed(ofBookOf id: Item.ID) -> Speed? { text(.speed, ofBookOf: id).flatMap { Speed(text: $0) } }

    /// Returns what is skipped of the files of an item's book; nil if no listener set it.
    public func skippedEnds(ofBookOf id: Item.ID) -> SkippedEnds? {
        text(.skip, ofBookOf: id).flatMap { SkippedEnds(text: $0) }
    }

    /// Sets the speed of an item's book, or of the item itself if it is of no book.
    /// - Parameter speed: nil for the speaker's speed.
    /// - Returns: false if the database refused it.
    public func save(_ speed: Speed?, forBookOf id: Item.ID) -> Bool { save(speed?.text, .speed, forBookOf: id) }

    /// Sets what is skipped of the files of an item's book; nil for nothing. Returns false if the database refused it.
    public func save(skipped ends: SkippedEnds?, forBookOf id: Item.ID) -> Bool {
        save(ends?.text, .skip, forBookOf: id)
    }

    /// A setting of a book: its table.
    enum WorkSetting: String {
        case speed, skip

        var kind: SharedRecord.Kind { self == .speed ? .speed : .skip }
        /// The column of the value.
        var column: String { self == .speed ? "factor" : "seconds" }
    }

    /// Two devices may have set it with different files of a book: the later one counts.
    private func text(_ setting: WorkSetting, ofBookOf id: Item.ID) -> String? {
        // Most libraries have none.
        let isAny = read(else: false) { (database) throws(SQLiteError) in
            try database.composed("SELECT 1 FROM \(setting.rawValue) LIMIT 1", []).hasRow()
        }
        if !isAny { return nil }
        let book = bookPlace(of: id)?.book
        return read(else: nil) { (database) throws(SQLiteError) in
            try database.composed(
                """
                SELECT own.\(setting.column) FROM \(setting.rawValue) AS own JOIN item ON item.content = own.content
                  JOIN content ON content.id = item.content
                  LEFT JOIN shared ON kind = '\(setting.rawValue)' AND key = printf('%016x-%d', hash, audioBytes)
                WHERE item.id = ?1 OR item.id IN (SELECT item FROM bookItem WHERE book = ?2)
                ORDER BY shared.time DESC LIMIT 1
                """, [.integer(id), .optional(book)]
            ).first { $0.text(0) }
        }
    }

    private func save(_ text: String?, _ setting: WorkSetting, forBookOf id: Item.ID) -> Bool {
        let book = bookPlace(of: id)?.book
        guard let content = content(of: id) else { return false }
        return write(else: false) { [self] (database) throws(SQLiteError) in
            let rows = try database.composed(
                """
                SELECT content FROM \(setting.rawValue) WHERE content IN (
                  SELECT content FROM item WHERE id = ?1 OR id IN (SELECT item FROM bookItem WHERE book = ?2))
                """, [.integer(id), .optional(book)])
            var gone: [Int64] = []
            while try rows.step() { gone.append(rows.integer(0)) }
            try database.transaction { () throws(SQLiteError) in
                for content in gone {
                    _ = try change(setting.kind, of: content, database) { () throws(SQLiteError) in
                        try Library.set(nil, setting, content, database)
                        return true
                    }
                }
                guard let text else { return }
                _ = try change(setting.kind, of: content, database) { () throws(SQLiteError) in
                    try Library.set(text, setting, content, database)
                    return true
                }
            }
            return true
        }
    }

    /// - Parameter text: nil for none.
    static func set(
        _ text: String?, _ setting: WorkSetting, _ content: Int64, _ database: Database
    ) throws(SQLiteError) {
        guard let text else {
            return try database.composed("DELETE FROM \(setting.rawValue) WHERE content = ?", [.integer(content)]).run()
        }
        try database.composed(
            "INSERT OR REPLACE INTO \(setting.rawValue)(content, \(setting.column)) VALUES(?, ?)",
            [.integer(content), .text(text)]
        ).run()
    }
}
