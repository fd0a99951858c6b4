// SPDX-License-Identifier: Apache-2.0
import Model
import Posix
import SQLite

/// The speaker's permanent memory: items, positions, favourites, play counts, the queue.
///
/// Belongs to the control thread, all of it. Nothing throws: a failed read returns nothing, a failed write is one warning until a write has
/// succeeded again, and playback goes on. No method waits for the disk to have written (fsync), except the opening, `settle` and the
/// closing: see `DurableLog`. Never open the database file itself a second time in this process.
public final class Library {
    /// Asked for the queue if an edit of it could not be written, or the database had to be begun anew; nil where the queue is the
    /// library.
    public var wholeQueue: () -> [QueueEntry]? = { nil }
    /// The speaker's state when it last ran; nil for a new library.
    public internal(set) var restoredState: SpeakerState?

    /// The folder that all is in, if there is one: files that lie directly in it are no book together.
    public var root = ""

    /// The board's clock, in seconds since 1970.
    public var wallSeconds: () -> Int64 = { wallClockSeconds() }

    /// True if other devices share this memory.
    public internal(set) var isOfHousehold = false

    /// Items that stand elsewhere in the library's order since their books were made. See `takeRearranged`.
    var rearranged: [Item.ID] = []

    let store: Store
    /// The values still to be written.
    let memory: Memory

    /// Opens `FOLDER/nightstand.db`, and makes folder and database where there are none. A damaged database is set aside
    /// (`nightstand.db.damaged-YYYYMMDD-HHMMSS`) and a new one begun with what can be read of it. If the disk is read-only, full or gone,
    /// the library lives in memory, with the readable part of the disk. Each of these is one `warn`.
    /// - Parameters:
    ///   - stateFolder: nil for a library in memory on purpose, without warning.
    ///   - memoryFolder: one that is memory and outlives the process, so that one that is killed loses nothing; nil for none.
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

    /// Moves the log into the database file and lets go of both; waits for the disk. The library then is empty, and keeps nothing.
    /// A process that ends without it loses nothing that the disk has been given by `logJob`.
    public func close() {
        saveRestOfQueue()
        store.close()
    }

    /// True once items may have been lost or changed their ids because the database was damaged while in use: scan again.
    public var needsScan: Bool {
        get { store.needsScan }
        set { store.needsScan = newValue }
    }

    /// `FOLDER/nightstand.db`, or nil where the library lives in memory only.
    public var path: String? { store.path }

    /// The disk cannot be used: the memory lasts until the power goes.
    public var isForNowOnly: Bool { store.isForNowOnly }

    /// Another process has the database: this process saves nothing.
    public var isUsedElsewhere: Bool { store.isUsedElsewhere }

    /// Why what happens now is not remembered over a power cut; nil while all is well.
    public var trouble: String? { store.trouble ?? troubleOfPlace }

    /// The trouble of the library's place itself, apart from the disk; nil if that is a disk.
    public var troubleOfPlace: String?

    /// Makes what `body` does with this library one transaction: all or nothing, and quicker for many writes. Where nothing of it could be
    /// saved, what this run remembers goes with the next save.
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

    /// The worker's next job for the disk: call `run` there, then `finish` here, then ask again. Ask after each save. nil if there is
    /// nothing to do, or while it is being done.
    /// - Parameter isIdle: nobody listens: a good moment to fold the log into the database.
    public func logJob(isIdle: Bool = false) -> LogJob? { store.log?.nextJob(isIdle: isIdle) }

    /// The disk has all that was saved.
    public var isSynced: Bool { store.log?.isSynced ?? true }

    /// Takes in how a job went; one that no worker took is handed out again.
    /// - Returns: why the disk refused; nil if it did not.
    @discardableResult
    public func finish(_ job: LogJob) -> String? {
        if case .settle = job.work { releaseMemory() }
        let before = store.rollbacks
        defer { if store.rollbacks != before { memory.didRollBack() } }
        return store.finish(job)
    }

    /// Has the disk take all there is and waits for it: for the end, and for tests.
    public func settle() {
        saveRestOfQueue()
        store.write(else: ()) { (_) throws(SQLiteError) in try store.log?.settle() }
        releaseMemory()
    }

    /// Lets go of what is kept for the next time: after many requests, and while nothing plays.
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

    /// Values that the old database lacked are written from this run's memory.
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
