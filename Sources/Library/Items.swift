// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Posix
import SQLite

/// The columns of an item's row, in the order of the SELECT.
private enum ItemColumn: Int32, CaseIterable {
    case id, content, hash, audioBytes, path, fileBytes, fileModified, title, artist, album, tags, duration, artwork,
        added,
        isPresent, milliseconds, playCount, favourite, favouriteAdded
}

/// Single items, and facts about them.
extension Library {
    private static let byID: StaticString =
        """
        SELECT item.id, item.content, hash, audioBytes, path, fileBytes, fileModified, title, artist, album, tags, duration, artwork,
          item.added, isPresent, workPlace.milliseconds, playCount, favourite.revision,
          CASE WHEN json_valid(favourite.value) THEN json_extract(favourite.value, '$.added') END
        FROM item LEFT JOIN itemTags ON itemTags.item = item.id LEFT JOIN content ON content.id = item.content LEFT JOIN workPlace ON workPlace.file = item.content
          LEFT JOIN plays ON plays.content = item.content LEFT JOIN fact AS favourite ON favourite.content = item.content AND favourite.kind = 'favourite'
        WHERE item.id = ?
        """

    /// Numbers are bounded for safe arithmetic, since a damaged page may say anything.
    private func item(_ row: Statement) -> Item {
        let content = row.integer(ItemColumn.content)
        return Item(
            id: row.integer(ItemColumn.id),
            contentID: content,
            identity: ContentIdentity(
                hash: UInt64(bitPattern: row.integer(ItemColumn.hash)), audioBytes: row.integer(ItemColumn.audioBytes)),
            path: row.text(ItemColumn.path),
            fileBytes: row.integer(ItemColumn.fileBytes),
            fileModifiedSeconds: row.integer(ItemColumn.fileModified),
            title: row.text(ItemColumn.title),
            artist: row.text(ItemColumn.artist),
            album: row.text(ItemColumn.album),
            tags: TagList(bytes: row.bytes(ItemColumn.tags)),
            durationMilliseconds: row.optionalInteger(ItemColumn.duration).map(Library.held),
            artwork: row.optionalText(ItemColumn.artwork),
            addedSeconds: Library.seconds(row.integer(ItemColumn.added)),
            isPresent: row.integer(ItemColumn.isPresent) != 0,
            positionMilliseconds: memory.unsavedMilliseconds(content)
                ?? Library.held(row.integer(ItemColumn.milliseconds)),
            playCount: Library.held(row.integer(ItemColumn.playCount)),
            isFavourite: !row.isNull(ItemColumn.favourite))
    }

    /// Limits a value to 0…24 days, in milliseconds.
    static func held(_ value: Int64) -> Int { Int(max(0, min(Int64(Int32.max), value))) }

    /// Limits a value to the years 1970 to 9999.
    static func seconds(_ value: Int64) -> Int64 { max(0, min(253_402_300_799, value)) }

    /// Calls `visit` for the row of an item, if there is one.
    private func visit(_ id: Item.ID, _ database: Database, _ visit: (Statement) -> Void) throws(SQLiteError) {
        let row = try database.cached(Library.byID, .integer(id))
        defer { row.reset() }
        if try row.step() { visit(row) }
    }

    /// Returns an item; nil for an unknown id.
    public func item(_ id: Item.ID) -> Item? { items([id]).first }

    /// Returns the known items of these, in the same order.
    public func items(_ ids: [Item.ID]) -> [Item] {
        read(else: []) { (database) throws(SQLiteError) in
            var items: [Item] = []
            items.reserveCapacity(ids.count)
            for id in ids { try visit(id, database) { items.append(item($0)) } }
            return items
        }
    }

    /// Like `items`, with the time when each became a favorite.
    func favourites(_ ids: [Item.ID]) -> [Favourite] {
        read(else: []) { (database) throws(SQLiteError) in
            var favourites: [Favourite] = []
            for id in ids {
                try visit(id, database) { row in
                    favourites.append(
                        Favourite(
                            item: item(row),
                            addedSeconds: Library.seconds(row.integer(ItemColumn.favouriteAdded))))
                }
            }
            return favourites
        }
    }

    /// Returns a present item with exactly this title; nil for none.
    public func item(titled title: String) -> Item.ID? {
        read(else: nil) { (database) throws(SQLiteError) in
            try database.cached(
                "SELECT id FROM item WHERE isPresent = 1 AND title = ? ORDER BY id LIMIT 1", .text(title)
            ).first { $0.integer(0) }
        }
    }

    /// Returns the item with its file at `path`, or last seen there.
    public func item(path: String) -> Item? { itemID(path: path).flatMap { item($0) } }

    static var byPath: StaticString { "SELECT id, isPresent FROM item WHERE path = ?" }

    func itemID(path: String) -> Item.ID? {
        read(else: nil) { (database) throws(SQLiteError) in
            let row = try database.cached(Library.byPath, .text(path))
            defer { row.reset() }
            return try Library.atPath(row)?.id
        }
    }

    /// Returns the row that is present, else the newest. The rows have ids and presence.
    static func atPath(_ rows: Statement) throws(SQLiteError) -> (id: Item.ID, isPresent: Bool)? {
        var best: (id: Item.ID, isPresent: Bool)?
        while try rows.step() {
            let row = (id: rows.integer(0), isPresent: rows.integer(1) != 0)
            guard let known = best else {
                best = row
                continue
            }
            if row.isPresent == known.isPresent ? row.id > known.id : row.isPresent { best = row }
        }
        return best
    }

    /// Returns all items present, in folder order ("Chapter 2" before "Chapter 10"): only the ids, about 10 times as quick as `items`.
    /// - Parameter folder: only items below it, at any depth; nil for all.
    public func itemIDs(inFolder folder: String? = nil) -> [Item.ID] {
        var ids: [Item.ID] = []
        var cursor: ItemCursor?
        repeat {
            let page = itemIDs(ItemQuery(folder: folder), after: cursor, limit: .max)
            ids += page.ids
            cursor = page.next
        } while cursor != nil
        return ids
    }
}
