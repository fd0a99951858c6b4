import Core
import Model
import Posix
import SQLite

/// What is known here and may not be in the database: what stands in it, so that only what changed is written, and what could not
/// be written, and is with the next that can.
final class Memory {
    /// What the row of the speaker says; nil if nobody knows.
    var saved: SpeakerState?
    var unsaved: SpeakerState?
    var isQueueUnsaved = false
    /// What is written of a long queue, a part in each turn; nil where nothing is left to write.
    var queueDraft: QueueDraft?
    /// As last set by this run; nil where nobody has.
    struct Setting<Value> {
        var value: Value? { didSet { isUnsaved = value != nil } }
        var isUnsaved = false
        var unsaved: Value? { isUnsaved ? value : nil }
    }
    var modes = Setting<PlayModes>()
    /// The speaker's.
    var speed = Setting<Speed>()
    var sound = Setting<SoundChanges>()
    var alarms = Setting<[Alarm]>()
    /// As last saved by this run; nil where nobody knows.
    var sleep: Sleep?
    /// Milliseconds by content.
    var unsavedPositions: [Int64: Int] = [:]
    /// Nil where they are to be counted anew.
    var counts: LibraryStatistics?
    /// Its row, when empty ones were taken away last.
    var lastFolderLookedAt: Int64 = 0
    /// Counts up when items change.
    var itemChanges = 0

    init(saved: SpeakerState?) { self.saved = saved }

    /// Another database, of which nothing is known here.
    func begin(saved: SpeakerState?) {
        self.saved = saved
        unsaved = nil
        isQueueUnsaved = false
        queueDraft = nil
        modes = Setting()
        speed = Setting()
        sound = Setting()
        alarms = Setting()
        sleep = nil
        unsavedPositions = [:]
    }
}

/// The one row of `speaker`.
enum SpeakerRow {
    static func read(_ database: Database) throws(SQLiteError) -> SpeakerState? {
        enum Column: Int32 { case song, item, isPlaying, volume, nextSong, queueIsLibrary, lastSong }
        let row = try database.prepare(
            """
            SELECT song, item, isPlaying, volume, nextSong, queueIsLibrary,
              (SELECT max(song) FROM queueEntry WHERE song < ?)
            FROM speaker WHERE id = 1
            """, .integer(SpeakerState.mostSongID))
        guard try row.step() else { return nil }
        let next = max(row.integer(Column.nextSong), row.integer(Column.lastSong) + 1)
        return SpeakerState(
            currentSongID: row.optionalInteger(Column.song).map { Int(clamping: $0) },
            currentItemID: row.optionalInteger(Column.item),
            isPlaying: row.integer(Column.isPlaying) != 0,
            volumePercent: Int(max(0, min(100, row.integer(Column.volume)))),
            nextSongID: Int(max(1, min(Int64(SpeakerState.mostSongID), next))),
            queueIsLibrary: row.integer(Column.queueIsLibrary) != 0)
    }

    /// The rows of the queue are whole, and count from now on.
    static func endFollowing(_ database: Database) throws(SQLiteError) {
        try database.cached("UPDATE speaker SET queueIsLibrary = 0").run()
    }

    static func write(_ state: SpeakerState, _ database: Database) throws(SQLiteError) {
        try database.cached(
            """
            INSERT INTO speaker(id, song, item, isPlaying, volume, nextSong, queueIsLibrary) VALUES(1, ?, ?, ?, ?, ?, ?)
            ON CONFLICT(id) DO UPDATE SET song = excluded.song, item = excluded.item, isPlaying = excluded.isPlaying,
              volume = excluded.volume, nextSong = excluded.nextSong, queueIsLibrary = excluded.queueIsLibrary
            """, .optional(state.currentSongID), .optional(state.currentItemID), .integer(state.isPlaying ? 1 : 0),
            .integer(max(0, min(100, state.volumePercent))), .integer(state.nextSongID),
            .integer(state.queueIsLibrary ? 1 : 0)
        ).run()
    }
}

/// What changes while the speaker plays: positions, play counts, the speaker's state, seek tables.
extension Library {
    /// Saves where the item is. One row of one small page; quick enough for every 5 seconds and every button.
    ///
    /// What could not be saved is remembered until it can be, and then saved with the next that is.
    /// - Parameter isHeard: false where nobody has come there by listening yet: whoever listened elsewhere since then is later.
    public func savePosition(
        _ id: Item.ID, milliseconds: Int, isHeard: Bool = true, nowSeconds: Int64 = wallClockSeconds()
    ) {
        guard let content = content(of: id) else { return }
        memory.unsavedPositions[content] = nil
        guard writePosition(content, milliseconds, isHeard ? nowSeconds : nil) else {
            memory.unsavedPositions[content] = milliseconds
            return
        }
        noteHeard(id, content)
        for (other, milliseconds) in memory.unsavedPositions {
            guard writePosition(other, milliseconds, nowSeconds) else { return }
            memory.unsavedPositions[other] = nil
        }
        if let unsaved = memory.unsaved { save(unsaved) }
        saveUnsavedQueue()
        saveUnsavedModes()
        saveUnsavedSpeed()
        saveUnsavedSound()
        saveUnsavedAlarms()
    }

    /// Notes that an item was gone through to its end by a jump beyond it: nobody is there, and its book's place is elsewhere.
    public func saveEnd(_ id: Item.ID, milliseconds: Int, nowSeconds: Int64 = wallClockSeconds()) {
        if let content = content(of: id) { _ = writePosition(content, milliseconds, nowSeconds) }
    }

    /// When the place of an item was saved last, seconds since 1970; nil where none was.
    public func placeSavedSeconds(_ id: Item.ID) -> Int64? {
        read(else: nil) { (database) throws(SQLiteError) in
            let row = try database.prepare(
                "SELECT saved FROM progress WHERE content = (SELECT content FROM item WHERE id = ?)", .integer(id))
            return try row.step() ? row.integer(0) : nil
        }
    }

    /// The audio in an item's file.
    func content(of id: Item.ID) -> Int64? {
        read(else: nil) { (database) throws(SQLiteError) in
            let row = try database.cached("SELECT content FROM item WHERE id = ?", .integer(id))
            defer { row.reset() }
            return try row.step() ? row.integer(0) : nil
        }
    }

    /// - Parameter nowSeconds: nil to leave it as if it had been there before.
    private func writePosition(_ content: Int64, _ milliseconds: Int, _ nowSeconds: Int64?) -> Bool {
        write(else: false) { (database) throws(SQLiteError) in
            try database.cached(
                """
                INSERT INTO progress(content, milliseconds, saved, playCount) VALUES(?1, ?2, ifnull(?3, 0), 0)
                ON CONFLICT(content) DO UPDATE SET milliseconds = excluded.milliseconds, saved = ifnull(?3, saved)
                """, .integer(content), .integer(max(0, milliseconds)), .optional(nowSeconds)
            ).run()
            return true
        }
    }

    /// Counts one more time that the item was played.
    public func countPlay(_ id: Item.ID, nowSeconds: Int64 = wallClockSeconds()) {
        guard let content = content(of: id) else { return }
        write(else: ()) { (database) throws(SQLiteError) in
            try database.cached(
                """
                INSERT INTO progress(content, milliseconds, saved, playCount, played) VALUES(?, 0, 0, 1, ?)
                ON CONFLICT(content) DO UPDATE SET playCount = playCount + 1, played = excluded.played
                """, .integer(content), .integer(nowSeconds)
            ).run()
        }
    }

    /// Saves what the speaker is doing, if that is something else than the last time.
    public func save(_ state: SpeakerState) {
        memory.unsaved = nil
        var row = state
        if memory.queueDraft?.isFirst == true { row.queueIsLibrary = true }
        if memory.saved != row {
            let isSaved = write(else: false) { (database) throws(SQLiteError) in
                try SpeakerRow.write(row, database)
                return true
            }
            if isSaved { memory.saved = row } else { memory.unsaved = state }
        }
        saveUnsavedQueue()
    }

    /// Keeps the decoder's table of a long file, as bytes of the caller's making, and with it the true duration.
    public func saveSeekTable(_ id: Item.ID, _ bytes: [UInt8], durationMilliseconds: Int?) {
        guard let content = content(of: id) else { return }
        write(else: ()) { (database) throws(SQLiteError) in
            try database.transaction { () throws(SQLiteError) in
                try database.cached(
                    """
                    INSERT INTO seekTable(content, data) VALUES(?, ?)
                    ON CONFLICT(content) DO UPDATE SET data = excluded.data
                    """, .integer(content), .blob(bytes)
                ).run()
                if let durationMilliseconds { try setDuration(content, durationMilliseconds, database) }
            }
        }
    }

    /// The bytes that `saveSeekTable` was given; nil where there are none.
    public func seekTable(_ id: Item.ID) -> [UInt8]? {
        read(else: nil) { (database) throws(SQLiteError) in
            let row = try database.cached(
                "SELECT data FROM seekTable WHERE content = (SELECT content FROM item WHERE id = ?)", .integer(id))
            defer { row.reset() }
            return try row.step() ? row.bytes(0) : nil
        }
    }

    /// Notes a duration that was found out while playing.
    public func saveDuration(_ id: Item.ID, milliseconds: Int) {
        guard let content = content(of: id) else { return }
        write(else: ()) { (database) throws(SQLiteError) in try setDuration(content, milliseconds, database) }
    }

    private func setDuration(_ content: Int64, _ milliseconds: Int, _ database: Database) throws(SQLiteError) {
        itemsDidChange()
        try database.cached(
            "UPDATE item SET duration = ? WHERE content = ?", .integer(max(0, milliseconds)), .integer(content)
        ).run()
    }
}
