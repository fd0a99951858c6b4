import CPosix
import Model
import Posix
import SQLite

/// What is said in the library: sentences in blocks, and FTS5's index of their words.
///
/// The index has no text of its own (`content=''`) and knows of each word only in which sentences it is (`detail=none`): a third of
/// the text's size. The texts lie in `spokenBlock`, in half of theirs. All of it can be made anew from the transcripts, in
/// portions that each cost a few million instructions; FTS5's own merging inside an insert, which has no bound, is off.
extension Library {
    /// A present item, for who looks after its transcript.
    public struct SpokenState: Sendable {
        public let id: Item.ID
        public let path: String
        public let durationMilliseconds: Int?
        public let fileBytes: Int64
        public let fileModifiedSeconds: Int64
        /// What `endSpoken` noted; nil where nothing was.
        public let stamp: Int64?
        /// What is said in it is fetched, and lies nowhere beside it.
        let isEpisode: Bool
    }

    /// A page of the items that are there, in the library's order, without episodes.
    public func spokenStates(
        after cursor: PresentCursor?, limit: Int
    ) -> (items: [SpokenState], next: PresentCursor?) {
        let page = presentItems(in: nil, after: cursor, limit: limit)
        let items: [SpokenState] = read(else: []) { (database) throws(SQLiteError) in
            var items: [SpokenState] = []
            for item in page.items {
                if let state = try spokenState(item.id, database), !state.isEpisode { items.append(state) }
            }
            return items
        }
        return (items, page.next)
    }

    /// What is known of an item; nil where that is none.
    public func spokenState(_ id: Item.ID) -> SpokenState? {
        read(else: nil) { (database) throws(SQLiteError) in try spokenState(id, database) }
    }

    private func spokenState(_ id: Item.ID, _ database: Database) throws(SQLiteError) -> SpokenState? {
        let row = try database.cached(
            """
            SELECT duration, spokenItem.stamp, fileBytes, fileModified, episode.item IS NOT NULL, path FROM item
              LEFT JOIN spokenItem ON spokenItem.item = item.id LEFT JOIN episode ON episode.item = item.id WHERE item.id = ?
            """, .integer(id))
        defer { row.reset() }
        guard try row.step() else { return nil }
        return SpokenState(
            id: id, path: row.text(5), durationMilliseconds: row.optionalInteger(0).map(Library.held),
            fileBytes: row.integer(2), fileModifiedSeconds: row.integer(3), stamp: row.optionalInteger(1),
            isEpisode: row.integer(4) != 0)
    }

    /// Items behind `id` that the index has and the library has forgotten.
    public func spokenOrphans(after id: Item.ID, limit: Int) -> (items: [Item.ID], next: Item.ID?) {
        read(else: ([], nil)) { (database) throws(SQLiteError) in
            let rows = try database.cached(
                """
                SELECT spokenItem.item, item.id IS NULL FROM spokenItem LEFT JOIN item ON item.id = spokenItem.item
                WHERE spokenItem.item > ? ORDER BY spokenItem.item LIMIT ?
                """, .integer(id), .integer(limit))
            defer { rows.reset() }
            var items: [Item.ID] = []
            var last: Item.ID?
            var count = 0
            while try rows.step() {
                count += 1
                last = rows.integer(0)
                if rows.integer(1) != 0 { items.append(rows.integer(0)) }
            }
            return (items, count < limit ? nil : last)
        }
    }

    /// The log is folded into the database, or should be: what can wait waits.
    public var isLogBusy: Bool { log.map { $0.isLong || $0.isHeld } ?? false }

    // MARK: Taking in

    /// Begins to take in what is said in an item, of which the index must have nothing.
    /// - Parameter code: what its blocks are written with; `SpokenBlock.Packer.code`.
    public func beginSpoken(_ id: Item.ID, code: [UInt8]) {
        write(else: ()) { (database) throws(SQLiteError) in
            try database.cached(
                "INSERT OR REPLACE INTO spokenItem(item, stamp, firstBlock, lastBlock, code) VALUES(?, 0, 0, -1, ?)",
                .integer(id), .blob(code)
            ).run()
        }
    }

    /// Takes in further blocks of the item; some dozen at a time. False where they could not be saved.
    public func addSpoken(_ id: Item.ID, _ blocks: ArraySlice<SpokenBlock>) -> Bool {
        if blocks.isEmpty { return true }
        return write(else: false) { (database) throws(SQLiteError) in
            try database.transaction { () throws(SQLiteError) in
                if try !Library.hasSpokenIndex(database) { try Library.makeSpokenIndex(database) }
                var first: Int64?
                var last: Int64 = 0
                for block in blocks {
                    try database.cached(
                        "INSERT INTO spokenBlock(item, sentences) VALUES(?, ?)", .integer(id), .blob(block.bytes)
                    ).run()
                    last = database.lastInsertedRowID
                    first = first ?? last
                    for (place, text) in block.texts.enumerated() {
                        try database.cached(
                            "INSERT INTO spokenWord(rowid, words) VALUES(?, ?)",
                            .integer(Library.sentence(last, place)), .utf8(text)
                        ).run()
                    }
                }
                try database.cached(
                    """
                    UPDATE spokenItem SET firstBlock = CASE WHEN lastBlock < firstBlock THEN ? ELSE firstBlock END, lastBlock = ?
                    WHERE item = ?
                    """, .optional(first), .integer(last), .integer(id)
                ).run()
            }
            return true
        }
    }

    /// All of the item is in the index, or there is nothing said in it.
    /// - Parameter stamp: not 0.
    public func endSpoken(_ id: Item.ID, stamp: Int64) {
        write(else: ()) { (database) throws(SQLiteError) in
            try database.cached(
                """
                INSERT INTO spokenItem(item, stamp, firstBlock, lastBlock, code) VALUES(?, ?, 0, -1, x'')
                ON CONFLICT(item) DO UPDATE SET stamp = excluded.stamp
                """, .integer(id), .integer(stamp)
            ).run()
        }
    }

    /// Takes some blocks of an item out again, the last first. Call again while it is true; then nothing is known of the item.
    public func removeSpoken(_ id: Item.ID, blocks limit: Int) -> Bool {
        write(else: false) { (database) throws(SQLiteError) in
            guard let item = try SpokenItem(id, database) else { return false }
            try database.transaction { () throws(SQLiteError) in
                let first = max(item.firstBlock, item.lastBlock - Int64(limit) + 1)
                if first <= item.lastBlock {
                    for block in stride(from: item.lastBlock, through: first, by: -1) {
                        try removeBlock(block, item, database)
                    }
                }
                if first <= item.firstBlock {
                    try database.cached("DELETE FROM spokenItem WHERE item = ?", .integer(id)).run()
                } else {
                    try database.cached(
                        "UPDATE spokenItem SET stamp = 0, lastBlock = ? WHERE item = ?", .integer(first - 1),
                        .integer(id)
                    ).run()
                }
            }
            return item.firstBlock < item.lastBlock - Int64(limit) + 1
        }
    }

    /// The index forgets a word only when told the text again.
    private func removeBlock(_ block: Int64, _ item: SpokenItem, _ database: Database) throws(SQLiteError) {
        let row = try database.cached(
            "SELECT sentences FROM spokenBlock WHERE block = ? AND item = ?", .integer(block), .integer(item.id))
        defer { row.reset() }
        guard try row.step() else { return }
        // What cannot be read any more stays in the index, and is nothing that is found.
        if let sentences = item.sentences(row.bytes(0)), try Library.hasSpokenIndex(database) {
            for place in 0..<sentences.count {
                let text = sentences.withText(place) { Array($0) }
                try database.cached(
                    "INSERT INTO spokenWord(spokenWord, rowid, words) VALUES('delete', ?, ?)",
                    .integer(Library.sentence(block, place)), .utf8(text)
                ).run()
            }
        }
        row.reset()
        try database.cached("DELETE FROM spokenBlock WHERE block = ?", .integer(block)).run()
    }

    /// Merges some of the index's parts, so that a question looks into few. Call again, later, while it is true.
    public func mergeSpoken() -> Bool {
        write(else: false) { (database) throws(SQLiteError) in
            guard try Library.hasSpokenIndex(database) else { return false }
            let before = database.totalChanges
            try database.cached("INSERT INTO spokenWord(spokenWord, rank) VALUES('merge', ?)", .integer(mergePages))
                .run()
            // The command itself counts as one.
            return database.totalChanges - before >= 2
        }
    }

    /// Of the index, in a step of merging.
    private var mergePages: Int { 16 }

    // MARK: Numbers and tables

    static func sentence(_ block: Int64, _ place: Int) -> Int64 {
        block * Int64(SpokenBlock.mostSentences) + Int64(place)
    }

    static func hasSpokenIndex(_ database: Database) throws(SQLiteError) -> Bool {
        let row = try database.cached("SELECT 1 FROM sqlite_schema WHERE name = 'spokenWord'")
        defer { row.reset() }
        return try row.step()
    }

    private static func makeSpokenIndex(_ database: Database) throws(SQLiteError) {
        try database.execute(
            """
            CREATE VIRTUAL TABLE spokenWord USING fts5(
              words, content = '', detail = none, columnsize = 0, tokenize = '\(WordTokenizer.arguments)');
            INSERT INTO spokenWord(spokenWord, rank) VALUES('pgsz', 2000);
            INSERT INTO spokenWord(spokenWord, rank) VALUES('automerge', 0);
            INSERT INTO spokenWord(spokenWord, rank) VALUES('crisismerge', 1900);
            """)
    }
}

/// A row of `spokenItem`, with what reads its blocks.
struct SpokenItem {
    let id: Item.ID
    let firstBlock: Int64
    let lastBlock: Int64
    let path: String
    let title: String
    /// The library knows its file, and it is there.
    let isPresent: Bool
    private let decoder: TextCode.Decoder?

    /// Nil where the index has nothing of the item.
    init?(_ id: Item.ID, _ database: Database) throws(SQLiteError) {
        let row = try database.cached(
            """
            SELECT firstBlock, lastBlock, code, isPresent, path, title FROM spokenItem LEFT JOIN item ON item.id = spokenItem.item
            WHERE spokenItem.item = ?
            """, .integer(id))
        defer { row.reset() }
        guard try row.step() else { return nil }
        self.id = id
        // Held to what can be reckoned with, whatever a damaged page says.
        firstBlock = max(0, min(1 << 40, row.integer(0)))
        lastBlock = max(-1, min(1 << 40, row.integer(1)))
        isPresent = row.integer(3) != 0
        path = row.text(4)
        title = row.text(5)
        decoder = TextCode(stored: row.bytes(2)).map { TextCode.Decoder($0) }
    }

    func sentences(_ bytes: [UInt8]) -> SpokenSentences? { decoder.flatMap { SpokenSentences(bytes, $0) } }
}
