// SPDX-License-Identifier: Apache-2.0
import CSQLite

/// A copy of a whole database over another, a portion of pages at a time, while the first is used. SQLite adds what the same connection
/// writes meanwhile. On the thread of both connections.
public final class DatabaseCopy {
    private let handle: OpaquePointer
    private let target: Database
    private var isFinished = false

    /// - Parameter target: the database to overwrite. No other connection may use it until the copy is complete.
    public init(of source: Database, over target: Database) throws(SQLiteError) {
        guard let handle = sqlite3_backup_init(target.handle, "main", source.handle, "main") else {
            throw SQLiteError(target.handle, code: sqlite3_errcode(target.handle))
        }
        self.handle = handle
        self.target = target
    }

    deinit { if !isFinished { sqlite3_backup_finish(handle) } }

    /// Copies so many pages. Returns false once all are copied.
    public func step(pages: Int) throws(SQLiteError) -> Bool {
        if isFinished { return false }
        let code = sqlite3_backup_step(handle, Int32(clamping: pages))
        // The copy waits while the database is locked.
        if code == SQLITE_OK || code == SQLITE_BUSY || code == SQLITE_LOCKED { return true }
        isFinished = true
        let ended = sqlite3_backup_finish(handle)
        if code != SQLITE_DONE { throw SQLiteError(target.handle, code: ended == SQLITE_OK ? code : ended) }
        return false
    }
}
