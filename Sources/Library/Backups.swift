// SPDX-License-Identifier: Apache-2.0
import Posix
import SQLite

/// Backups: copying the whole library, and restoring a copy. Control thread, except `checkBackup`.
extension Library {
    /// An unfinished copy of a library that is in use.
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

    /// Starts to copy the library into a file, which must not exist. Returns nil if that fails.
    public func copy(to path: String) -> Copy? {
        do throws(SQLiteError) { return try Copy(self, path: path) } catch { return nil }
    }

    /// Checks a whole file before a restore, and renews one of an earlier version. The check may change the file. Waits for the disk: call
    /// it on a worker, or in a process of its own.
    /// - Returns: the reason against its use; nil if the file is usable and on the disk.
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

    /// Returns a table or column that the database lacks; nil if it has all.
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

    /// The limit of a backup's size: a library of a hundred thousand hours.
    public static let mostBackupBytes: Int64 = 4 << 30

    /// SQLITE_NOTADB.
    private static var notADatabase: Int32 { 26 }
    private static var corrupt: Int32 { 11 }
    private static var damaged: String { "it is damaged, or not all of it is there; try an older backup" }

    /// True if nothing is under way that a change of databases would break, and the disk has all of this one.
    public var canTakeUp: Bool {
        guard let log else { return false }
        return log.isSynced && database.logFrames == 0 && !database.isInTransaction
    }

    /// Replaces the database by another file in one step. If the power fails, one of the two is there and whole. All ids change, so the
    /// caller has to read the restored values again.
    /// - Parameter restored: in the same folder; checked.
    /// - Returns: the reason of a failure, which changes nothing; nil for success.
    public func takeUp(_ restored: String) -> String? {
        if let failure = store.replace(with: restored) { return failure }
        let state = store.read(else: nil) { (database) throws(SQLiteError) in try SpeakerRow.read(database) }
        restoredState = state
        memory.begin(saved: state)
        itemsDidChange()
        // The backup may be of another speaker, which is still in use.
        renumberDevice()
        beginHousehold()
        return nil
    }
}
