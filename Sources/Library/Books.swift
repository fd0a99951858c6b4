// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Posix
import SQLite
import Text

/// The rows of `book` and `bookItem`.
enum Books {
    /// Replaces the books of a folder. A book that stays keeps its id.
    static func replace(_ folder: Int64, _ drafts: [BookMaking.Draft], _ database: Database) throws(SQLiteError) {
        var kept: [Book.ID] = []
        for draft in drafts {
            let id = try write(folder, draft, database)
            kept.append(id)
            try setItems(id, draft.items, database)
            if draft.items.count > 1, let first = draft.items.first, let last = draft.items.last {
                try WorkPlaces.unite(workOf: first, lastItem: last, database)
            }
        }
        let rows = try database.cached("SELECT id FROM book WHERE folder = ?", .integer(folder))
        var gone: [Book.ID] = []
        while try rows.step() { if !kept.contains(rows.integer(0)) { gone.append(rows.integer(0)) } }
        for id in gone {
            try database.cached("DELETE FROM bookItem WHERE book = ?", .integer(id)).run()
            try database.cached("DELETE FROM book WHERE id = ?", .integer(id)).run()
        }
    }

    private static func write(
        _ folder: Int64, _ draft: BookMaking.Draft, _ database: Database
    ) throws(SQLiteError) -> Book.ID {
        try database.cached(
            """
            INSERT INTO book(folder, item, title, titleKey, author, authorKey, narrator, series, seriesPart, seriesKey, year, genre,
              language, added, items) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT(folder, item) DO UPDATE SET title = excluded.title, titleKey = excluded.titleKey, author = excluded.author,
              authorKey = excluded.authorKey, narrator = excluded.narrator, series = excluded.series,
              seriesPart = excluded.seriesPart, seriesKey = excluded.seriesKey, year = excluded.year, genre = excluded.genre,
              language = excluded.language, added = excluded.added, items = excluded.items
            """, .integer(folder), .integer(draft.item), .text(draft.title), .blob(naturalKey(draft.title)),
            .text(draft.author), .blob(naturalKey(draft.author)), .text(draft.narrator), .text(draft.series),
            .text(draft.seriesPart), .blob(seriesKey(draft)), .text(draft.year), .text(draft.genre),
            .text(draft.language), .integer(draft.added), .integer(draft.items.count)
        ).run()
        return try database.cached(
            "SELECT id FROM book WHERE folder = ? AND item = ?", .integer(folder), .integer(draft.item)
        ).first { $0.integer(0) } ?? 0
    }

    /// Returns the sort key of a series. Books without a series come last.
    private static func seriesKey(_ draft: BookMaking.Draft) -> [UInt8] {
        draft.series.isEmpty ? [0xFF] : naturalKey(draft.series) + [0] + naturalKey(draft.seriesPart)
    }

    private static func setItems(_ id: Book.ID, _ items: [Item.ID], _ database: Database) throws(SQLiteError) {
        if try Books.items(id, offset: 0, limit: Int(Int32.max), database) == items { return }
        try database.cached("DELETE FROM bookItem WHERE book = ?", .integer(id)).run()
        for (place, item) in items.enumerated() {
            try database.cached(
                "INSERT OR REPLACE INTO bookItem(book, place, item) VALUES(?, ?, ?)", .integer(id), .integer(place),
                .integer(item)
            ).run()
        }
    }

    static func items(
        _ id: Book.ID, offset: Int, limit: Int, _ database: Database
    ) throws(SQLiteError) -> [Item.ID] {
        try database.cached(
            "SELECT item FROM bookItem WHERE book = ? AND place >= ? ORDER BY place LIMIT ?", .integer(id),
            .integer(max(0, offset)), .integer(max(0, limit))
        ).all { $0.integer(0) }
    }
}

extension Library {
    /// Returns the book that an item is a file of, or is itself; nil for none.
    public func book(of item: Item.ID) -> Book? { bookPlace(of: item).flatMap { book($0.book) } }

    /// Returns whether two different items belong to one book.
    public func areOneBook(_ one: Item.ID, _ other: Item.ID) -> Bool {
        guard one != other, let left = bookPlace(of: one), let right = bookPlace(of: other) else { return false }
        return left.book == right.book
    }

    /// Returns whether an item is a file of a book, or is a book.
    public func isPartOfBook(_ id: Item.ID) -> Bool { bookPlace(of: id) != nil }

    /// Returns whether an item is one of several files of a book. Such a book has one place for all its files: the latest. Any other item
    /// has a place of its own, as has an episode of a podcast.
    public func sharesPlace(_ id: Item.ID) -> Bool {
        guard let book = bookPlace(of: id)?.book, !isEpisode(id) else { return false }
        return read(else: false) { (database) throws(SQLiteError) in
            try database.cached("SELECT items FROM book WHERE id = ?", .integer(book)).first { $0.integer(0) > 1 }
                ?? false
        }
    }

    /// Returns the milliseconds at which an item resumes. The last seconds of a file do not count as its end, unless it is the book's last
    /// file: the rest plays, and the next file begins.
    public func resumeMilliseconds(of item: Item) -> Int {
        let own = item.resumeMilliseconds
        guard own == 0, item.positionMilliseconds > 0, sharesPlace(item.id), !restOfBook(behind: item.id).isEmpty else {
            return own
        }
        return min(item.positionMilliseconds, max(0, (item.durationMilliseconds ?? .max) - 1))
    }

    /// Returns the files behind an item in its book, in their order; none for an item that is no file of a book of several.
    public func restOfBook(behind id: Item.ID) -> [Item.ID] {
        guard sharesPlace(id), let place = bookPlace(of: id) else { return [] }
        return items(of: place.book, offset: place.index + 1, limit: Library.mostParts)
    }

    /// The limit of files that one press puts into the queue.
    private static let mostParts = 1000

    /// Returns the book of an item, and the item's index in it.
    func bookPlace(of item: Item.ID) -> (book: Book.ID, index: Int)? {
        let folder: String? = read(else: nil) { (database) throws(SQLiteError) in
            try database.cached("SELECT path FROM item WHERE id = ?", .integer(item)).first {
                Library.bookFolder($0.text(0).pathFolder)
            }
        }
        guard let folder else { return nil }
        let isDue = read(else: false) { (database) throws(SQLiteError) in
            try database.cached(
                "SELECT 1 FROM bookToDo WHERE folder = (SELECT id FROM folder WHERE path = ?)", .text(folder)
            ).hasRow()
        }
        if isDue { makeBooks(in: folder) }
        return read(else: nil) { (database) throws(SQLiteError) in
            try database.cached("SELECT book, place FROM bookItem WHERE item = ?", .integer(item)).first {
                ($0.integer(0), Int(clamping: $0.integer(1)))
            }
        }
    }

    /// Returns a page of a book's files, in their order.
    public func items(of book: Book.ID, offset: Int = 0, limit: Int = Int(Int32.max)) -> [Item.ID] {
        read(else: []) { (database) throws(SQLiteError) in
            try Books.items(book, offset: offset, limit: limit, database)
        }
    }

    func lastItem(of book: Book.ID) -> Item.ID? {
        read(else: nil) { (database) throws(SQLiteError) in
            try database.cached(
                "SELECT item FROM bookItem WHERE book = ? ORDER BY place DESC LIMIT 1", .integer(book)
            ).first { $0.integer(0) }
        }
    }

    /// Returns a page of all books. Call `updateBooks` first, until it returns false.
    public func books(by order: Book.Order, offset: Int, limit: Int) -> [Book] {
        let key =
            switch order {
            case .newest: "added DESC, id DESC"
            case .title: "titleKey, id"
            case .author: "authorKey, titleKey, id"
            case .series: "seriesKey, titleKey, id"
            }
        let ids: [Book.ID] = read(else: []) { (database) throws(SQLiteError) in
            try database.composed(
                "SELECT id FROM book ORDER BY \(key) LIMIT ? OFFSET ?",
                [.integer(max(0, limit)), .integer(max(0, offset))]
            ).all { $0.integer(0) }
        }
        return ids.compactMap { book($0) }
    }

    /// Returns a page of all books by title, counted from a known book: quick however many books come before it.
    /// - Parameter offset: the number of books from the known one to the first of the page; negative for a page in front of it.
    public func booksByTitle(from known: Book.ID, offset: Int, limit: Int) -> [Book] {
        let isForward = offset >= 0
        let order = isForward ? "titleKey, id" : "titleKey DESC, id DESC"
        let ids: [Book.ID] = read(else: []) { (database) throws(SQLiteError) in
            let rows = try database.composed(
                """
                SELECT id FROM book WHERE (titleKey, id) \(isForward ? ">=" : "<") (SELECT titleKey, id FROM book WHERE id = ?)
                ORDER BY \(order) LIMIT ? OFFSET ?
                """, Library.page(from: known, offset: offset, limit: limit))
            defer { rows.reset() }
            var ids: [Book.ID] = []
            while try rows.step() { ids.append(rows.integer(0)) }
            return isForward ? ids : ids.reversed()
        }
        return ids.compactMap { book($0) }
    }

    /// Counts the entries by title from a book to the first of the next letter; backwards, to the first of the previous letter.
    /// - Parameter limit: the count stops here.
    /// - Returns: nil if the book is unknown, or has no such letter on that side.
    public func booksToLetter(from known: Book.ID, isForward: Bool, limit: Int) -> Int? {
        read(else: nil) { (database) throws(SQLiteError) in
            let start = try database.composed(
                isForward
                    ? "SELECT titleKey, id FROM book WHERE id = ?"
                    : """
                    SELECT titleKey, id FROM book WHERE (titleKey, id) < (SELECT titleKey, id FROM book WHERE id = ?)
                    ORDER BY titleKey DESC, id DESC LIMIT 1
                    """, [.integer(known)])
            defer { start.reset() }
            if try !start.step() { return nil }
            let key = start.bytes(0)
            // All titles of one letter lie between the letter and the end of its range.
            let letter = key.isEmpty ? [] : Array(key.prefix(max(1, TextDecoding.sequenceLength(key, at: 0))))
            let end = letter.last.map { letter.dropLast() + [$0 &+ 1] } ?? [0]
            return try database.composed(
                isForward
                    ? "SELECT count(*) FROM (SELECT 1 FROM book WHERE (titleKey, id) >= (?, ?) AND titleKey < ? LIMIT ?)"
                    : "SELECT count(*) FROM (SELECT 1 FROM book WHERE (titleKey, id) <= (?, ?) AND titleKey >= ? LIMIT ?)",
                [.blob(key), .integer(start.integer(1)), .blob(isForward ? end : letter), .integer(max(0, limit))]
            ).first { Int(clamping: $0.integer(0)) }
        }
    }

    /// Returns the statement's values for a page on one side of a known entry: its id, the page's length, and the number of entries to
    /// skip.
    static func page(from known: Int64, offset: Int, limit: Int) -> [Value] {
        let isForward = offset >= 0
        // A page backwards is counted from the known entry, and ends just before it.
        let skipped = isForward ? offset : max(0, -limit.addingSaturated(offset))
        let count = isForward ? limit : min(limit, -offset)
        return [.integer(known), .integer(max(0, count)), .integer(skipped)]
    }

    /// Finds the books that a listener may mean: by a file or its folder, by title, by the beginning of titles, and by words of them.
    /// Ignores accents and case. The surest come first. Call `updateBooks` first, until it returns false.
    /// - Returns: some books, and whether the first is surely the one that is meant.
    public func books(named name: String, path: String) -> (books: [(id: Book.ID, title: String)], isSure: Bool) {
        if let id = item(path: path).flatMap({ bookPlace(of: $0.id) })?.book ?? book(ofFolder: path) {
            return ([(id, "")], true)
        }
        let key = naturalKey(name)
        if key.isEmpty { return ([], false) }
        for (condition, isEnough) in [
            ("titleKey = ?1", true), ("substr(titleKey, 1, length(?1)) = ?1", true), ("instr(titleKey, ?1) > 0", false),
        ] {
            let found: [(id: Book.ID, title: String)] = read(else: []) { (database) throws(SQLiteError) in
                try database.composed(
                    "SELECT id, title FROM book WHERE \(condition) ORDER BY titleKey, id LIMIT 6", [.blob(key)]
                ).all { ($0.integer(0), $0.text(1)) }
            }
            if !found.isEmpty { return (found, isEnough && found.count == 1) }
        }
        return ([], false)
    }

    private func book(ofFolder path: String) -> Book.ID? {
        read(else: nil) { (database) throws(SQLiteError) in
            try database.cached(
                "SELECT book.id FROM book JOIN folder ON folder.id = book.folder WHERE folder.path = ? AND item = 0",
                .text(path)
            ).first { $0.integer(0) }
        }
    }

    private enum Column: Int32 {
        case title, author, narrator, series, seriesPart, year, genre, language, added, items, item, folder, file
    }

    /// Returns a book; nil for an unknown id.
    public func book(_ id: Book.ID) -> Book? {
        read(else: nil) { (database) throws(SQLiteError) in
            let row = try database.cached(
                """
                SELECT book.title, author, narrator, series, seriesPart, year, genre, language, book.added, items, book.item,
                  folder.path, item.path
                FROM book LEFT JOIN folder ON folder.id = book.folder LEFT JOIN item ON item.id = book.item WHERE book.id = ?
                """, .integer(id))
            defer { row.reset() }
            guard try row.step() else { return nil }
            var book = Book(
                id: id, title: row.text(Column.title),
                path: row.integer(Column.item) == 0 ? row.text(Column.folder) : row.text(Column.file))
            book.author = row.text(Column.author)
            book.narrator = row.text(Column.narrator)
            book.series = row.text(Column.series)
            book.seriesPart = row.text(Column.seriesPart)
            book.year = row.text(Column.year)
            book.genre = row.text(Column.genre)
            book.language = row.text(Column.language)
            book.itemCount = Library.held(row.integer(Column.items))
            book.addedSeconds = Library.seconds(row.integer(Column.added))
            try readPlace(&book, database)
            return book
        }
    }

    /// Reads the listener's place in a book: the file, its index among the book's files, and the time heard of all.
    private func readPlace(_ book: inout Book, _ database: Database) throws(SQLiteError) {
        let rows = try database.cached(
            """
            SELECT bookItem.item, duration, item.content, milliseconds, sequence, isFinished, path
            FROM bookItem JOIN item ON item.id = bookItem.item LEFT JOIN workPlace ON workPlace.file = item.content
            WHERE bookItem.book = ? ORDER BY place
            """, .integer(book.id))
        defer { rows.reset() }
        // An unsaved place is newer than a saved one.
        var newest: (sequence: Int64, unsaved: Int) = (0, -1)
        var index = 0
        var finished = 0
        while try rows.step() {
            let item = rows.integer(0)
            if index == 0 { book.firstItem = item }
            let content = rows.integer(2)
            let unsaved = memory.unsavedPlaces.lastIndex { $0.content == content } ?? -1
            let isPlace = unsaved >= 0 || !rows.isNull(3)
            if isPlace, (unsaved, rows.integer(4)) > (newest.unsaved, newest.sequence) {
                newest = (rows.integer(4), unsaved)
                let milliseconds =
                    unsaved >= 0 ? memory.unsavedPlaces[unsaved].milliseconds : Library.held(rows.integer(3))
                book.left = Book.Place(
                    item: item, path: rows.text(6), index: index, milliseconds: milliseconds)
                book.heardMilliseconds = book.durationMilliseconds + Int64(milliseconds)
            }
            book.durationMilliseconds += Int64(Library.held(rows.integer(1)))
            if rows.integer(5) != 0 { finished += 1 }
            index += 1
        }
        // Each episode of a podcast is a work of its own.
        book.isFinished = feed(folder: book.path) != nil ? finished == index : finished > 0
    }
}
