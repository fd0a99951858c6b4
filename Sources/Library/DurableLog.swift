// SPDX-License-Identifier: Apache-2.0
import Posix
import SQLite

/// Brings saved rows to the disk, without the control thread ever waiting for it.
///
/// SQLite runs with `synchronous=OFF`: it asks the disk for nothing. Nor does it write: a write into the kernel's memory waits as well
/// while the file system waits for a card that tidies up. Its writes stay in this process' memory (`DeferredFile`). A worker does all
/// writing and waiting (fdatasync), in jobs that this type hands out, a file's writes in one piece. Three things have to be in order for a
/// power cut to harm nothing, and they are:
///
/// 1. **Saving.** A commit appends pages to the log, each with a checksum over all before it. Torn or lost, it ends the log there; the part
///    before it counts. After the worker has written and synced the log, all that was committed when the job was made is safe.
/// 2. **Folding in.** Pages may be written into the database file only when the log that has them is safe, since from then on the log mends
///    what a power cut tears. So the log's sync comes first; after further commits, once more. Then `copyLog` writes the pages, into memory
///    only.
/// 3. **Beginning the log anew.** The old log must count until the database file is safe; and from the first new page that overwrites
///    a part of it, it must not count at all, since its beginning alone would turn pages of the database back. SQLite begins the
///    log anew with the next commit. So that there is none, a transaction is opened and held, and what is written meanwhile stays in
///    it. The worker writes and syncs the database file, then overwrites the log's header with zeros and syncs that: now the old log is nothing
///    (SQLite itself never reads the header again while the database is open). Then the transaction is committed.
///
/// A process that is killed loses nothing that was committed, where there is a folder that is memory and outlives it (`LogJournal`), but what
/// was written while a transaction is held (3: as long as the disk takes for some hundred pages).
///
/// If the disk refuses the log, all of it is written once more with the next job. If it is so slow, or refuses for so long, that there is more
/// and more to write, `isFull` has further writes refused until it has caught up.
final class DurableLog {
    /// So many pages make opening after a crash take a while (about 1 M instructions). With a position saved every 5 s this is
    /// every 21 minutes.
    static let foldFrames = 256
    /// Callers that can wait do so until the log has been folded in: 4 MB.
    static let behindFrames = 4096
    /// The disk does not keep up: 32 MB.
    static let fullFrames = 32_768
    /// The limits of pending writes, for callers that can wait and for all.
    static let behindBytes = 1 << 20
    static let slowMilliseconds: Int64 = 200
    static let fullBytes = 32 << 20

    private let database: Database
    private let databaseFile: DeferredFile
    private let logFile: DeferredFile
    private let journal: LogJournal?
    var disk: any LogDisk
    private var job: LogJob?
    private var jobBegan = MonotonicTime.now
    /// Commits that the disk has.
    private var syncedCommits: Int
    /// True while a transaction is open.
    private var isHolding = false
    /// The database file has all of the log; the disk may not have it yet.
    private var isCopied = false
    /// The disk may lack a part of the log, behind which it would not be read after a power cut.
    private var mayHaveGap = false
    /// Why the disk refused the last time; nil once it has not.
    private(set) var failure: String?

    /// Takes over from SQLite what it does to have things in order. Nothing may be in the log that the disk lacks.
    /// - Parameter journal: nil if a killed process may lose the commits that no job has written.
    init(_ database: Database, disk: any LogDisk, journal: LogJournal?) throws(SQLiteError) {
        self.database = database
        self.disk = disk
        self.journal = journal
        database.takeOverCheckpoints()
        try database.execute("PRAGMA synchronous=OFF")
        guard let file = DeferredFile(database, .database), let log = DeferredFile(database, .log) else {
            throw SQLiteError(extendedCode: 0, message: "its files cannot be found")
        }
        databaseFile = file
        logFile = log
        file.memoryDescriptor = disk.descriptor(of: .database)
        log.memoryDescriptor = disk.descriptor(of: .log)
        if let journal { log.willPend = { journal.append($0, at: $1) } }
        syncedCommits = database.commits
    }

    /// True if the log is so long that it should be folded in at any rate.
    var isLong: Bool { database.logFrames >= DurableLog.foldFrames }

    /// True if callers that can wait with writing should. Not for a disk that refuses, which may go on for ever.
    var isBehind: Bool {
        isFilling || failure == nil && (isHeld || isSlow)
    }

    /// True if so much waits that clients which write should wait too. Commits that never pause would keep the log from being folded in:
    /// that wants a moment without one. False if the disk refuses, which may go on forever.
    var isFilling: Bool {
        failure == nil
            && (database.logFrames >= DurableLog.behindFrames || logFile.count >= DurableLog.behindBytes)
    }

    /// The disk is busy with the last job: callers that can wait must not use the connection now, not even to read.
    private var isSlow: Bool {
        job != nil && MonotonicTime.now.milliseconds(since: jobBegan) > DurableLog.slowMilliseconds
    }

    /// Writes must wait until the disk has caught up.
    var isFull: Bool { database.logFrames >= DurableLog.fullFrames || logFile.count >= DurableLog.fullBytes }

    /// Returns the worker's next job; nil if there is nothing, or while it does something.
    /// - Parameter isIdle: nobody listens; fold everything in.
    func nextJob(isIdle: Bool) -> LogJob? {
        guard job == nil else { return nil }
        jobBegan = .now
        if isCopied {
            job = LogJob(disk, .settle, databaseFile.handOver(), commits: database.commits)
        } else if syncedCommits != database.commits || wantsFold(isIdle) {
            job = LogJob(
                disk, .syncLog(foldsIn: wantsFold(isIdle)), logFile.handOver(), commits: database.commits)
        }
        return job
    }

    private func wantsFold(_ isIdle: Bool) -> Bool {
        isLong || (mayHaveGap && failure == nil) || (isIdle && database.logFrames > 0)
    }

    /// The disk has everything.
    var isSynced: Bool { job == nil && syncedCommits == database.commits && !isHeld }

    /// Takes in how a job went, if it did. Throws what SQLite runs into.
    func finish(_ done: LogJob) throws(SQLiteError) {
        guard done === job else { return }
        job = nil
        let isWritten = done.hasRun && done.failure == nil && done.loss == nil
        if done.work == .settle { databaseFile.didWrite(isWritten) } else { logDidWrite(isWritten) }
        // Nobody took it: the next time.
        guard done.hasRun else { return }
        failure = done.failure
        if done.failure != nil { mayHaveGap = true }
        switch done.work {
        case .syncLog(let foldsIn):
            guard done.failure == nil else { return }
            syncedCommits = done.commits
            // A new gap is a reason to fold the log in at once.
            guard foldsIn || mayHaveGap, done.commits == database.commits, !database.isInTransaction else { return }
            try copy()
        case .settle:
            // As long as the disk does not have the database file, the log has to count.
            if done.failure != nil { return }
            isCopied = false
            mayHaveGap = false
            try release()
            // SQLite would have gone on with a log that no longer counts: it never has.
            if database.logFrames >= DurableLog.foldFrames { mayHaveGap = true }
        }
    }

    private func logDidWrite(_ isWritten: Bool) {
        let pending = logFile.didWrite(isWritten)
        journal?.restart(pending)
    }

    private func copy() throws(SQLiteError) {
        do throws(SQLiteError) { guard try database.copyLog() else { return } } catch {
            // A reader is in the way: the next time.
            if error.kind == .inUse { return }
            throw error
        }
        // Everything written from here on stays in memory.
        try database.execute("PRAGMA cache_spill=OFF;BEGIN IMMEDIATE")
        isHolding = true
        isCopied = true
    }

    private func release() throws(SQLiteError) {
        guard isHolding else { return }
        isHolding = false
        // An error has ended it already.
        if !database.isInTransaction { return }
        do throws(SQLiteError) { try database.execute("COMMIT;PRAGMA cache_spill=ON") } catch {
            if database.isInTransaction { try? database.execute("ROLLBACK") }
            throw error
        }
    }

    /// True while new commits stay in memory only.
    var isHeld: Bool { isHolding && database.isInTransaction }

    /// Does all that there is to do, and waits for the disk: at the end, and for tests.
    func settle() throws(SQLiteError) {
        // Commits the held transaction, and folds that in as well.
        for _ in 0..<4 {
            guard let job = nextJob(isIdle: true) else { return }
            job.run()
            try finish(job)
            if job.failure != nil && !isCopied { return }
        }
    }

    /// Gives the database back to SQLite, which folds the log in when it closes. Waits for the disk. A job under way does nothing any more.
    func end() {
        abandon()
        // The held transaction would begin the log anew, which still has to count until the disk has the database file.
        if isCopied, disk.loss() == nil, disk.syncDatabase() == nil { _ = disk.endLog() }
        try? release()
        try? database.execute("PRAGMA synchronous=NORMAL")
    }

    /// Releases the files, with all commits in them. Waits for the disk.
    func abandon() {
        job?.cancel()
        job = nil
        for (file, kind) in [(logFile, DeferredFile.Kind.log), (databaseFile, .database)] {
            file.didWrite(false)
            _ = disk.write(file.handOver(), to: kind)
            file.end()
        }
        journal?.restart(PendingWrites())
    }
}
