// SPDX-License-Identifier: Apache-2.0
import Model
import SQLite

/// A list that is always there, and that the library computes anew for each request.
public enum SmartList: CaseIterable, Sendable {
    /// The last thousand items added, the newest first.
    case newest
    /// The unfinished works, each from its place to the end of its book; the last played first.
    case unfinished
    case favourites
    /// The most played items, at most a thousand.
    case mostPlayed
    /// The finished books, whole, the last finished first.
    case finished
}

extension Library {
    /// The limit of books examined for a list of books.
    private static let mostBooks = 200
    /// The limit of a list with pages counted from its start.
    private static let mostItems = 1000

    /// Returns a page of a list, of present files.
    public func smart(_ list: SmartList, offset: Int = 0, limit: Int) -> [Item.ID] {
        let left = min(limit, Library.mostItems - offset)
        return switch list {
        case .favourites: favourites(by: .newest, offset: offset, limit: limit).map { $0.item.id }
        case .newest:
            ids("SELECT id FROM item WHERE isPresent = 1 ORDER BY added DESC, pathKey LIMIT ? OFFSET ?", offset, left)
        case .mostPlayed:
            ids(
                """
                SELECT (SELECT id FROM item WHERE item.content = plays.content AND +isPresent = 1 ORDER BY id LIMIT 1) AS id
                FROM plays WHERE playCount > 0 AND id IS NOT NULL ORDER BY playCount DESC, plays.content LIMIT ? OFFSET ?
                """, offset, left)
        case .unfinished: page(of: unfinished(upTo: offset + limit), offset, limit)
        case .finished: page(of: finished(upTo: offset + limit), offset, limit)
        }
    }

    private func ids(_ sql: StaticString, _ offset: Int, _ limit: Int) -> [Item.ID] {
        read(else: []) { (database) throws(SQLiteError) in
            try database.cached(sql, .integer(max(0, limit)), .integer(max(0, offset))).all { $0.integer(0) }
        }
    }

    private func page(of ids: [Item.ID], _ offset: Int, _ limit: Int) -> [Item.ID] {
        Array(ids.dropFirst(max(0, offset)).prefix(max(0, limit)))
    }

    /// Returns the unfinished works, the last heard first: of a book the file heard last.
    public func begun(limit: Int) -> [Item.ID] { begun(upTo: limit) { _, item in [item] } }

    private func unfinished(upTo count: Int) -> [Item.ID] {
        begun(upTo: count) { place, item in
            place.map { items(of: $0.book, offset: $0.index, limit: count) } ?? [item]
        }
    }

    /// Visits the started works. For a podcast, the last episode decides whether it is finished.
    private func begun(
        upTo count: Int, _ told: ((book: Book.ID, index: Int)?, Item.ID) -> [Item.ID]
    ) -> [Item.ID] {
        let begun = ids(
            """
            SELECT (SELECT id FROM item WHERE item.content = workPlace.file AND +isPresent = 1 ORDER BY id LIMIT 1) AS id
            FROM workPlace WHERE milliseconds IS NOT NULL AND id IS NOT NULL ORDER BY sequence DESC LIMIT ? OFFSET ?
            """, 0, Library.mostBooks)
        return whole(begun, upTo: count) { place, item in
            if let place {
                guard let last = isEpisode(item) ? lastItem(of: place.book) : item, !isFinished(last) else { return [] }
            } else if isFinished(item) || isUntouched(item) {
                return []
            }
            return told(place, item)
        }
    }

    // MARK: Stations

    /// Returns stations that a listener added, ordered by address: the bounds include http and https. Uses the index of paths: the index of
    /// present items would go through the whole library.
    public func stations(offset: Int, limit: Int) -> [Item.ID] {
        ids(
            """
            SELECT id FROM item WHERE path >= 'http:' AND path < 'httpt' AND +isPresent = 1 ORDER BY path LIMIT ? OFFSET ?
            """, offset, limit)
    }

    public var stationCount: Int {
        number("SELECT count(*) FROM item WHERE path >= 'http:' AND path < 'httpt' AND +isPresent = 1")
    }

    // MARK: How many

    public var hasBooks: Bool { number("SELECT EXISTS(SELECT 1 FROM book)") != 0 }
    public var bookCount: Int { number("SELECT count(*) FROM book") }

    /// The number of favorites counted at a time: counting a long list would exceed a turn of the loop.
    static let favouritesCountedAtOnce = 1000

    /// The number of favorites counted so far. Each call counts a thousand more, until all are counted. A menu asks at each step. A change
    /// restarts the count.
    public var favouriteCount: Int {
        countMoreFavourites()
        return memory.favourites.counted
    }

    /// True once `favouriteCount` includes all favorites.
    public var areFavouritesCounted: Bool { memory.favourites.last == nil }

    private func countMoreFavourites() {
        guard let last = memory.favourites.last else { return }
        let found: (count: Int, last: Int64)? = read(else: nil) { (database) throws(SQLiteError) in
            try database.cached(
                """
                SELECT count(*), max(revision) FROM (SELECT revision FROM fact
                  WHERE kind = 'favourite' AND value IS NOT NULL AND revision > ? ORDER BY revision LIMIT ?)
                """, .integer(last), .integer(Library.favouritesCountedAtOnce)
            ).first { (Int(clamping: $0.integer(0)), $0.integer(1)) }
        }
        guard let found else { return }
        memory.favourites.counted += found.count
        memory.favourites.last = found.count < Library.favouritesCountedAtOnce ? nil : found.last
    }
    public var bookmarkCount: Int { number("SELECT count(*) FROM fact WHERE kind = 'bookmark' AND value IS NOT NULL") }

    private func number(_ sql: StaticString) -> Int {
        read(else: 0) { (database) throws(SQLiteError) in
            try database.cached(sql).first { Int(clamping: $0.integer(0)) } ?? 0
        }
    }

    /// Returns whether nothing of the item has been heard.
    private func isUntouched(_ id: Item.ID) -> Bool { (item(id)?.positionMilliseconds ?? 0) == 0 }

    private func finished(upTo count: Int) -> [Item.ID] {
        let ended = ids(
            """
            SELECT item.id FROM workPlace JOIN item ON item.content = workPlace.file AND +isPresent = 1
              LEFT JOIN episode ON episode.item = item.id LEFT JOIN bookItem ON bookItem.item = item.id
              LEFT JOIN book ON book.id = bookItem.book
            WHERE isFinished = 1 AND (episode.item IS NULL OR book.id IS NULL OR place = book.items - 1)
            ORDER BY sequence DESC LIMIT ? OFFSET ?
            """, 0, Library.mostBooks)
        return whole(ended, upTo: count) { place, item in
            place.map { items(of: $0.book, limit: count) } ?? [item]
        }
    }

    /// Returns the items of each book once, ordered by the first of each book's files in `ids`.
    private func whole(
        _ ids: [Item.ID], upTo count: Int, _ items: ((book: Book.ID, index: Int)?, Item.ID) -> [Item.ID]
    ) -> [Item.ID] {
        var told: [Item.ID] = []
        var books: [Book.ID] = []
        for id in ids where told.count < count {
            let place = bookPlace(of: id)
            if let place {
                if books.contains(place.book) { continue }
                books.append(place.book)
            }
            told += items(place, id)
        }
        return told
    }
}
