// SPDX-License-Identifier: Apache-2.0
import Model
import Posix
import SQLite

/// The speaker's permanent memory: items, positions, favorites, play counts, the queue.
///
/// Control thread only. Nothing throws: a failed read returns nothing, and playback goes on. A failed write is one warning until a write
/// has succeeded again. No method waits for the disk (fsync), except the opening, `settle` and the closing: see `DurableLog`. Never open
/// the database file itself a second time in this process.
public final class Library {
    /// Returns the whole queue, when an edit of it could not be written or the database had to be restarted; nil if the queue is the
    /// library.
    public var wholeQueue: () -> [QueueEntry]? = { nil }
    /// The speaker's state when it last ran; nil for a new library.
    public internal(set) var restoredState: SpeakerState?

    /// The library's folder, if there is one: files that lie directly in it are no book together.
    public var root = ""

    /// The board's clock, in seconds since 1970.
    public var wallSeconds: () -> Int64 = { wallClockSeconds() }

    /// True if other devices share this memory.
    public internal(set) var isOfHousehold = false

    /// The items that moved in the library's order since their books were made. See `takeRearranged`.
    var rearranged: [Item.ID] = []

    let store: Store
    /// The values still to be written.
    let memory: Memory

    /// Opens `FOLDER/nightstand.db`, and makes folder and database if they are missing. A damaged database is set aside
    /// (`nightstand.db.damaged-YYYYMMDD-HHMMSS`), and a new one takes over its readable rows. If the disk is read-only, full or gone, the
    /// library lives in memory, with the readable part of the disk. Each of these is one `warn`.
    /// - Parameters:
    ///   - stateFolder: nil for a library in memory on purpose, without warning.
    ///   - memoryFolder: a folder in memory that outlives the process, so that a killed process loses nothing; nil for none.
    public init(stateFolder: String?, memoryFolder: String? = nil, warn: @escaping (String) -> Void) {
        let journal = memoryFolder.map { $0 + "/unsaved" }
        let opening =
            stateFolder.map { Opening.open(folder: $0, journal: journal, warn: warn) } ?? Opening.inMemory()
        store = Store(opening, journal: journal, isInMemoryOnPurpose: stateFolder == nil, warn: warn)
        restoredState = store.read(else: nil) { (database) throws(SQLiteError) in
            try SpeakerRow.read(database)
        }
        memory = Memory(saved: restoredState)
        store.didReplace = { [unowned(unsafe) self] in writeAgain() }
        beginHousehold()
    }

    deinit { close() }

    /// Checkpoints the log and closes the database; waits for the disk. The library is then empty, and keeps nothing. A process that ends
    /// without this call loses nothing that `logJob` gave to the disk.
    public func close() {
        saveRestOfQueue()
        store.close()
    }

    /// True once items may have been lost or changed their ids because the database was damaged while in use: scan again.
    public var needsScan: Bool {
        get { store.needsScan }
        set { store.needsScan = newValue }
    }

    /// `FOLDER/nightstand.db`, or nil if the library lives in memory only.
    public var path: String? { store.path }

    /// True if the disk cannot be used: the memory lasts until the power goes.
    public var isForNowOnly: Bool { store.isForNowOnly }

    /// True if another process has the database: this process saves nothing.
    public var isUsedElsewhere: Bool { store.isUsedElsewhere }

    /// The reason why changes do not survive a power cut; nil while all is well.
    public var trouble: String? { store.trouble ?? troubleOfPlace }

    /// The trouble of the library's place itself, apart from the disk; nil if that is a disk.
    public var troubleOfPlace: String?

    /// Makes all writes of `body` one transaction: all or nothing, and quicker for many writes. If it fails, the next save writes this
    /// run's values again.
    public func batch(_ body: () -> Void) {
        let before = store.rollbacks
        store.batch(body)
        if store.rollbacks != before {
            memory.didRollBack()
        } else if !database.isInTransaction {
            memory.unsavedPlaces.removeAll { $0.isInBatch }
        }
    }

    /// True if there is nothing to play.
    public var isEmpty: Bool {
        read(else: true) { (database) throws(SQLiteError) in
            let row = try database.cached("SELECT 1 FROM item WHERE isPresent = 1 LIMIT 1")
            defer { row.reset() }
            return try !row.step()
        }
    }

    // MARK: The disk

    /// Returns the worker's next job for the disk: call `run` there, then `finish` here, then ask again. Ask after each save. nil if there
    /// is nothing to do, or while a job is under way.
    /// - Parameter isIdle: true if nothing plays: a good moment for a checkpoint.
    public func logJob(isIdle: Bool = false) -> LogJob? { store.log?.nextJob(isIdle: isIdle) }

    /// True if the disk has all saves.
    public var isSynced: Bool { store.log?.isSynced ?? true }

    /// Takes in the result of a job. A job that no worker took is handed out again.
    /// - Returns: the reason of the disk's refusal; nil for success.
    @discardableResult
    public func finish(_ job: LogJob) -> String? {
        if case .settle = job.work { releaseMemory() }
        let before = store.rollbacks
        defer { if store.rollbacks != before { memory.didRollBack() } }
        return store.finish(job)
    }

    /// Gives the disk everything and waits for it: when closing, and for tests.
    public func settle() {
        saveRestOfQueue()
        store.write(else: ()) { (_) throws(SQLiteError) in try store.log?.settle() }
        releaseMemory()
    }

    /// Frees the caches: after many requests, and while nothing plays.
    public func releaseMemory() { store.database.releaseMemory() }

    // MARK: For the rest of this module

    var database: Database { store.database }
    var log: DurableLog? { store.log }

    func read<Result>(
        else fallback: @autoclosure () -> Result, _ body: (Database) throws(SQLiteError) -> Result
    ) -> Result { store.read(else: fallback(), body) }

    @discardableResult
    func write<Result>(
        else fallback: @autoclosure () -> Result, _ body: (Database) throws(SQLiteError) -> Result
    ) -> Result {
        let before = store.rollbacks
        defer { if store.rollbacks != before { memory.didRollBack() } }
        return store.write(else: fallback(), body)
    }

    /// Writes this run's values that the old database lacked.
    private func writeAgain() {
        itemsDidChange()
        beginHousehold()
        let known = memory.saved
        memory.didRollBack()
        saveUnsavedModes()
        saveUnsavedSpeed()
        saveUnsavedSound()
        saveUnsavedAlarms()
        guard let known else { return }
        memory.queueDraft = nil
        memory.isQueueUnsaved = true
        save(known)
        saveUnsavedQueue()
    }
}
