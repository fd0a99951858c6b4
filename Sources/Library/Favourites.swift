// SPDX-License-Identifier: Apache-2.0
import Model
import Posix
import SQLite

extension Library {
    /// Adds the item's audio to the favourites, or says that it is there already.
    public func addFavourite(_ id: Item.ID, nowSeconds: Int64 = wallClockSeconds()) -> Favourite.Addition {
        guard let content = content(of: id) else { return .notSaved }
        return write(else: .notSaved) { [self] (database) throws(SQLiteError) in
            let isAdded = try change(.favourite, of: content, changedSeconds: nowSeconds, database) {
                () throws(SQLiteError) in
                try database.cached(
                    "INSERT OR IGNORE INTO favourite(content, added) VALUES(?, ?)", .integer(content),
                    .integer(nowSeconds)
                ).run()
                return database.changes > 0
            }
            return isAdded ? .added : .alreadyThere
        }
    }

    /// Returns whether it was one.
    @discardableResult
    public func removeFavourite(_ id: Item.ID) -> Bool {
        guard let content = content(of: id) else { return false }
        return write(else: false) { [self] (database) throws(SQLiteError) in
            try change(.favourite, of: content, database) { () throws(SQLiteError) in
                try database.cached("DELETE FROM favourite WHERE content = ?", .integer(content)).run()
                return database.changes > 0
            }
        }
    }

    public func isFavourite(_ id: Item.ID) -> Bool {
        read(else: false) { (database) throws(SQLiteError) in
            try database.cached(
                "SELECT 1 FROM favourite WHERE content = (SELECT content FROM item WHERE id = ?)", .integer(id)
            ).hasRow()
        }
    }

    /// A page of the favourites, missing files included; of several files of one audio the first that is there. Equal ones come
    /// newest first, so that pages neither repeat nor leave out.
    public func favourites(
        by order: Favourite.Order = .newest, offset: Int = 0, limit: Int = Int.max
    ) -> [Favourite] {
        // In its own order SQLite skips the rows before the page in one index, without looking them up.
        var page = "favourite"
        var last = "LIMIT ? OFFSET ?"
        let key =
            switch order {
            case .newest: ""
            case .title: "titleKey, "
            case .duration: "duration IS NULL, duration, "
            case .mostPlayed: "coalesce(playCount, 0) DESC, "
            }
        if key.isEmpty { (page, last) = ("(SELECT * FROM favourite ORDER BY sequence DESC \(last)) AS favourite", "") }
        let ids: [Item.ID] = read(else: []) { (database) throws(SQLiteError) in
            try database.composed(
                """
                SELECT item.id FROM \(page) JOIN item ON item.id = (
                  SELECT file.id FROM item AS file WHERE file.content = favourite.content
                  ORDER BY file.isPresent DESC, file.id LIMIT 1)
                LEFT JOIN plays ON plays.content = favourite.content
                ORDER BY \(key)sequence DESC \(last)
                """, [.integer(max(0, limit)), .integer(max(0, offset))]
            ).all { $0.integer(0) }
        }
        return favourites(ids)
    }

    /// A page of the favorites, newest first, counted from a known one; see `booksByTitle`.
    public func favourites(from known: Item.ID, offset: Int, limit: Int) -> [Favourite] {
        let isForward = offset >= 0
        let ids: [Item.ID] = read(else: []) { (database) throws(SQLiteError) in
            try database.composed(
                """
                SELECT item.id FROM (SELECT * FROM favourite WHERE sequence \(isForward ? "<=" : ">") (
                    SELECT sequence FROM favourite WHERE content = (SELECT content FROM item WHERE id = ?))
                  ORDER BY sequence \(isForward ? "DESC" : "") LIMIT ? OFFSET ?) AS favourite JOIN item ON item.id = (
                  SELECT file.id FROM item AS file WHERE file.content = favourite.content
                  ORDER BY file.isPresent DESC, file.id LIMIT 1)
                ORDER BY sequence DESC
                """, Library.page(from: known, offset: offset, limit: limit)
            ).all { $0.integer(0) }
        }
        return favourites(ids)
    }
}
