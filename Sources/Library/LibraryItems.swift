import Posix
import SQLite

/// Items: what files there are, in which order, and what is known of them.
extension Library {
    /// Columns as `item(_:)` reads them.
    private static let columns =
        """
        SELECT item.id, hash, audioBytes, item.path, fileBytes, fileModified, item.title, item.artist, item.album, duration,
          transcript, artwork, item.added, isPresent, milliseconds, playCount, favourite.sequence, favourite.added
        FROM item LEFT JOIN progress ON progress.item = item.id LEFT JOIN favourite ON favourite.item = item.id
        """

    /// Numbers are held to what callers can reckon with, whatever a damaged page says.
    private func item(_ row: Statement) -> Item {
        let id = row.integer(0)
        return Item(
            id: id,
            identity: ContentIdentity(hash: UInt64(bitPattern: row.integer(1)), audioBytes: row.integer(2)),
            path: row.text(3),
            fileBytes: row.integer(4),
            fileModifiedSeconds: row.integer(5),
            title: row.text(6),
            artist: row.text(7),
            album: row.text(8),
            durationMilliseconds: row.optionalInteger(9).map(Library.held),
            transcript: row.optionalText(10),
            artwork: row.optionalText(11),
            addedSeconds: Library.seconds(row.integer(12)),
            isPresent: row.integer(13) != 0,
            positionMilliseconds: unsavedPositions[id] ?? Library.held(row.integer(14)),
            playCount: Library.held(row.integer(15)),
            isFavourite: !row.isNull(16))
    }

    /// 0 to 24 days in milliseconds.
    private static func held(_ value: Int64) -> Int { Int(max(0, min(Int64(Int32.max), value))) }

    /// 1970 to the year 9999.
    private static func seconds(_ value: Int64) -> Int64 { max(0, min(253_402_300_799, value)) }

    private func items(_ clauses: String, _ values: [Value]) -> [Item] {
        read(else: []) { (database) throws(SQLiteError) in
            let rows = try database.prepare(Library.columns + " " + clauses)
            try rows.bind(values)
            var items: [Item] = []
            while try rows.step() { items.append(item(rows)) }
            return items
        }
    }

    /// nil for an unknown id.
    public func item(_ id: Item.ID) -> Item? { items("WHERE item.id = ?", [.integer(id)]).first }

    /// The item whose file is, or was last seen, at `path`.
    public func item(path: String) -> Item? {
        items("WHERE item.path = ? ORDER BY isPresent DESC LIMIT 1", [.text(path)]).first
    }

    /// The items that are present, in folder order ("Chapter 2" before "Chapter 10"), a page of them.
    /// - Parameter folder: only those below it, at any depth; nil for all.
    public func items(inFolder folder: String? = nil, offset: Int = 0, limit: Int = Int.max) -> [Item] {
        let page: [Value] = [.integer(max(0, limit)), .integer(max(0, offset))]
        guard let folder else {
            return items("WHERE isPresent = 1 ORDER BY pathKey, item.path LIMIT ? OFFSET ?", page)
        }
        return items(
            "WHERE isPresent = 1 AND \(Library.below) ORDER BY pathKey, item.path LIMIT ? OFFSET ?",
            Library.belowValues(folder) + page)
    }

    /// The ids alone of what `items` lists: some 10 times as quick.
    public func itemIDs(inFolder folder: String? = nil) -> [Item.ID] {
        read(else: []) { (database) throws(SQLiteError) in
            let rows = try database.prepare(
                "SELECT id FROM item WHERE isPresent = 1"
                    + (folder == nil ? "" : " AND " + Library.below) + " ORDER BY pathKey, item.path")
            if let folder { try rows.bind(Library.belowValues(folder)) }
            var ids: [Item.ID] = []
            while try rows.step() { ids.append(rows.integer(0)) }
            return ids
        }
    }

    /// Keys are no names ("a/" and "A/" share one): the index finds the range, the path decides.
    private static let below = "pathKey >= ? AND pathKey < ? AND substr(item.path, 1, ?) = ?"

    private static func belowValues(_ folder: String) -> [Value] {
        let prefix = folder.utf8.last == UInt8(ascii: "/") ? folder : folder + "/"
        var end = naturalKey(prefix)
        let start = end
        // The key ends with the 1 of "/".
        end[end.count - 1] = 2
        return [.blob(start), .blob(end), .integer(prefix.unicodeScalars.count), .text(prefix)]
    }

    /// What is directly in a folder.
    public enum Entry {
        /// The folder's whole path.
        case folder(String)
        case item(Item)
    }

    /// The folders and items directly in `folder`, in folder order. Folders are those with an item somewhere below.
    public func contents(ofFolder folder: String) -> [Entry] {
        let prefixCount = folder.utf8.last == UInt8(ascii: "/") ? folder.utf8.count : folder.utf8.count + 1
        return read(else: []) { (database) throws(SQLiteError) in
            let rows = try database.prepare(
                Library.columns + " WHERE isPresent = 1 AND \(Library.below) ORDER BY pathKey, item.path")
            try rows.bind(Library.belowValues(folder))
            var entries: [Entry] = []
            // A set, because the files of "a" and "A" come mixed.
            var folders: Set<String> = []
            while try rows.step() {
                let path = rows.text(3)
                let rest = path.utf8.dropFirst(prefixCount)
                guard let slash = rest.firstIndex(of: UInt8(ascii: "/")) else {
                    entries.append(.item(item(rows)))
                    continue
                }
                let name = String(path[..<slash])
                if folders.insert(name).inserted { entries.append(.folder(name)) }
            }
            return entries
        }
    }

    /// Items present whose title, artist, album, file or folder name has words that begin with each word of `text`; capitals and
    /// accents do not count. Best match first.
    public func search(_ text: String, offset: Int = 0, limit: Int = Int.max) -> [Item] {
        // Each word in quotes is text to FTS5 and no operator; the star asks for its beginning.
        let words = text.utf8.split { $0 <= 0x20 || $0 == UInt8(ascii: "\"") }
        if words.isEmpty { return [] }
        var query = ""
        for word in words { query += "\"" + String(decoding: word, as: UTF8.self) + "\"* " }
        return items(
            "JOIN itemText ON itemText.rowid = item.id WHERE itemText MATCH ? AND isPresent ORDER BY rank, item.id LIMIT ? OFFSET ?",
            [.text(query), .integer(max(0, limit)), .integer(max(0, offset))])
    }

    /// How much there is that is present.
    public struct Counts: Equatable, Sendable {
        public var items = 0
        public var artists = 0
        public var albums = 0
        /// Of the items whose duration is known.
        public var durationMilliseconds = 0
    }

    public func counts() -> Counts {
        read(else: Counts()) { (database) throws(SQLiteError) in
            let row = try database.prepare(
                """
                SELECT count(*), count(DISTINCT nullif(artist, '')), count(DISTINCT nullif(album, '')), total(duration)
                FROM item WHERE isPresent
                """)
            guard try row.step() else { return Counts() }
            return Counts(
                items: Int(clamping: row.integer(0)), artists: Int(clamping: row.integer(1)),
                albums: Int(clamping: row.integer(2)),
                durationMilliseconds: max(0, Int(clamping: row.integer(3))))
        }
    }

    // MARK: Scanning

    /// Begins a scan: from here on, items that `knownItem` and `upsert` come across count as found.
    public func beginScan() { seen = [] }

    /// The item at `path` if the file's length and time say that it has not changed, so that it need not be looked into.
    public func knownItem(path: String, fileBytes: Int64, fileModifiedSeconds: Int64) -> Item.ID? {
        let found: (id: Item.ID, isPresent: Bool)? = read(else: nil) { (database) throws(SQLiteError) in
            let row = try database.cached(
                "SELECT id, isPresent FROM item WHERE path = ? AND fileBytes = ? AND fileModified = ?", .text(path),
                .integer(fileBytes), .integer(fileModifiedSeconds))
            defer { row.reset() }
            return try row.step() ? (row.integer(0), row.integer(1) != 0) : nil
        }
        guard let found else { return nil }
        seen?.insert(found.id)
        if !found.isPresent { setPresent(found.id, true) }
        return found.id
    }

    /// Takes in what looking into a file found. An item of the same content keeps its id, position and favourite: the file was
    /// renamed, moved or retagged. Where the same content is at two paths the one known first stays, as long as its file does.
    ///
    /// May ask the file system once (the last case). Many at a time go into a `batch`.
    /// - Returns: nil where it could not be saved.
    @discardableResult
    public func upsert(_ probe: Probe, nowSeconds: Int64 = wallClockSeconds()) -> Item? {
        let id: Item.ID? = write(else: nil) { (database) throws(SQLiteError) in
            var id: Item.ID = 0
            try database.transaction { () throws(SQLiteError) in
                let row = try database.cached(
                    "SELECT id, path, isPresent, fileBytes, fileModified FROM item WHERE hash = ? AND audioBytes = ?",
                    .integer(Int64(bitPattern: probe.identity.hash)), .integer(probe.identity.audioBytes))
                defer { row.reset() }
                guard try row.step() else {
                    id = try insert(probe, nowSeconds, database)
                    return
                }
                id = row.integer(0)
                let oldPath = row.text(1)
                if oldPath != probe.path {
                    let isSeen = seen?.contains(id) ?? false
                    let status = try? FileStatus(path: oldPath)
                    let isStillThere = status?.bytes == row.integer(3) && status?.modifiedSeconds == row.integer(4)
                    if row.integer(2) != 0 && (isSeen || isStillThere) { return }
                }
                try update(id, probe, database)
            }
            return id
        }
        guard let id else { return nil }
        seen?.insert(id)
        return item(id)
    }

    private func insert(_ probe: Probe, _ nowSeconds: Int64, _ database: Database) throws(SQLiteError) -> Item.ID {
        let title = Library.title(of: probe)
        try database.cached(
            """
            INSERT INTO item(hash, audioBytes, path, pathKey, fileBytes, fileModified, title, titleKey, artist, album, duration,
              transcript, artwork, added, isPresent) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1)
            """,
            .integer(Int64(bitPattern: probe.identity.hash)), .integer(probe.identity.audioBytes), .text(probe.path),
            .blob(naturalKey(probe.path)), .integer(probe.fileBytes), .integer(probe.fileModifiedSeconds), .text(title),
            .blob(naturalKey(title)), .text(probe.artist), .text(probe.album),
            .optional(probe.durationMilliseconds.map { max(0, $0) }), .optional(probe.transcript),
            .optional(probe.artwork), .integer(nowSeconds)
        ).run()
        let id = database.lastInsertedRowID
        // Made now, so that saving a position changes no more than this one row.
        try database.cached("INSERT OR IGNORE INTO progress VALUES(?, 0, 0, 0, NULL)", .integer(id)).run()
        try index(id, probe, title, database)
        return id
    }

    private func update(_ id: Item.ID, _ probe: Probe, _ database: Database) throws(SQLiteError) {
        let title = Library.title(of: probe)
        // A duration that came with a frame index is the true one.
        try database.cached(
            """
            UPDATE item SET path = ?, pathKey = ?, fileBytes = ?, fileModified = ?, title = ?, titleKey = ?, artist = ?, album = ?,
              duration = CASE WHEN EXISTS(SELECT 1 FROM frameIndex WHERE item = id) THEN coalesce(duration, ?)
                ELSE coalesce(?, duration) END,
              transcript = ?, artwork = ?, isPresent = 1 WHERE id = ?
            """,
            .text(probe.path), .blob(naturalKey(probe.path)), .integer(probe.fileBytes),
            .integer(probe.fileModifiedSeconds), .text(title), .blob(naturalKey(title)), .text(probe.artist),
            .text(probe.album), .optional(probe.durationMilliseconds.map { max(0, $0) }),
            .optional(probe.durationMilliseconds.map { max(0, $0) }), .optional(probe.transcript),
            .optional(probe.artwork), .integer(id)
        ).run()
        try index(id, probe, title, database)
    }

    /// What `search` looks in; and the file that was at this path before is no longer.
    private func index(_ id: Item.ID, _ probe: Probe, _ title: String, _ database: Database) throws(SQLiteError) {
        try database.cached(
            "INSERT OR REPLACE INTO itemText(rowid, title, artist, album, path) VALUES(?, ?, ?, ?, ?)", .integer(id),
            .text(title), .text(probe.artist), .text(probe.album),
            .text((probe.path.pathFolder.pathName + "/" + probe.path.pathStem.pathName).readable)
        ).run()
        try database.cached(
            "UPDATE item SET isPresent = 0 WHERE path = ? AND id <> ? AND isPresent", .text(probe.path), .integer(id)
        ).run()
    }

    private static func title(of probe: Probe) -> String {
        probe.title.isEmpty ? probe.path.pathStem.pathName.readable : probe.title
    }

    /// Ends the scan of `folder` (nil: of everything): items that were not come across are missing from now on, but keep all that
    /// is remembered of them. Call `cancelScan` instead where the folder could not be read to its end.
    /// - Returns: how many are newly missing.
    @discardableResult
    public func endScan(ofFolder folder: String? = nil) -> Int {
        guard let found = seen else { return 0 }
        seen = nil
        let missing = itemIDs(inFolder: folder).filter { !found.contains($0) }
        if !missing.isEmpty { batch { for id in missing { setPresent(id, false) } } }
        return missing.count
    }

    /// Forgets the scan that is under way; nothing becomes missing.
    public func cancelScan() { seen = nil }

    /// Notes that the item's file is not there (playing it failed); a scan may find it again.
    public func markMissing(_ id: Item.ID) { setPresent(id, false) }

    private func setPresent(_ id: Item.ID, _ isPresent: Bool) {
        write(else: ()) { (database) throws(SQLiteError) in
            try database.cached("UPDATE item SET isPresent = ? WHERE id = ?", .integer(isPresent ? 1 : 0), .integer(id))
                .run()
        }
    }

    // MARK: Favourites

    /// Adds the item to the favourites, or says that it is there already.
    public func addFavourite(_ id: Item.ID, nowSeconds: Int64 = wallClockSeconds()) -> Favourite.Addition {
        write(else: .notSaved) { (database) throws(SQLiteError) in
            try database.prepare(
                "INSERT OR IGNORE INTO favourite(item, added) SELECT id, ? FROM item WHERE id = ?",
                .integer(nowSeconds),
                .integer(id)
            ).run()
            if database.changes > 0 { return .added }
            return try database.integer("SELECT 1 FROM favourite WHERE item = \(id)") == nil ? .notSaved : .alreadyThere
        }
    }

    /// Returns whether it was one.
    @discardableResult
    public func removeFavourite(_ id: Item.ID) -> Bool {
        write(else: false) { (database) throws(SQLiteError) in
            try database.prepare("DELETE FROM favourite WHERE item = ?", .integer(id)).run()
            return database.changes > 0
        }
    }

    public func isFavourite(_ id: Item.ID) -> Bool {
        read(else: false) { (database) throws(SQLiteError) in
            try database.integer("SELECT 1 FROM favourite WHERE item = \(id)") != nil
        }
    }

    public func favouriteCount() -> Int {
        read(else: 0) { (database) throws(SQLiteError) in
            Int(clamping: try database.integer("SELECT count(*) FROM favourite") ?? 0)
        }
    }

    /// A page of the favourites, missing files included. Equal ones come newest first, so that pages neither repeat nor leave out.
    public func favourites(
        by order: Favourite.Order = .newest, offset: Int = 0, limit: Int = Int.max
    ) -> [Favourite] {
        let key =
            switch order {
            case .newest: ""
            case .title: "titleKey, "
            case .duration: "duration IS NULL, duration, "
            case .mostPlayed: "coalesce(playCount, 0) DESC, "
            }
        return read(else: []) { (database) throws(SQLiteError) in
            let rows = try database.prepare(
                Library.columns + " WHERE favourite.sequence IS NOT NULL ORDER BY \(key)sequence DESC LIMIT ? OFFSET ?",
                .integer(max(0, limit)), .integer(max(0, offset)))
            var favourites: [Favourite] = []
            while try rows.step() {
                favourites.append(Favourite(item: item(rows), addedSeconds: Library.seconds(rows.integer(17))))
            }
            return favourites
        }
    }
}
