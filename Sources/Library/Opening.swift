import CPosix
import Posix
import SQLite

/// A database to work with, whatever the disk is like.
struct Opening {
    var database: Database
    /// nil for a database in memory.
    var path: String?
    var state: SpeakerState?

    /// Why a file cannot be used, and what to do then.
    private struct Failure: Error {
        enum Remedy { case setAside, copyInMemory, inMemory }
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
            case .inUse: self.init(.inMemory, "another process is using it")
            case .disk, .other: self.init(.copyInMemory, error.message)
            }
        }
    }

    static func open(folder: String, warn: (String) -> Void) -> Opening {
        let path = folder + "/nightstand.db"
        do throws(PosixError) { try Files.createFolder(folder) } catch {
            warn(inMemoryWarning(path, error.message))
            return inMemory()
        }
        do throws(Failure) { return try openFile(path) } catch {
            if error.remedy == .setAside { return aside(path, error.message, warn) }
            warn(inMemoryWarning(path, error.message))
            return error.remedy == .copyInMemory ? copyInMemory(path) ?? inMemory() : inMemory()
        }
    }

    /// An empty database in memory.
    static func inMemory() -> Opening {
        // With neither file nor disk only a lack of memory can fail here, which ends the process anyway.
        do throws(SQLiteError) {
            let database = try Database(path: ":memory:")
            try database.execute("PRAGMA page_size=1024;PRAGMA temp_store=MEMORY")
            try Schema.migrate(database, from: 0)
            return Opening(database: database, path: nil, state: nil)
        } catch { fatalError("no memory for the library") }
    }

    /// Renames a database that cannot be used and begins a new one with what can be read of it; where that fails, in memory.
    /// The old one must have been closed. One warning.
    static func aside(_ path: String, _ reason: String, _ warn: (String) -> Void) -> Opening {
        do throws(PosixError) {
            let old = try rename(path)
            do throws(Failure) {
                var opening = try openFile(path)
                opening.salvage(old)
                warn("cannot use \(path): \(reason); it was set aside as \(old) and a new one begun")
                return opening
            } catch {
                warn(inMemoryWarning(path, "\(reason); it was set aside as \(old); a new one: \(error.message)"))
                var opening = inMemory()
                opening.salvage(old)
                return opening
            }
        } catch {
            warn(inMemoryWarning(path, reason + "; " + error.message))
            return copyInMemory(path) ?? inMemory()
        }
    }

    /// Renames a database that cannot be used, and goes on in memory with what can be read of it. One warning.
    static func asideIntoMemory(_ path: String, _ reason: String, _ warn: (String) -> Void) -> Opening {
        warn(inMemoryWarning(path, reason))
        var opening = inMemory()
        if let old = try? rename(path) { opening.salvage(old) }
        return opening
    }

    private static func inMemoryWarning(_ path: String, _ reason: String) -> String {
        "cannot use \(path): \(reason); positions and favourites are kept until the power goes off only"
    }

    // MARK: Files

    private static func openFile(_ path: String) throws(Failure) -> Opening {
        let database: Database
        let version: Int64
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
                .setAside, "a newer Nightstand wrote it (version \(version), expected at most \(Schema.version))")
        }
        if version < 0 { throw Failure(.setAside, "it has version \(version)") }
        do throws(SQLiteError) {
            // A position save is one page in the log: small pages write less. Only a new file takes it.
            if version == 0 { try database.execute("PRAGMA page_size=1024") }
            let mode = try database.prepare("PRAGMA journal_mode=WAL")
            guard try mode.step(), mode.text(0) == "wal" else {
                throw SQLiteError(extendedCode: 0, message: "it takes no write-ahead log")
            }
            mode.reset()
            if version < Schema.version { try Schema.migrate(database, from: version) }
            let state = try loadState(database)
            database.takeOverCheckpoints()
            // SQLite orders writes by waiting for the disk at two places only when a log is used: when it checkpoints, and when it
            // begins a log anew after that. Both are done by `Library.checkpoint` and `close`, which switch this on. (wal.c)
            try database.execute("PRAGMA synchronous=OFF")
            database.keepsLogWhenClosed = false
            return Opening(database: database, path: path, state: state)
        } catch { throw Failure(error) }
    }

    /// The state, and a look at each table: a file of which a part is missing shows it here and not in the night.
    private static func loadState(_ database: Database) throws(SQLiteError) -> SpeakerState? {
        let row = try database.prepare(
            """
            SELECT song, isPlaying, volume, nextSong, (SELECT entries FROM queue), queueIsLibrary,
              (SELECT id FROM item LIMIT 1), (SELECT 1 FROM item WHERE hash = 0), (SELECT 1 FROM item WHERE path = ''),
              (SELECT item FROM progress LIMIT 1), (SELECT item FROM favourite LIMIT 1),
              (SELECT item FROM frameIndex LIMIT 1)
            FROM (SELECT 1) LEFT JOIN speaker
            """)
        guard try row.step(), !row.isNull(1) else { return nil }
        // Song ids that count on from here without end, whatever a damaged page says.
        let mostSongID = 1 << 30
        let queue = SpeakerState.decode(row.bytes(4)).filter { $0.songID >= 0 && $0.songID < mostSongID }
        var nextSongID = Int(max(1, min(Int64(mostSongID), row.integer(3))))
        for entry in queue { nextSongID = max(nextSongID, entry.songID + 1) }
        return SpeakerState(
            queue: queue,
            currentSongID: row.optionalInteger(0).map { Int(clamping: $0) },
            isPlaying: row.integer(1) != 0,
            volumePercent: Int(max(0, min(100, row.integer(2)))),
            nextSongID: nextSongID,
            queueIsLibrary: row.integer(5) != 0)
    }

    /// Renames the database with its log. Returns the new name.
    private static func rename(_ path: String) throws(PosixError) -> String {
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
        // The log first: were the power cut between the two, a log alone does no harm, while the new database must never find
        // the old one's log.
        for suffix in ["-wal", "-shm", "-journal"] where Files.exists(path + suffix) {
            try Files.rename(path + suffix, to: free + suffix)
        }
        try Files.rename(path, to: free)
        return free
    }

    /// Copies the rows that can be read from a database set aside, one by one. What cannot be read is left out.
    private mutating func salvage(_ old: String) {
        guard let attach = try? database.prepare("ATTACH ? AS old", .text(old)), (try? attach.run()) != nil else {
            return
        }
        for table in Schema.tables {
            guard
                let copy = try? database.prepare(
                    "INSERT OR IGNORE INTO main.\(table) SELECT * FROM old.\(table) WHERE rowid = ?")
            else { continue }
            // From the front until something is broken, then from the back.
            for order in ["ASC", "DESC"] {
                do throws(SQLiteError) {
                    let rows = try database.prepare(
                        "SELECT rowid FROM old.\(table) NOT INDEXED ORDER BY rowid \(order)")
                    while try rows.step() {
                        try copy.bind([.integer(rows.integer(0))])
                        // A row that is broken itself: the next.
                        try? copy.run()
                    }
                    break
                } catch { continue }
            }
        }
        try? database.execute(
            "INSERT INTO main.itemText(rowid, title, artist, album, path) SELECT id, title, artist, album, path FROM main.item"
        )
        try? database.execute("DETACH old")
        state = (try? Opening.loadState(database)) ?? nil
    }

    /// What a read-only or failing disk still tells, in memory: the files are copied where they can be opened, and read there.
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
        let memory = inMemory().database
        guard (try? memory.copy(from: opening.database)) != nil else { return nil }
        return Opening(database: memory, path: nil, state: opening.state)
    }
}

extension Files {
    /// Makes or replaces a file with these bytes.
    fileprivate static func write(_ bytes: [UInt8], to path: String) throws(PosixError) {
        let file = try FileDescriptor.open(path, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o600)
        var failure: PosixError?
        bytes.withUnsafeBytes { buffer in
            do throws(PosixError) { try file.writeAll(buffer) } catch { failure = error }
        }
        if let failure { throw failure }
    }
}
