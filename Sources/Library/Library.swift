import Posix
import SQLite

/// What the speaker knows and never forgets: items, positions, favourites, play counts, the queue.
///
/// Belongs to the control thread, all of it. Nothing throws: what cannot be read comes back as nothing, what cannot be written
/// is one warning until a write has succeeded again, and playback goes on. No method waits for the disk to have written
/// (fsync), except `checkpoint`, the opening and the closing.
///
/// What a write leaves in the log is safe from `kill -9` at once, and from a power cut when somebody has called fdatasync(2) on
/// `logPath` (the feed thread does, after a position was saved). SQLite's locks are not on the log, so another descriptor of it
/// may be opened and closed at will; never open the database file itself a second time in this process.
public final class Library {
    /// `FOLDER/nightstand.db`, or nil where the library lives in memory only.
    public private(set) var path: String?
    /// The write-ahead log to call fdatasync(2) on; nil where the library lives in memory only. Open it anew each time: a
    /// damaged database may have been replaced.
    public var logPath: String? { path.map { $0 + "-wal" } }
    /// What the speaker was doing when it last ran; nil for a new library.
    public private(set) var restoredState: SpeakerState?
    /// True once items may have been lost or changed their ids because the database was damaged while in use: scan again.
    public var needsScan = false

    private(set) var database: Database
    private let warn: (String) -> Void
    private let isInMemoryOnPurpose: Bool
    /// Why the last write failed; nil once one has succeeded. Said when it first failed.
    private var writeFailure: String?
    /// Why the disk did not take the log; nil once it has.
    private var syncFailure: String?
    /// The disk may lack a part of the log, behind which it would not be read after a power cut.
    private var mayHaveGap = false
    private var hasBeenReplaced = false
    /// What stands in the tables, so that only what changed is written.
    var savedState: SpeakerState?
    /// What could not be written, and is with the next position that can.
    var unsavedState: SpeakerState?
    var unsavedPositions: [Item.ID: Int] = [:]
    /// Items come across in the scan that is under way.
    var seen: Set<Item.ID>?

    /// Opens `FOLDER/nightstand.db`, and makes folder and database where there are none. A damaged database is set aside
    /// (`nightstand.db.damaged-YYYYMMDD-HHMMSS`) and a new one begun with what can be read of it. Where the disk is read-only,
    /// full or gone the library lives in memory, with what the disk still tells. Each of these is one `warn`.
    /// - Parameter stateFolder: nil for a library in memory on purpose, without warning.
    public init(stateFolder: String?, warn: @escaping (String) -> Void) {
        self.warn = warn
        isInMemoryOnPurpose = stateFolder == nil
        let opening = stateFolder.map { Opening.open(folder: $0, warn: warn) } ?? Opening.inMemory()
        database = opening.database
        path = opening.path
        restoredState = opening.state
        savedState = opening.state
    }

    deinit { close() }

    /// Moves the log into the database file and lets go of both; waits for the disk. The library then is empty and in memory.
    /// A process that ends without it loses nothing.
    public func close() {
        if path != nil {
            // Closing checkpoints: that must be in order.
            try? database.execute("PRAGMA synchronous=NORMAL")
        }
        // Lets go of the old one, which closes it.
        database = Opening.inMemory().database
        path = nil
    }

    // MARK: Log

    /// The disk cannot be used: what is remembered goes when the power goes.
    public var isForNowOnly: Bool { path == nil && !isInMemoryOnPurpose }

    /// Why what happens now is not remembered over a power cut; nil while all is well.
    public var trouble: String? {
        if isForNowOnly {
            return "the state's disk cannot be used, positions and favourites are kept until the power goes off only"
        }
        return (writeFailure ?? syncFailure).map { "cannot be saved: " + $0 }
    }

    /// Call with how each fdatasync(2) of `logPath` went: nil, or why it failed.
    public func logWasSynced(_ failure: String?) {
        if let failure {
            if syncFailure == nil && writeFailure == nil { warn(Library.warning(failure)) }
            syncFailure = failure
            mayHaveGap = true
            return
        }
        syncFailure = nil
        // The kernel gives up pages that a disk has refused, but has them in memory still: they go to the disk another way.
        if mayHaveGap { checkpoint() }
    }

    /// True when the log has grown so long that opening it after a crash would take a while (about 1 M instructions): call
    /// `checkpoint` at the next quiet moment. With a position saved every 5 s this is every 21 minutes.
    public var wantsCheckpoint: Bool { path != nil && database.logFrames >= 256 }

    /// Moves the log into the database file, begins the log anew, gives memory back. Waits for the disk three times: for pause,
    /// stop, idle moments.
    public func checkpoint() {
        database.releaseMemory()
        // The frame that the log was begun with does not count.
        guard path != nil, database.logFrames > 1 else { return }
        write(else: ()) { (database) throws(SQLiteError) in
            try database.execute("PRAGMA synchronous=NORMAL")
            try database.checkpoint()
            // The first write after a checkpoint begins the log anew and has to wait until the disk has its new header: better
            // here than when a button is pressed. Writing the version that is already there is the shortest write.
            try database.execute("PRAGMA user_version=\(Schema.version)")
            // From here on nothing is left that has to reach the disk in order: commits only append to the log.
            try database.execute("PRAGMA synchronous=OFF")
            mayHaveGap = false
        }
    }

    /// Makes what `body` does with this library one transaction: all or nothing, and quicker for many writes.
    public func batch(_ body: () -> Void) {
        let isOuter =
            !database.isInTransaction
            && write(else: false) { (database) throws(SQLiteError) in
                try database.execute("BEGIN IMMEDIATE")
                return true
            }
        body()
        guard isOuter else { return }
        guard database.isInTransaction else {
            // An error inside has ended it, with what was saved before.
            savedState = nil
            return
        }
        write(else: ()) { (database) throws(SQLiteError) in
            do throws(SQLiteError) { try database.execute("COMMIT") } catch {
                if database.isInTransaction { try? database.execute("ROLLBACK") }
                savedState = nil
                throw error
            }
        }
    }

    // MARK: Errors

    /// Runs `body`, which reads; `fallback` where the database fails.
    func read<Result>(
        else fallback: @autoclosure () -> Result, _ body: (Database) throws(SQLiteError) -> Result
    ) -> Result {
        var result: Result?
        attempt(isWrite: false) { (database) throws(SQLiteError) in result = try body(database) }
        return result ?? fallback()
    }

    /// Runs `body`, which writes; `fallback` where the database fails.
    @discardableResult
    func write<Result>(
        else fallback: @autoclosure () -> Result, _ body: (Database) throws(SQLiteError) -> Result
    ) -> Result {
        var result: Result?
        attempt(isWrite: true) { (database) throws(SQLiteError) in result = try body(database) }
        return result ?? fallback()
    }

    /// Runs `body`. A damaged database is replaced and `body` tried again; any other failure is said once.
    ///
    /// Not inlined and not generic: one copy of it instead of one for each use.
    @inline(never)
    private func attempt(isWrite: Bool, _ body: (Database) throws(SQLiteError) -> Void) {
        do throws(SQLiteError) {
            try body(database)
            // Inside a transaction nothing has been written yet.
            if isWrite && !database.isInTransaction { writeFailure = nil }
        } catch {
            var error = error
            if database.isInTransaction {
                // A batch is all or nothing; SQLite sees to that by itself after most errors, but not all.
                try? database.execute("ROLLBACK")
                savedState = nil
            }
            if error.kind == .damaged, let path {
                replaceDamaged(path, error)
                do throws(SQLiteError) { return try body(database) } catch let again { error = again }
            }
            if writeFailure == nil && syncFailure == nil { warn(Library.warning(error.message)) }
            writeFailure = error.message
        }
    }

    private static func warning(_ reason: String) -> String {
        "cannot save what the speaker remembers, playing on without: " + reason
    }

    /// Once in a run a new database file is begun; a second time the card is to blame, and the library moves into memory.
    private func replaceDamaged(_ path: String, _ error: SQLiteError) {
        // The log goes aside with its database. Lets go of the old one, which closes it.
        database.keepsLogWhenClosed = true
        database = Opening.inMemory().database
        let opening =
            hasBeenReplaced
            ? Opening.asideIntoMemory(path, "it was damaged again: " + error.message, warn)
            : Opening.aside(path, error.message, warn)
        hasBeenReplaced = true
        database = opening.database
        self.path = opening.path
        needsScan = true
        // What was not found in the old file is written from what is known here.
        let known = savedState
        savedState = opening.state
        if let known { save(known) }
    }
}
