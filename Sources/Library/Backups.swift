// SPDX-License-Identifier: Apache-2.0
import Posix
import SQLite

/// Copies of the whole library, and taking one up. Control thread, but for `checkBackup`.
extension Library {
    /// A copy in the making, of a library in use.
    public final class Copy {
        private let target: Database
        private let copy: DatabaseCopy

        fileprivate init(_ library: Library, path: String) throws(SQLiteError) {
            target = try Database(path: path)
            try target.execute("PRAGMA journal_mode=OFF;PRAGMA synchronous=OFF;PRAGMA cache_size=-64")
            copy = try DatabaseCopy(of: library.database, over: target)
        }

        public enum Step {
            case again, done
            case failed(String)
        }

        /// Copies a portion: some hundred thousand instructions.
        public func step() -> Step {
            do throws(SQLiteError) {
                if try copy.step(pages: 100) { return .again }
                // A file that stands alone, without a log.
                try target.execute("PRAGMA journal_mode=DELETE")
                return .done
            } catch { return .failed(error.message) }
        }
    }

    /// Begins to copy the library into a file, which must not exist. Nil if that fails.
    public func copy(to path: String) -> Copy? {
        do throws(SQLiteError) { return try Copy(self, path: path) } catch { return nil }
    }

    /// Checks the whole of a file before a restore. Renews one of an earlier version. Waits for the disk: on a worker, or in a process of
    /// its own. The check may change the file.
    /// - Returns: the reason against its use; nil if it can, and is on the disk.
    public static func checkBackup(_ path: String) -> String? {
        var isEarlier = false
        do throws(SQLiteError) {
            let database = try Database(path: path)
            try database.execute("PRAGMA locking_mode=EXCLUSIVE;PRAGMA temp_store=MEMORY;PRAGMA cache_size=-512")
            let version = try database.integer("PRAGMA user_version") ?? 0
            isEarlier = version < Schema.version
            let tables = try database.integer(
                """
                SELECT count(*) FROM sqlite_schema WHERE type = 'table'
                  AND name IN ('item', 'content', 'speaker', 'queueEntry', 'sticker')
                """)
            let others = try database.integer("SELECT count(*) FROM sqlite_schema WHERE type IN ('trigger', 'view')")
            if version > Schema.version { return "a newer Nightstand wrote it" }
            if version < 1 { return "it is no backup of a speaker's library" }
            // Backups are as old as stickers.
            if tables != 5 || others != 0 {
                return "it is no backup of a speaker's library"
            }
            let check = try database.prepare("PRAGMA integrity_check(1)")
            guard try check.step(), check.text(0) == "ok" else { return damaged }
            check.reset()
            try database.execute("PRAGMA journal_mode=DELETE")
            if !isEarlier, let lack = try lack(of: database) {
                return "it is no backup of a speaker's library: it lacks " + lack
            }
        } catch {
            switch error.code {
            case notADatabase: return "it is no backup of a speaker's library"
            case corrupt: return damaged
            default: return error.message
            }
        }
        // An earlier one is renewed here, where it may take long.
        if isEarlier, let reason = Opening.renew(path) { return reason }
        do throws(PosixError) {
            try Files.sync(path)
            return nil
        } catch { return error.message }
    }

    /// A table or a column that a library has and this one has not.
    private static func lack(of database: Database) throws(SQLiteError) -> String? {
        let whole = Opening.inMemory().database
        let tables = try whole.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
        while try tables.step() {
            let table = tables.text(0)
            let columns = try whole.prepare("SELECT name FROM pragma_table_info(?)", .text(table))
            while try columns.step() {
                let column = columns.text(0)
                let found = try database.prepare(
                    "SELECT 1 FROM pragma_table_info(?) WHERE name = ?", .text(table), .text(column))
                if try !found.step() { return table + "." + column }
            }
        }
        return nil
    }

    /// A library of a hundred thousand hours.
    public static let mostBackupBytes: Int64 = 4 << 30

    /// SQLITE_NOTADB.
    private static var notADatabase: Int32 { 26 }
    private static var corrupt: Int32 { 11 }
    private static var damaged: String { "it is damaged, or not all of it is there; try an older backup" }

    /// Nothing is under way that a change of databases would break, and the disk has all of this one.
    public var canTakeUp: Bool {
        guard let log else { return false }
        return log.isSynced && database.logFrames == 0 && !database.isInTransaction
    }

    /// Goes on with another database file, which takes the place of this one in one stroke: whenever the power goes, one of the two is
    /// there and whole. All ids change, and the caller has to read the restored values again.
    /// - Parameter restored: in the same folder; checked.
    /// - Returns: the reason of a failure; then all is as before.
    public func takeUp(_ restored: String) -> String? {
        if let failure = store.replace(with: restored) { return failure }
        let state = store.read(else: nil) { (database) throws(SQLiteError) in try SpeakerRow.read(database) }
        restoredState = state
        memory.begin(saved: state)
        itemsDidChange()
        // It may be of another speaker, which is still in use.
        renumberDevice()
        beginHousehold()
        return nil
    }
}
