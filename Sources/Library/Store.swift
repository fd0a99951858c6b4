// SPDX-License-Identifier: Apache-2.0
import CPosix
import Posix
import SQLite

/// The database, and the handling of failed reads and writes.
final class Store {
    private(set) var database: Database
    /// `FOLDER/nightstand.db`, or nil if the library lives in memory only.
    private(set) var path: String?
    private(set) var log: DurableLog?
    /// True once items may have been lost or changed their ids: scan again.
    var needsScan = false
    /// Writes the values in memory again. Called after another database has replaced this one.
    var didReplace: () -> Void = {}

    let warn: (String) -> Void
    private let isInMemoryOnPurpose: Bool
    /// The journal of unwritten commits; nil for nowhere.
    private let journal: String?
    /// The reason of the last write's failure; nil after a success.
    private var writeFailure: String?
    private var failureWasSaidAt: MonotonicTime?
    /// The interval between two reports of one trouble: a full disk takes one row and refuses the next.
    private static let reminderMilliseconds = 600_000
    private var hasBeenReplaced = false
    /// True if another process has the database.
    let isUsedElsewhere: Bool
    /// True once nothing can be read or written any more.
    private var isClosed = false
    private enum BatchState { case none, open, failed }
    /// The state of a batch. An error ends its transaction: later writes of the batch would stand alone, so they are refused.
    private var batchState = BatchState.none
    /// The number of aborted transactions: their writes have to be repeated.
    private(set) var rollbacks = 0

    init(_ opening: Opening, journal: String?, isInMemoryOnPurpose: Bool, warn: @escaping (String) -> Void) {
        self.journal = journal
        database = opening.database
        path = opening.path
        log = opening.log
        isUsedElsewhere = opening.isUsedElsewhere
        self.isInMemoryOnPurpose = isInMemoryOnPurpose
        self.warn = warn
    }

    /// Checkpoints the log and closes the database; waits for the disk. Afterwards the store is empty, and keeps nothing.
    func close() {
        if isClosed { return }
        isClosed = true
        log?.end()
        log = nil
        // Releases the old database, which closes it.
        database = Opening.nothing()
        path = nil
    }

    // MARK: Trouble

    /// True if the disk cannot be used: the memory lasts until the power goes.
    var isForNowOnly: Bool { path == nil && !isInMemoryOnPurpose }

    var trouble: String? {
        if isForNowOnly {
            return "the state's disk cannot be used, positions and favourites are kept until the power goes off only"
        }
        return (writeFailure ?? log?.failure).map { "cannot be saved: " + $0 }
    }

    private func say(_ reason: String) {
        let now = MonotonicTime.now
        if let said = failureWasSaidAt, now.milliseconds(since: said) < Store.reminderMilliseconds { return }
        failureWasSaidAt = now
        warn("cannot save what the speaker remembers, playing on without: " + reason)
    }

    // MARK: Log

    /// Takes in the result of a log's job. Returns the reason of the disk's refusal.
    func finish(_ job: LogJob) -> String? {
        let wasWell = writeFailure == nil && log?.failure == nil
        if job.loss != nil && path != nil {
            replaceLost(job)
            return nil
        }
        let wasHeld = log?.isHeld ?? false
        var isDone = false
        attempt(isWrite: false) { (_) throws(SQLiteError) in
            try log?.finish(job)
            isDone = true
        }
        // The writes meanwhile are lost.
        if wasHeld && !isDone { rollbacks += 1 }
        if let failure = job.failure, wasWell, writeFailure == nil { say(failure) }
        return job.failure
    }

    // MARK: Reading and writing

    /// Runs `body`, which reads. Returns `fallback` if the database fails.
    func read<Result>(
        else fallback: @autoclosure () -> Result, _ body: (Database) throws(SQLiteError) -> Result
    ) -> Result {
        var result: Result?
        attempt(isWrite: false) { (database) throws(SQLiteError) in result = try body(database) }
        return result ?? fallback()
    }

    /// Runs `body`, which writes. Returns `fallback` if the database fails.
    @discardableResult
    func write<Result>(
        else fallback: @autoclosure () -> Result, _ body: (Database) throws(SQLiteError) -> Result
    ) -> Result {
        var result: Result?
        attempt(isWrite: true) { (database) throws(SQLiteError) in
            if let log, log.isFull, !database.isInTransaction { throw Store.logIsFull }
            result = try body(database)
        }
        return result ?? fallback()
    }

    private static let logIsFull = SQLiteError(full: "the disk does not keep up with what is written")

    /// Makes all writes of `body` one transaction: all or nothing, and quicker for many writes.
    func batch(_ body: () -> Void) {
        let isOuter =
            !database.isInTransaction
            && write(else: false) { (database) throws(SQLiteError) in
                try database.execute("BEGIN IMMEDIATE")
                return true
            }
        if isOuter { batchState = .open }
        body()
        guard isOuter else { return }
        batchState = .none
        guard database.isInTransaction else {
            // An error inside has ended the transaction, with the writes before it.
            rollbacks += 1
            return
        }
        attempt(isWrite: true) { (database) throws(SQLiteError) in
            do throws(SQLiteError) { try database.execute("COMMIT") } catch {
                if database.isInTransaction { try? database.execute("ROLLBACK") }
                rollbacks += 1
                throw error
            }
        }
    }

    /// Runs `body`. Replaces a damaged database and runs `body` again; reports any other failure once.
    ///
    /// Not inlined and not generic: one copy of it instead of one for each use.
    @inline(never)
    private func attempt(isWrite: Bool, _ body: (Database) throws(SQLiteError) -> Void) {
        if isClosed || isWrite && batchState == .failed { return }
        do throws(SQLiteError) {
            try body(database)
            // Inside a transaction nothing has been written yet.
            if isWrite && !database.isInTransaction { writeFailure = nil }
        } catch {
            var error = error
            if database.isInTransaction {
                // A batch is all or nothing; SQLite rolls back by itself after most errors, but not all.
                try? database.execute("ROLLBACK")
                rollbacks += 1
            }
            if error.kind == .damaged, let path {
                replaceDamaged(path, error.message)
                do throws(SQLiteError) { return try body(database) } catch let again { error = again }
            }
            if batchState == .open && !database.isInTransaction { batchState = .failed }
            if writeFailure == nil && log?.failure == nil { say(error.message) }
            writeFailure = error.message
        }
    }

    // MARK: Another database

    /// Replaces a damaged database file by a new one, once in a run. The second time the card is to blame, and the library moves into
    /// memory.
    private func replaceDamaged(_ path: String, _ reason: String) {
        letGo()
        take(
            hasBeenReplaced
                ? Opening.asideIntoMemory(path, "it was damaged again: " + reason, warn)
                : Opening.aside(path, journal, reason, warn))
        hasBeenReplaced = true
    }

    /// Replaces the file, since another program removed or emptied it.
    private func replaceLost(_ job: LogJob) {
        guard let path else { return }
        if job.loss == .emptied { return replaceDamaged(path, "it was emptied while in use") }
        log?.end()
        let known = Opening.copied(database)
        letGo()
        let opening = known.flatMap { Opening.again(path, journal, from: $0) }
        warn(
            opening == nil
                ? "\(path) was removed while in use and cannot be made again; positions and favourites are kept until the power goes off only"
                : "\(path) was removed while in use; it was written again")
        take(opening ?? known.map { Opening(database: $0, path: nil, log: nil) } ?? Opening.inMemory())
    }

    /// Closes the database as it is: the log goes aside with its file, and a file of the same name stays untouched.
    private func letGo() {
        log?.abandon()
        log = nil
        database.keepsLogWhenClosed = true
        database = Opening.nothing()
    }

    /// Replaces this database by another file. The log must be empty.
    /// - Returns: the reason of a failure, which changes nothing.
    func replace(with restored: String) -> String? {
        guard let path, let log, log.isSynced, database.logFrames == 0 else { return "the library is being written" }
        log.end()
        self.log = nil
        // Closing removes the empty log: the new file must never find it.
        database = Opening.nothing()
        if Files.exists(path + "-wal") { _ = (path + "-wal").withPath { unlink($0) } }
        var failure: String?
        let old = Opening.replacedName(path)
        do throws(PosixError) {
            _ = old.withPath { unlink($0) }
            try Files.link(path, to: old)
            KeptSchema.forget(path)
            try Files.rename(restored, to: path)
        } catch { failure = error.message }
        // A file that does not open must not replace one that did.
        if failure == nil, let refusal = Opening.refusal(path) {
            failure = refusal
            try? Files.rename(old, to: path)
        }
        _ = old.withPath { unlink($0) }
        KeptSchema.forget(path)
        let opening = Opening.open(folder: path.pathFolder, journal: journal, warn: warn)
        database = opening.database
        self.path = opening.path
        self.log = opening.log
        rollbacks += 1
        return failure
    }

    private func take(_ opening: Opening) {
        database = opening.database
        path = opening.path
        log = opening.log
        needsScan = true
        didReplace()
    }
}
