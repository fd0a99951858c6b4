// SPDX-License-Identifier: Apache-2.0
import CPosix
import CSQLite
import Posix

/// One connection. Only one thread uses it at a time; different threads may use different connections.
///
/// A class, like `Statement`, and not a `~Copyable` struct: an array keeps the statements, and takes copyable types only.
public final class Database {
    let handle: OpaquePointer
    /// The counts of the write-ahead log's hook.
    private struct Log {
        /// The pages in the log at the last commit.
        var frames = 0
        /// The commits since the connection was opened.
        var commits = 0
    }
    private let log: UnsafeMutablePointer<Log>
    /// The cached statements, by the address of their text.
    private var cache: [(text: UnsafePointer<UInt8>, statement: Statement)] = []
    /// The cached statements with a composed text, such as queries; the last used at the end.
    private var composed: [(text: String, statement: Statement)] = []
    private static let mostComposed = 12

    /// The settings of the whole process, applied before the first connection; SQLite refuses them later.
    private static let isConfigured: Bool = {
        // Locks only around shared state, not around each connection, which one thread uses at a time.
        _ = ns_sqlite3_config(SQLITE_CONFIG_MULTITHREAD)
        _ = ns_sqlite3_config_int(SQLITE_CONFIG_MEMSTATUS, 0)
        // Allocate pages when they are read: the default allocates 20 at once.
        _ = ns_sqlite3_config_page_cache(nil, 0, 0)
        return sqlite3_initialize() == SQLITE_OK
    }()

    /// Opens or creates the database file at `path`, or a database in memory for ":memory:". Throws `SQLITE_CANTOPEN`, `SQLITE_READONLY`
    /// (the file is read-only) and `SQLITE_NOMEM`. A file that is no database fails at the first statement.
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
        // A damaged or foreign schema must not call functions, and no statement may corrupt the file.
        _ = ns_sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1)
        _ = ns_sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    }

    deinit {
        // SQLite closes the rest with the last statement, at the latest those of the cache.
        cache.removeAll()
        composed.removeAll()
        sqlite3_close_v2(handle)
        log.deallocate()
    }

    /// Removes a closed database file, and the files that SQLite may have left beside it.
    public static func remove(_ path: String) {
        for end in ["", "-journal", "-wal"] { _ = (path + end).withPath { unlink($0) } }
    }

    /// True if closing neither moves the log into the database file nor deletes it.
    public var keepsLogWhenClosed = false {
        didSet { _ = ns_sqlite3_db_config(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keepsLogWhenClosed ? 1 : 0) }
    }

    /// Allows statements to change the schema table directly: for a file made to read the tables of another.
    public func allowSchemaWrites() { _ = ns_sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 0) }

    /// Sets the milliseconds to wait while another process uses the database.
    public func setBusyTimeout(milliseconds: Int32) { sqlite3_busy_timeout(handle, milliseconds) }

    /// Runs statements without results.
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

    /// Returns a cached statement, reset and with `values` bound. Finish or reset it before the same text is requested again.
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

    /// Does the same as `cached` for a composed text; the last dozen are kept. A text that SQLite refuses throws `SQLITE_TOOBIG`, which is
    /// no sign of damage.
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

    /// Returns the first column of the first row as an integer; nil without a row, or for NULL.
    public func integer(_ sql: String) throws(SQLiteError) -> Int64? {
        let statement = try prepare(sql)
        return try statement.step() && !statement.isNull(0) ? statement.integer(0) : nil
    }

    /// Runs `body` as a transaction, or as a part of the present one.
    @inline(never)
    public func transaction(_ body: () throws(SQLiteError) -> Void) throws(SQLiteError) {
        if isInTransaction { return try body() }
        try execute("BEGIN IMMEDIATE")
        do throws(SQLiteError) {
            try body()
            try execute("COMMIT")
        } catch {
            // SQLite rolls back by itself after some errors (full disk, I/O).
            if isInTransaction { try? execute("ROLLBACK") }
            throw error
        }
    }

    public var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// The number of rows that the last INSERT, UPDATE or DELETE changed.
    public var changes: Int { Int(sqlite3_changes(handle)) }

    /// The number of rows changed since the connection was opened.
    public var totalChanges: Int { Int(sqlite3_total_changes(handle)) }

    public var lastInsertedRowID: Int64 { sqlite3_last_insert_rowid(handle) }

    /// Releases unused pages and statements.
    public func releaseMemory() {
        // Each statement takes some kilobytes; compiling it again takes a tenth of a millisecond.
        cache.removeAll()
        composed.removeAll()
        sqlite3_db_release_memory(handle)
    }

    /// Stops SQLite's own checkpoints, which run within a commit that should be quick, and starts counting `logFrames`.
    public func takeOverCheckpoints() {
        // This hook replaces the one that checkpoints.
        sqlite3_wal_hook(
            handle,
            { log, _, _, frames in
                guard let log = log?.assumingMemoryBound(to: Log.self) else { return SQLITE_OK }
                log.pointee.frames = Int(frames)
                log.pointee.commits &+= 1
                return SQLITE_OK
            }, log)
    }

    /// The pages in the write-ahead log at the last commit, 0 before the first and after `copyLog`.
    public var logFrames: Int { log.pointee.frames }

    /// The commits to the log since `takeOverCheckpoints`; only compare it for equality.
    public var commits: Int { log.pointee.commits }

    /// Writes the whole write-ahead log into the database file. It waits for the disk if `synchronous` requires it. The next commit begins
    /// the log anew.
    ///
    /// Returns false if a part could not be written; throws `SQLITE_LOCKED` while a statement has not been read to its end.
    public func copyLog() throws(SQLiteError) -> Bool {
        var frames: Int32 = 0
        var copied: Int32 = 0
        let code = sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_RESTART, &frames, &copied)
        if code != SQLITE_OK { throw SQLiteError(handle, code: code) }
        if frames != copied { return false }
        log.pointee.frames = 0
        return true
    }

    /// Replaces the contents by those of another database.
    public func copy(from source: Database) throws(SQLiteError) {
        guard let backup = sqlite3_backup_init(handle, "main", source.handle, "main") else {
            throw SQLiteError(handle, code: sqlite3_errcode(handle))
        }
        _ = sqlite3_backup_step(backup, -1)
        let code = sqlite3_backup_finish(backup)
        if code != SQLITE_OK { throw SQLiteError(handle, code: code) }
    }
}
