// SPDX-License-Identifier: Apache-2.0
import Model
import Posix
import SQLite

extension Library {
    /// Adds the item's audio to the favorites, or reports that it is one already.
    public func addFavourite(_ id: Item.ID, nowSeconds: Int64 = wallClockSeconds()) -> Favourite.Addition {
        guard let content = content(of: id) else { return .notSaved }
        let isAdded = say(.favourite, of: content, nowSeconds: nowSeconds, replaces: false) {
            (database) throws(SQLiteError) in
            try database.composed(
                "SELECT " + Facts.favouriteValue(of: "?1", added: "?2"), [.integer(content), .integer(nowSeconds)]
            ).first { $0.text(0) }
        }
        return isAdded.map { $0 ? .added : .alreadyThere } ?? .notSaved
    }

    /// Returns false if the item was no favorite.
    @discardableResult
    public func removeFavourite(_ id: Item.ID) -> Bool {
        guard let content = content(of: id) else { return false }
        return say(.favourite, of: content) { _ in nil } ?? false
    }

    public func isFavourite(_ id: Item.ID) -> Bool {
        read(else: false) { (database) throws(SQLiteError) in
            try database.cached(
                "SELECT 1 FROM fact WHERE content = (SELECT content FROM item WHERE id = ?) AND kind = 'favourite'",
                .integer(id)
            ).hasRow()
        }
    }

    /// Returns a page of the favorites, missing files included. If several files have one audio, the first that is there counts. Equal ones
    /// come newest first, so that pages neither repeat nor omit any.
    public func favourites(
        by order: Favourite.Order = .newest, offset: Int = 0, limit: Int = Int.max
    ) -> [Favourite] {
        // In its own order SQLite skips the rows before the page in one index, without looking them up.
        let favourites = "(SELECT revision, content FROM fact WHERE kind = 'favourite' AND value IS NOT NULL"
        var page = favourites + ") AS favourite"
        var last = "LIMIT ? OFFSET ?"
        let key =
            switch order {
            case .newest: ""
            case .title: "titleKey, "
            case .duration: "duration IS NULL, duration, "
            case .mostPlayed: "coalesce(playCount, 0) DESC, "
            }
        if key.isEmpty { (page, last) = (favourites + " ORDER BY revision DESC \(last)) AS favourite", "") }
        let ids: [Item.ID] = read(else: []) { (database) throws(SQLiteError) in
            try database.composed(
                """
                SELECT item.id FROM \(page) JOIN item ON item.id = (
                  SELECT file.id FROM item AS file WHERE file.content = favourite.content
                  ORDER BY file.isPresent DESC, file.id LIMIT 1)
                LEFT JOIN plays ON plays.content = favourite.content
                ORDER BY \(key)revision DESC \(last)
                """, [.integer(max(0, limit)), .integer(max(0, offset))]
            ).all { $0.integer(0) }
        }
        return self.favourites(ids)
    }

    /// Returns a page of the favorites, newest first, counted from a known one; see `booksByTitle`.
    public func favourites(from known: Item.ID, offset: Int, limit: Int) -> [Favourite] {
        let isForward = offset >= 0
        let ids: [Item.ID] = read(else: []) { (database) throws(SQLiteError) in
            try database.composed(
                """
                SELECT item.id FROM (SELECT * FROM fact WHERE kind = 'favourite' AND value IS NOT NULL
                    AND revision \(isForward ? "<=" : ">") (SELECT revision FROM fact
                      WHERE content = (SELECT content FROM item WHERE id = ?) AND kind = 'favourite')
                  ORDER BY revision \(isForward ? "DESC" : "") LIMIT ? OFFSET ?) AS favourite JOIN item ON item.id = (
                  SELECT file.id FROM item AS file WHERE file.content = favourite.content
                  ORDER BY file.isPresent DESC, file.id LIMIT 1)
                ORDER BY revision DESC
                """, Library.page(from: known, offset: offset, limit: limit)
            ).all { $0.integer(0) }
        }
        return favourites(ids)
    }
}
