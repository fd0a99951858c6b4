// SPDX-License-Identifier: Apache-2.0
import CPosix
import CSQLite
import Posix

/// One connection. Owned and used by one thread at a time; different threads may use different connections.
///
/// A class and not a `~Copyable` struct, as `Statement` is: statements are kept in an array, which takes copyable types only.
public final class Database {
    let handle: OpaquePointer
    /// The counts of the log's hook.
    private struct Log {
        /// Pages in it, as of the last commit.
        var frames = 0
        /// Commits since the connection was opened.
        var commits = 0
    }
    private let log: UnsafeMutablePointer<Log>
    /// Statements that are used over and over, found by the address of their text.
    private var cache: [(text: UnsafePointer<UInt8>, statement: Statement)] = []
    /// Statements with a composed text, such as those of queries; the last used at the end.
    private var composed: [(text: String, statement: Statement)] = []
    private static let mostComposed = 12

    /// Settings of the whole process, made before the first connection; SQLite refuses them afterwards.
    private static let isConfigured: Bool = {
        // Locks around what connections share, none around each connection: one thread at a time has it.
        _ = ns_sqlite3_config(SQLITE_CONFIG_MULTITHREAD)
        _ = ns_sqlite3_config_int(SQLITE_CONFIG_MEMSTATUS, 0)
        // No page is allocated before it is read: the default allocates 20 at once.
        _ = ns_sqlite3_config_page_cache(nil, 0, 0)
        return sqlite3_initialize() == SQLITE_OK
    }()

    /// Opens the database file at `path`, made where it does not exist. A connection in memory for ":memory:".
    /// Throws `SQLITE_CANTOPEN`, `SQLITE_READONLY` (the file can be read only) and `SQLITE_NOMEM`; that a file is no
    /// database shows at the first statement.
    public init(path: String) throws(SQLiteError) {
        _ = Database.isConfigured
        // "file:…" would be read as a URI.
        let path = path.utf8.first == UInt8(ascii: "/") || path == ":memory:" ? path : "./" + path
        var handle: OpaquePointer?
        let code = path.withPath {
            sqlite3_open_v2($0, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nil)
        }
        guard code == SQLITE_OK, let handle else {
            let error = SQLiteError(handle, code: code)
            sqlite3_close_v2(handle)
            throw error
        }
        if sqlite3_db_readonly(handle, "main") == 1 {
            sqlite3_close_v2(handle)
            throw SQLiteError(extendedCode: SQLITE_READONLY, message: "the file can be read only")
        }
        self.handle = handle
        log = .allocate(capacity: 1)
        log.initialize(to: Log())
        sqlite3_extended_result_codes(handle, 1)
        // A damaged or foreign schema must not be able to call functions, nor a statement to break the file.
        _ = ns_sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1)
        _ = ns_sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    }

    deinit {
        // The rest of the connection closes with the last statement, at the latest those of the cache.
        cache.removeAll()
        composed.removeAll()
        sqlite3_close_v2(handle)
        log.deallocate()
    }

    /// Removes a database's closed file, and the files that SQLite may have left beside it.
    public static func remove(_ path: String) {
        for end in ["", "-journal", "-wal"] { _ = (path + end).withPath { unlink($0) } }
    }

    /// Closing neither moves the log into the database file nor deletes it.
    public var keepsLogWhenClosed = false {
        didSet { _ = ns_sqlite3_db_config(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keepsLogWhenClosed ? 1 : 0) }
    }

    /// Tables may be said to be where they are by statements: for a file that is made to be read another's tables with.
    public func allowSchemaWrites() { _ = ns_sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 0) }

    /// Milliseconds to wait where another process holds the database.
    public func setBusyTimeout(milliseconds: Int32) { sqlite3_busy_timeout(handle, milliseconds) }

    /// Runs statements that return nothing of interest.
    public func execute(_ sql: String) throws(SQLiteError) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        if code != SQLITE_OK { throw SQLiteError(handle, code: code, sql: sql) }
    }

    /// Prepares a statement for one use.
    public func prepare(_ sql: String, _ values: Value...) throws(SQLiteError) -> Statement {
        let statement = try Statement(self, sql, persistent: false)
        try statement.bind(values)
        return statement
    }

    /// A statement that is kept for the next time, reset and with `values` bound. It must have been stepped to its end, or
    /// be done with, before the same text is asked for again.
    public func cached(_ sql: StaticString, _ values: Value...) throws(SQLiteError) -> Statement {
        let statement: Statement
        if let known = cache.first(where: { $0.text == sql.utf8Start }) {
            statement = known.statement
            statement.reset()
        } else {
            statement = try Statement(
                self, sql.withUTF8Buffer { String(decoding: $0, as: UTF8.self) }, persistent: true)
            cache.append((sql.utf8Start, statement))
        }
        try statement.bind(values)
        return statement
    }

    /// As `cached`, for a text that was put together: the last dozen are kept. A text that SQLite does not take is `SQLITE_TOOBIG`,
    /// and no sign of damage.
    public func composed(_ sql: String, _ values: [Value]) throws(SQLiteError) -> Statement {
        let statement: Statement
        if let place = composed.firstIndex(where: { $0.text == sql }) {
            let known = composed.remove(at: place)
            composed.append(known)
            statement = known.statement
            statement.reset()
        } else {
            do throws(SQLiteError) { statement = try Statement(self, sql, persistent: true) } catch {
                throw error.code == SQLITE_ERROR
                    ? SQLiteError(extendedCode: SQLITE_TOOBIG, message: error.message) : error
            }
            if composed.count == Database.mostComposed { composed.removeFirst() }
            composed.append((sql, statement))
        }
        try statement.bind(values)
        return statement
    }

    /// The first column of the first row as an integer; nil where there is no row or it is NULL.
    public func integer(_ sql: String) throws(SQLiteError) -> Int64? {
        let statement = try prepare(sql)
        return try statement.step() && !statement.isNull(0) ? statement.integer(0) : nil
    }

    /// Runs `body` all or nothing. Inside another transaction it becomes part of that one.
    @inline(never)
    public func transaction(_ body: () throws(SQLiteError) -> Void) throws(SQLiteError) {
        if isInTransaction { return try body() }
        try execute("BEGIN IMMEDIATE")
        do throws(SQLiteError) {
            try body()
            try execute("COMMIT")
        } catch {
            // SQLite has rolled back by itself after some errors (full disk, I/O).
            if isInTransaction { try? execute("ROLLBACK") }
            throw error
        }
    }

    public var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// Rows that the last INSERT, UPDATE or DELETE changed.
    public var changes: Int { Int(sqlite3_changes(handle)) }

    /// Rows changed since the connection was opened.
    public var totalChanges: Int { Int(sqlite3_total_changes(handle)) }

    public var lastInsertedRowID: Int64 { sqlite3_last_insert_rowid(handle) }

    /// Gives back the memory of pages and statements that is not in use.
    public func releaseMemory() {
        // Each statement is some kilobytes; compiling it again takes a tenth of a millisecond.
        cache.removeAll()
        composed.removeAll()
        sqlite3_db_release_memory(handle)
    }

    /// SQLite no longer checkpoints by itself, inside a commit that should be quick, and `logFrames` counts.
    public func takeOverCheckpoints() {
        // The hook takes the place of the one that checkpoints.
        sqlite3_wal_hook(
            handle,
            { log, _, _, frames in
                guard let log = log?.assumingMemoryBound(to: Log.self) else { return SQLITE_OK }
                log.pointee.frames = Int(frames)
                log.pointee.commits &+= 1
                return SQLITE_OK
            }, log)
    }

    /// Pages in the write-ahead log as of the last commit, 0 before the first and after `copyLog`.
    public var logFrames: Int { log.pointee.frames }

    /// Commits that have written to the log since `takeOverCheckpoints`; compare for equality.
    public var commits: Int { log.pointee.commits }

    /// Writes all that the write-ahead log holds into the database file. It waits for the disk if `synchronous` says so. The next
    /// commit begins the log anew.
    ///
    /// Returns false if not all of it could be; throws `SQLITE_LOCKED` while a statement has not been read to its end.
    public func copyLog() throws(SQLiteError) -> Bool {
        var frames: Int32 = 0
        var copied: Int32 = 0
        let code = sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_RESTART, &frames, &copied)
        if code != SQLITE_OK { throw SQLiteError(handle, code: code) }
        if frames != copied { return false }
        log.pointee.frames = 0
        return true
    }

    /// Copies the whole of another database over this one.
    public func copy(from source: Database) throws(SQLiteError) {
        guard let backup = sqlite3_backup_init(handle, "main", source.handle, "main") else {
            throw SQLiteError(handle, code: sqlite3_errcode(handle))
        }
        _ = sqlite3_backup_step(backup, -1)
        let code = sqlite3_backup_finish(backup)
        if code != SQLITE_OK { throw SQLiteError(handle, code: code) }
    }
}
