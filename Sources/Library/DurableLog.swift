// SPDX-License-Identifier: Apache-2.0
import Posix
import SQLite

/// Brings saved rows to the disk, without ever blocking the control thread.
///
/// SQLite runs with `synchronous=OFF`, so it never syncs. It does not write files either: a write into the kernel's memory also blocks
/// while the file system waits for a busy card. Its writes stay in this process's memory (`DeferredFile`). A worker does all writing and
/// waiting (fdatasync), in jobs that this type hands out, a file's writes in one piece. Three things must be in order so that a power cut
/// does no harm:
///
/// 1. **Saving.** A commit appends pages to the log, each with a checksum over all before it. A torn or lost page ends the log there; the
///    part before it counts. After the worker has written and synced the log, all commits from before the job are safe.
/// 2. **Checkpointing.** Pages may be written into the database file only when the log that has them is safe, because the log repairs what
///    a power cut tears. So the log is synced first; after further commits, once more. Then `copyLog` writes the pages, into memory only.
/// 3. **Restarting the log.** The old log must count until the database file is safe. Once a new page overwrites a part of it, it must not
///    count at all, since its beginning alone would turn database pages back. SQLite restarts the log with the next commit. To prevent
///    that, this type opens a transaction and holds it; writes meanwhile stay in it. The worker writes and syncs the database file, then
///    overwrites the log's header with zeros and syncs that. Now the old log is void. (SQLite never reads the header again while the
///    database is open.) Then the transaction is committed.
///
/// A killed process loses no commit if there is a folder in memory that outlives the process (`LogJournal`). It loses only what was written
/// into a held transaction (see 3), which lasts as long as the disk takes for some hundred pages.
///
/// If the disk refuses the log, the next job writes all of it once more. If the disk is so slow, or refuses for so long, that more and more
/// waits, `isFull` refuses further writes until it has caught up.
final class DurableLog {
    /// The log's length at which it should be checkpointed: opening this many pages after a crash takes a while (about 1 M instructions).
    /// With a position saved every 5 s this is every 21 minutes.
    static let foldFrames = 256
    /// The log's length from which callers that can wait should do so until the checkpoint: 4 MB.
    static let behindFrames = 4096
    /// The log's length at which writes are refused, since the disk does not keep up: 32 MB.
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
    /// The number of commits that the disk has.
    private var syncedCommits: Int
    /// True while a transaction is open.
    private var isHolding = false
    /// True if the database file has all of the log; the disk may not have it yet.
    private var isCopied = false
    /// True if the disk may lack a part of the log: after a power cut, nothing behind that part would be read.
    private var mayHaveGap = false
    /// The reason of the disk's last refusal; nil after a success.
    private(set) var failure: String?

    /// Takes over the ordering of writes from SQLite. The log must not hold anything that the disk lacks.
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

    /// True if the log is so long that a checkpoint is due in any case.
    var isLong: Bool { database.logFrames >= DurableLog.foldFrames }

    /// True if callers that can wait should not write now. False if the disk refuses, which may go on forever.
    var isBehind: Bool {
        isFilling || failure == nil && (isHeld || isSlow)
    }

    /// True if so much waits that clients should pause their writes too: a checkpoint needs a moment without commits. False if the disk
    /// refuses, which may go on forever.
    var isFilling: Bool {
        failure == nil
            && (database.logFrames >= DurableLog.behindFrames || logFile.count >= DurableLog.behindBytes)
    }

    /// True if the disk is busy with the last job: callers that can wait must not use the connection now, not even to read.
    private var isSlow: Bool {
        job != nil && MonotonicTime.now.milliseconds(since: jobBegan) > DurableLog.slowMilliseconds
    }

    /// True if writes must wait until the disk has caught up.
    var isFull: Bool { database.logFrames >= DurableLog.fullFrames || logFile.count >= DurableLog.fullBytes }

    /// Returns the worker's next job; nil if there is nothing to do, or while a job is under way.
    /// - Parameter isIdle: true if nothing plays: a good moment to checkpoint everything.
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

    /// True if the disk has everything.
    var isSynced: Bool { job == nil && syncedCommits == database.commits && !isHeld }

    /// Takes in the result of a job. Throws SQLite's errors.
    func finish(_ done: LogJob) throws(SQLiteError) {
        guard done === job else { return }
        job = nil
        let isWritten = done.hasRun && done.failure == nil && done.loss == nil
        if done.work == .settle { databaseFile.didWrite(isWritten) } else { logDidWrite(isWritten) }
        // No worker ran it: it is handed out again.
        guard done.hasRun else { return }
        failure = done.failure
        if done.failure != nil { mayHaveGap = true }
        switch done.work {
        case .syncLog(let foldsIn):
            guard done.failure == nil else { return }
            syncedCommits = done.commits
            // A new gap is a reason to checkpoint at once.
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
            // A reader is in the way: try again later.
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

    /// True while new commits stay in memory only, in the held transaction.
    var isHeld: Bool { isHolding && database.isInTransaction }

    /// Does all pending work and waits for the disk: when closing, and for tests.
    func settle() throws(SQLiteError) {
        // Commits the held transaction, and checkpoints that as well.
        for _ in 0..<4 {
            guard let job = nextJob(isIdle: true) else { return }
            job.run()
            try finish(job)
            if job.failure != nil && !isCopied { return }
        }
    }

    /// Gives the database back to SQLite, which checkpoints the log when it closes. Waits for the disk. Cancels a job that is under way.
    func end() {
        abandon()
        // Committing the held transaction would restart the log, which has to count until the disk has the database file.
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
