// SPDX-License-Identifier: Apache-2.0
import Model
import Posix
import SQLite

/// The spoken words of the library: sentences, and FTS5's index of their words, in a database of their own.
///
/// The file is a cache that can be made again from the transcripts. So a file that is damaged, or of another version, is deleted silently,
/// and no backup has it. One thread at a time uses the store, never the control thread, since the store waits for the disk.
public final class SpokenStore {
    /// The item of a sentence. The identity of its audio shows whether its number still means the same item in the library.
    public struct Owner: Sendable {
        public let id: Item.ID
        public let identity: Int64
    }

    public struct Sentence: Sendable {
        public let owner: Owner
        public let startMilliseconds: Int
        public let text: String
    }

    /// Counted up when the tables change.
    private static let version: Int64 = 1
    /// The number of sentences that one call adds or removes.
    public static let mostInPortion = 400
    /// The number of items that one call of `nextOwners` finds: each is a query of its own.
    private static let mostOwners = 16
    /// The limit of new files: a card that damages each of them is left alone.
    private static let mostReplacements = 3

    private let path: String?
    private var database: Database?
    /// The number of times the file was deleted. After each, its content must be added again.
    public private(set) var replacements = 0

    /// True if the disk refused the last addition. Set it to false to try again.
    public var isFull = false

    /// - Parameter path: the file's path, or ":memory:"; nil if there is no place for it.
    public init(path: String?) { self.path = path }

    // MARK: Opening

    private func open() throws(SQLiteError) -> Database {
        if let database { return database }
        guard let path, replacements <= SpokenStore.mostReplacements else {
            throw SQLiteError(disk: "there is no place for it, or it is damaged again and again")
        }
        var opened = try connect(path)
        if try opened.integer("PRAGMA user_version") != SpokenStore.version {
            // Closes the file before it is deleted.
            opened = try Database(path: ":memory:")
            Database.remove(path)
            opened = try connect(path)
            try makeTables(opened)
        }
        database = opened
        return opened
    }

    private func connect(_ path: String) throws(SQLiteError) -> Database {
        let database = try Database(path: path)
        try database.execute(
            """
            PRAGMA locking_mode=EXCLUSIVE;PRAGMA journal_mode=WAL;PRAGMA synchronous=NORMAL;PRAGMA temp_store=MEMORY;
            PRAGMA cache_size=-512
            """)
        return database
    }

    /// * `spoken`: the items in the index. `stamp` names the files that it was read from; 0 while it is added or removed. Its sentences are
    ///   the rows from `first` to `last`.
    /// * `sentence`: the texts, with the start of each in milliseconds. `prefix` makes one-letter prefixes as quick as words. Without it,
    ///   FTS5 merges the sentences of all words with that prefix, for each page. It takes a sixth more room.
    private func makeTables(_ database: Database) throws(SQLiteError) {
        try database.transaction { () throws(SQLiteError) in
            try database.execute(
                """
                CREATE TABLE spoken(
                  item INTEGER PRIMARY KEY,
                  identity INTEGER NOT NULL,
                  stamp INTEGER NOT NULL,
                  first INTEGER NOT NULL,
                  last INTEGER NOT NULL
                ) STRICT;
                CREATE VIRTUAL TABLE sentence USING fts5(
                  text, item UNINDEXED, start UNINDEXED, columnsize = 0, prefix = '1 3', tokenize = '\(WordTokenizer.arguments)');
                PRAGMA user_version = \(SpokenStore.version)
                """)
        }
    }

    /// Runs `body`, and deletes the file if it is damaged.
    private func attempt<Result>(
        else fallback: Result, _ body: (Database) throws(SQLiteError) -> Result
    ) -> Result {
        do throws(SQLiteError) { return try body(try open()) } catch {
            giveUp(error)
            return fallback
        }
    }

    /// Closes a file. The next call opens it again.
    public func close() { if path != ":memory:" { database = nil } }

    private func giveUp(_ error: SQLiteError) {
        database = nil
        guard error.kind == .damaged || error.isUnreadable else { return }
        replacements += 1
        if let path { Database.remove(path) }
    }

    /// Frees the memory of pages and statements.
    public func releaseMemory() { database?.releaseMemory() }

    // MARK: Content

    /// Returns the stamp that `end` noted; nil if the index lacks the item's transcript, or a part of it.
    public func stamp(of owner: Owner) -> Int64? {
        attempt(else: nil) { (database) throws(SQLiteError) in
            try database.cached(
                "SELECT stamp FROM spoken WHERE item = ? AND identity = ? AND stamp <> 0", .integer(owner.id),
                .integer(owner.identity)
            ).first { $0.integer(0) }
        }
    }

    /// Returns the items in the index behind `id`, ordered by number.
    public func owners(after id: Item.ID, limit: Int) -> [Owner] {
        attempt(else: []) { (database) throws(SQLiteError) in
            try database.cached(
                "SELECT item, identity FROM spoken WHERE item > ? ORDER BY item LIMIT ?", .integer(id), .integer(limit)
            ).all { Owner(id: $0.integer(0), identity: $0.integer(1)) }
        }
    }

    // MARK: Adding and removing

    /// Adds the next sentences of an item. Add nothing else until the item ends. Returns false if the disk took none.
    public func add(_ owner: Owner, _ sentences: [(startMilliseconds: Int, text: [UInt8])]) -> Bool {
        if sentences.isEmpty { return true }
        let isAdded = attempt(else: false) { (database) throws(SQLiteError) in
            try database.transaction { () throws(SQLiteError) in
                var first: Int64?
                for (start, text) in sentences {
                    try database.cached(
                        "INSERT INTO sentence(text, item, start) VALUES(?, ?, ?)", .utf8(text), .integer(owner.id),
                        .integer(start)
                    ).run()
                    first = first ?? database.lastInsertedRowID
                }
                try database.cached(
                    """
                    INSERT INTO spoken(item, identity, stamp, first, last) VALUES(?, ?, 0, ?, ?)
                    ON CONFLICT(item) DO UPDATE SET last = excluded.last
                    """, .integer(owner.id), .integer(owner.identity), .optional(first),
                    .integer(database.lastInsertedRowID)
                ).run()
            }
            return true
        }
        isFull = !isAdded
        return isAdded
    }

    /// Notes that the index has all sentences of an item, or that the item has none.
    /// - Parameter stamp: not 0.
    public func end(_ owner: Owner, stamp: Int64) {
        attempt(else: ()) { (database) throws(SQLiteError) in
            try database.cached(
                """
                INSERT INTO spoken(item, identity, stamp, first, last) VALUES(?, ?, ?, 0, -1)
                ON CONFLICT(item) DO UPDATE SET stamp = excluded.stamp
                """, .integer(owner.id), .integer(owner.identity), .integer(stamp)
            ).run()
        }
    }

    /// Removes some sentences of an item, the last first. Call again while it returns true; after that, the index does not know the item.
    public func remove(_ id: Item.ID) -> Bool {
        attempt(else: false) { (database) throws(SQLiteError) in
            var isLeft = false
            try database.transaction { () throws(SQLiteError) in
                let row = try database.cached(
                    "SELECT max(first, last - ?), last, first < last - ? FROM spoken WHERE item = ?",
                    .integer(SpokenStore.mostInPortion), .integer(SpokenStore.mostInPortion), .integer(id))
                defer { row.reset() }
                guard try row.step() else { return }
                let (first, last) = (row.integer(0), row.integer(1))
                isLeft = row.integer(2) != 0
                row.reset()
                try database.cached(
                    "DELETE FROM sentence WHERE rowid >= ? AND rowid <= ?", .integer(first), .integer(last)
                ).run()
                if isLeft {
                    try database.cached(
                        "UPDATE spoken SET stamp = 0, last = ? - 1 WHERE item = ?", .integer(first), .integer(id)
                    ).run()
                } else {
                    try database.cached("DELETE FROM spoken WHERE item = ?", .integer(id)).run()
                }
            }
            return isLeft
        }
    }

    // MARK: Looking for

    /// Returns the next sentences with these words, in the order of adding. Fewer than `limit` means that no more follow.
    /// - Parameter row: the row of the last sentence found, 0 at first; updated.
    public func next(_ question: SpokenQuestion, after row: inout Int64, limit: Int) -> [Sentence] {
        var last = row
        let found: [Sentence] = attempt(else: []) { (database) throws(SQLiteError) in
            let rows = try database.cached(
                """
                SELECT sentence.rowid, spoken.item, spoken.identity, sentence.start, sentence.text
                FROM sentence CROSS JOIN spoken ON spoken.item = sentence.item
                WHERE sentence MATCH ? AND sentence.rowid > ? ORDER BY sentence.rowid LIMIT ?
                """, .text(question.match), .integer(last), .integer(limit))
            defer { rows.reset() }
            var found: [Sentence] = []
            while try rows.step() {
                last = rows.integer(0)
                found.append(
                    Sentence(
                        owner: Owner(id: rows.integer(1), identity: rows.integer(2)),
                        startMilliseconds: Int(clamping: max(0, rows.integer(3))), text: rows.text(4)))
            }
            return found
        }
        row = last
        return found
    }

    /// Returns the next items with these words, each once; empty if there are no more.
    /// - Parameter row: 0 at first; updated.
    public func nextOwners(_ question: SpokenQuestion, after row: inout Int64) -> [Owner] {
        var last = row
        let found: [Owner] = attempt(else: []) { (database) throws(SQLiteError) in
            var found: [Owner] = []
            while found.count < SpokenStore.mostOwners {
                let next = try database.cached(
                    """
                    SELECT max(sentence.rowid, spoken.last), spoken.item, spoken.identity
                    FROM sentence CROSS JOIN spoken ON spoken.item = sentence.item
                    WHERE sentence MATCH ? AND sentence.rowid > ? ORDER BY sentence.rowid LIMIT 1
                    """, .text(question.match), .integer(last))
                defer { next.reset() }
                guard try next.step() else { break }
                last = next.integer(0)
                found.append(Owner(id: next.integer(1), identity: next.integer(2)))
            }
            return found
        }
        row = last
        return found
    }
}
