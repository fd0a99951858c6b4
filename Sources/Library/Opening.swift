// SPDX-License-Identifier: Apache-2.0
import CPosix
import Posix
import SQLite

/// Opens a working database on any kind of disk.
struct Opening {
    var database: Database
    /// The path; nil for a database in memory.
    var path: String?
    var log: DurableLog?
    /// True if another process has the file.
    var isUsedElsewhere = false

    /// The reason why a file cannot be used, and the remedy.
    private struct Failure: Error {
        enum Remedy { case renew, setAside, copyInMemory, inMemory, usedElsewhere }
        var remedy: Remedy
        var message: String

        init(_ remedy: Remedy, _ message: String) {
            self.remedy = remedy
            self.message = message
        }

        init(_ error: SQLiteError) {
            switch error.kind {
            case .damaged: self.init(.setAside, error.message)
            // A sector that cannot be read stays so: the file's name is needed for a new one.
            case .disk where error.isUnreadable: self.init(.setAside, error.message)
            case .inUse: self.init(.usedElsewhere, "another process is using it")
            case .disk, .other: self.init(.copyInMemory, error.message)
            }
        }
    }

    /// - Parameter journal: a file in a folder in memory that outlives the process; nil for none.
    static func open(folder: String, journal: String?, warn: (String) -> Void) -> Opening {
        let path = folder + "/nightstand.db"
        do throws(PosixError) { try Files.createFolder(folder) } catch {
            warn(inMemoryWarning(path, error.message))
            return inMemory()
        }
        finishRescue(path)
        finishReplacing(path)
        // An upload that the end of the speaker broke off.
        _ = (path + Opening.restoredSuffix).withPath { unlink($0) }
        do throws(Failure) { return try openFile(path, journal) } catch {
            switch error.remedy {
            case .setAside, .renew: return aside(path, journal, error.message, warn)
            case .copyInMemory:
                warn(inMemoryWarning(path, error.message))
                return copyInMemory(path) ?? inMemory()
            case .inMemory, .usedElsewhere:
                warn(inMemoryWarning(path, error.message))
                var opening = inMemory()
                opening.isUsedElsewhere = error.remedy == .usedElsewhere
                return opening
            }
        }
    }

    /// Returns an empty database in memory.
    static func inMemory() -> Opening {
        let database = nothing()
        // Without file or disk, only a lack of memory can fail here, and that ends the process anyway.
        do throws(SQLiteError) {
            try Schema.make(database)
            return Opening(database: database, path: nil, log: nil)
        } catch { fatalError("no memory for the library") }
    }

    /// Returns the substitute for a closed database: without tables, which take long to make.
    static func nothing() -> Database {
        do throws(SQLiteError) {
            let database = try Database(path: ":memory:")
            try database.execute("PRAGMA page_size=1024;PRAGMA temp_store=MEMORY")
            return database
        } catch { fatalError("no memory for the library") }
    }

    /// Sets an unusable database aside, and replaces it by a new one with its readable rows; if that fails, by one in memory. The old one
    /// must have been closed. One warning.
    ///
    /// The new one is made beside the old one, and takes its place in one step once all of it is on the disk. After an interruption at any
    /// moment, the next start has all, or begins again.
    static func aside(
        _ path: String, _ journal: String?, _ reason: String, _ warn: (String) -> Void
    ) -> Opening {
        do throws(Failure) {
            try rescue(path)
            let old = nameForDamaged(path)
            try swap(path, keepingAs: old)
            let opening = try openFile(path, journal)
            warn("cannot use \(path): \(reason); it was set aside as \(old) and a new one begun")
            return opening
        } catch {
            let whole = reason + "; a new one: " + error.message
            if error.remedy == .copyInMemory, let opening = copyInMemory(path) {
                warn(inMemoryWarning(path, whole))
                return opening
            }
            return asideIntoMemory(path, whole, warn)
        }
    }

    private static func rescueName(_ path: String) -> String { path + ".rescued" }

    /// The mark of a rescued file that is whole on the disk ("Nigh").
    private static let wholeMark: Int64 = 0x4E69_6768

    /// Makes a new file with the readable rows of the old one.
    private static func rescue(_ path: String) throws(Failure) {
        let side = rescueName(path)
        Database.remove(side)
        do throws(SQLiteError) {
            let database = try Database(path: side)
            // No reader opens it before it is whole.
            try database.execute(
                """
                PRAGMA page_size=1024;PRAGMA journal_mode=MEMORY;PRAGMA synchronous=OFF;PRAGMA temp_store=MEMORY;
                PRAGMA locking_mode=EXCLUSIVE;PRAGMA cache_size=-2048
                """)
            try Schema.make(database)
            Rescue(database).salvage(path, kept: KeptSchema.name(path))
            try check(database)
        } catch { throw Failure(error) }
        do throws(PosixError) { try Files.sync(side) } catch { throw Failure(.copyInMemory, error.message) }
        do throws(SQLiteError) { try Database(path: side).execute("PRAGMA application_id=\(wholeMark)") } catch {
            throw Failure(error)
        }
        do throws(PosixError) { try Files.sync(side) } catch { throw Failure(.copyInMemory, error.message) }
    }

    /// Puts the rescued file in the place of the old one.
    /// - Parameter name: the new name of the old one; nil to delete it.
    private static func swap(_ path: String, keepingAs name: String?) throws(Failure) {
        do throws(PosixError) {
            if let name, Files.exists(path) { try rename(path, to: name) }
            KeptSchema.forget(path)
            try Files.rename(rescueName(path), to: path)
        } catch { throw Failure(.copyInMemory, error.message) }
    }

    /// Replaces a closed database of an earlier version by one with the present tables.
    /// - Parameter name: the new name of the old one, for a way back; nil to delete it.
    private static func renew(_ path: String, keepingAs name: String?) throws(Failure) {
        try rescue(path)
        if let name { Database.remove(name) }
        try swap(path, keepingAs: name)
    }

    /// Renews a copy for a restore. It has no log.
    /// - Returns: the reason of a failure; nil if it has the present tables.
    static func renew(_ path: String) -> String? {
        do throws(Failure) { try renew(path, keepingAs: nil) } catch { return error.message }
        return nil
    }

    /// Completes an interrupted start: a whole rescue takes its place, all else begins again.
    private static func finishRescue(_ path: String) {
        let side = rescueName(path)
        if !Files.exists(side) { return }
        let isWhole = (try? Database(path: side).integer("PRAGMA application_id")) == wholeMark
        if isWhole, (try? swap(path, keepingAs: nameForDamaged(path))) != nil { return }
        Database.remove(side)
    }

    // MARK: Copies that are kept

    /// The suffix of an uploaded copy for a restore, beside the database.
    static let restoredSuffix = ".restored"

    /// Returns the name of a library that a restore replaces.
    static func replacedName(_ path: String) -> String { path + ".replaced" }

    /// Completes an interrupted restore: whichever of the two libraries is there is whole.
    private static func finishReplacing(_ path: String) {
        let old = replacedName(path)
        if !Files.exists(old) { return }
        if !Files.exists(path) { try? Files.rename(old, to: path) }
        _ = old.withPath { unlink($0) }
    }

    /// Renames an unusable database, and continues in memory with its readable rows. One warning.
    static func asideIntoMemory(_ path: String, _ reason: String, _ warn: (String) -> Void) -> Opening {
        warn(inMemoryWarning(path, reason))
        let opening = inMemory()
        let old = nameForDamaged(path)
        if (try? rename(path, to: old)) != nil {
            _ = path.withPath { unlink($0) }
            Rescue(opening.database).salvage(old, kept: KeptSchema.name(path))
        }
        return opening
    }

    private static func inMemoryWarning(_ path: String, _ reason: String) -> String {
        "cannot use \(path): \(reason); positions and favourites are kept until the power goes off only"
    }

    // MARK: Files

    /// Returns the reason why a file cannot be opened; nil if it can.
    static func refusal(_ path: String) -> String? {
        do throws(Failure) {
            try openFile(path).log?.end()
            return nil
        } catch { return error.message }
    }

    /// Opens a file, and renews one that an earlier version made.
    private static func openFile(_ path: String, _ journal: String? = nil) throws(Failure) -> Opening {
        do throws(Failure) { return try openNewest(path, journal) } catch {
            guard error.remedy == .renew else { throw error }
            try renew(path, keepingAs: path + ".before-\(Schema.version)")
            return try openNewest(path, journal)
        }
    }

    /// Opens a file of the present version. Throws `.renew` for a whole database of an earlier version, closed and without a log.
    private static func openNewest(_ path: String, _ journal: String?) throws(Failure) -> Opening {
        let database: Database
        let version: Int64
        if let journal { LogJournal.replay(journal, into: path + "-wal") }
        do throws(SQLiteError) {
            database = try Database(path: path)
            // Until all is well: a file that is to be set aside keeps its log.
            database.keepsLogWhenClosed = true
            // Long enough for another process that only looks something up.
            database.setBusyTimeout(milliseconds: 500)
            // Exclusive: the index of the log is then in this process' memory, and no third file is mapped and locked.
            try database.execute("PRAGMA locking_mode=EXCLUSIVE;PRAGMA temp_store=MEMORY;PRAGMA cache_size=-64")
            version = try database.integer("PRAGMA user_version") ?? 0
        } catch { throw Failure(error) }
        if version > Schema.version {
            throw Failure(
                .inMemory,
                "a newer Nightstand wrote it (version \(version), expected at most \(Schema.version)); it is left as it is: install that version again"
            )
        }
        if version < 0 { throw Failure(.setAside, "it has version \(version)") }
        if version > 0 && version < Schema.version {
            do throws(SQLiteError) { try checkEarlier(database) } catch { throw Failure(error) }
            database.keepsLogWhenClosed = false
            throw Failure(.renew, "version \(version) of Nightstand wrote it")
        }
        do throws(SQLiteError) {
            // A position save is one page in the log: small pages write less. Only a new file takes it.
            if version == 0 { try database.execute("PRAGMA page_size=1024") }
            let mode = try database.prepare("PRAGMA journal_mode=WAL")
            guard try mode.step(), mode.text(0) == "wal" else {
                throw SQLiteError(extendedCode: 0, message: "it takes no write-ahead log")
            }
            mode.reset()
            if version == 0 {
                KeptSchema.forget(path)
                try Schema.make(database)
            }
            try check(database)
            if !Files.exists(KeptSchema.name(path)) { KeptSchema.keep(database, path: path) }
            // The log may be long, and the disk may lack it; waiting is allowed here. The next commit restarts the log without waiting. If
            // the power went in the middle of that, the rest of the old log must be void: its beginning alone would turn database pages
            // back.
            let isCopied = try database.copyLog()
            guard let disk = LogFiles(path: path) else {
                throw SQLiteError(extendedCode: 0, message: "it cannot be opened twice")
            }
            if isCopied, let refusal = disk.endLog() { throw SQLiteError(disk: refusal) }
            let log = try DurableLog(
                database, disk: disk, journal: journal.flatMap { LogJournal(path: $0, log: path + "-wal") })
            database.keepsLogWhenClosed = false
            return Opening(database: database, path: path, log: log)
        } catch { throw Failure(error) }
    }

    /// Reads the parts that the start reads nowhere else, so that damage shows now and not in the night. (The start reads state, queue,
    /// ordered items and the current item right after.)
    private static func check(_ database: Database) throws(SQLiteError) {
        // One statement of plain queries: compiling it costs more than running it.
        _ = try database.integer(
            """
            SELECT 1 FROM item WHERE content < 0 UNION ALL SELECT 1 FROM item WHERE path < ''
            UNION ALL SELECT 1 FROM content WHERE hash = 0 UNION ALL SELECT 1 FROM plays WHERE content < 0 UNION ALL SELECT 1 FROM workPlace WHERE file < 0
            UNION ALL SELECT 1 FROM fact WHERE content < 0 UNION ALL SELECT 1 FROM seekTable WHERE content < 0
            UNION ALL SELECT 1 FROM queueEntry WHERE song < 0 UNION ALL SELECT 1 FROM folder WHERE parent < 0
            """)
    }

    /// Checks a database of an earlier version, page by page. If it is damaged, its rows are taken over with a warning.
    private static func checkEarlier(_ database: Database) throws(SQLiteError) {
        _ = try database.integer("SELECT id FROM item WHERE path < ''")
        let check = try database.prepare("PRAGMA quick_check(1)")
        guard try check.step(), check.text(0) == "ok" else {
            throw SQLiteError(damage: "its pages do not fit each other")
        }
    }

    // MARK: Copies

    /// Returns a copy in memory of an open database.
    static func copied(_ database: Database) -> Database? {
        let memory = nothing()
        return (try? memory.copy(from: database)) == nil ? nil : memory
    }

    /// Makes a lost file and its folder again from a copy.
    static func again(_ path: String, _ journal: String?, from copy: Database) -> Opening? {
        try? Files.createFolder(path.pathFolder)
        guard let opening = try? openFile(path, journal), (try? opening.database.copy(from: copy)) != nil else {
            return nil
        }
        KeptSchema.keep(opening.database, path: path)
        return opening
    }

    /// Returns a free name for a database that is set aside, with the present time.
    private static func nameForDamaged(_ path: String) -> String {
        var seconds = time(nil)
        var date = tm()
        localtime_r(&seconds, &date)
        func padded(_ number: Int32, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
        }
        let day = padded(date.tm_year + 1900, 4) + padded(date.tm_mon + 1, 2) + padded(date.tm_mday, 2)
        let name =
            path + ".damaged-" + day + "-" + padded(date.tm_hour, 2) + padded(date.tm_min, 2) + padded(date.tm_sec, 2)
        var free = name
        var count = 1
        while Files.exists(free) {
            count += 1
            free = name + "-" + String(count)
        }
        return free
    }

    /// Renames the database and its log. Its own name stays until a new file takes it.
    private static func rename(_ path: String, to name: String) throws(PosixError) {
        // The log first, in case the power fails between the two: a log alone does no harm, but the new database must never find the old
        // one's log.
        for suffix in ["-wal", "-shm", "-journal"] where Files.exists(path + suffix) {
            try Files.rename(path + suffix, to: name + suffix)
        }
        try Files.link(path, to: name)
    }

    /// Reads from a read-only or failing disk into memory: copies the files if they can be opened, and reads them there.
    private static func copyInMemory(_ path: String) -> Opening? {
        let limit = 64 << 20
        guard let file = try? Files.read(path, limit: limit) else { return nil }
        let log = (try? Files.read(path + "-wal", limit: limit)) ?? []
        var template = [UInt8]("/dev/shm/nightstand-XXXXXX".utf8) + [0]
        let isMade = template.withUnsafeMutableBytes {
            mkdtemp($0.baseAddress!.assumingMemoryBound(to: CChar.self)) != nil
        }
        guard isMade else { return nil }
        let folder = String(decoding: template.dropLast(), as: UTF8.self)
        let copy = folder + "/nightstand.db"
        defer {
            for suffix in ["", "-wal", "-shm"] { unlink(copy + suffix) }
            rmdir(folder)
        }
        do throws(PosixError) {
            try Files.write(file, to: copy)
            if !log.isEmpty { try Files.write(log, to: copy + "-wal") }
        } catch { return nil }
        guard let opening = try? openFile(copy) else { return nil }
        return copied(opening.database).map { Opening(database: $0, path: nil, log: nil) }
    }
}

extension Files {
    /// Makes or replaces a file with these bytes.
    fileprivate static func write(_ bytes: [UInt8], to path: String) throws(PosixError) {
        let file = try FileDescriptor.open(path, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o600)
        try file.writeAll(bytes)
    }
}
