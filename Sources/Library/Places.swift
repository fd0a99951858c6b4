// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Posix
import SQLite

/// The values of this run that the database may lack. It holds the stored values, so that only changes are written, and the failed writes,
/// which go with the next successful one.
final class Memory {
    /// The speaker's row as stored; nil if unknown.
    var saved: SpeakerState?
    var unsaved: SpeakerState?
    var isQueueUnsaved = false
    /// The unwritten rest of a long queue, of which each turn writes a part; nil if nothing is left to write.
    var queueDraft: QueueDraft?
    /// A setting, as last set by this run; nil if it was never set.
    struct Setting<Value> {
        var value: Value? { didSet { isUnsaved = value != nil } }
        var isUnsaved = false
        var unsaved: Value? { isUnsaved ? value : nil }
    }
    var modes = Setting<PlayModes>()
    /// The speaker's speed.
    var speed = Setting<Speed>()
    var sound = Setting<SoundChanges>()
    var alarms = Setting<[Alarm]>()
    /// The sleep timer, as last saved by this run; nil if unknown.
    var sleep: Sleep?
    /// The places that are not saved yet, in the order of saving.
    var unsavedPlaces: [UnsavedPlace] = []
    /// The library's statistics; nil if they must be counted again.
    var counts: LibraryStatistics?
    /// The favorites counted so far, and the revision of the last of these; nil once all are.
    var favourites: (counted: Int, last: Int64?) = (0, .min)
    /// The last folder's row that was checked for being empty.
    var lastFolderLookedAt: Int64 = 0
    /// The number of changes of items.
    var itemChanges = 0

    init(saved: SpeakerState?) { self.saved = saved }

    /// Returns the unsaved place in a file's audio.
    func unsavedMilliseconds(_ content: Int64) -> Int? {
        unsavedPlaces.last { $0.content == content }?.milliseconds
    }

    /// Forgets what the database has, since it may lack the last rows that were written.
    func didRollBack() {
        saved = nil
        sleep = nil
        favourites = (0, .min)
        modes.isUnsaved = modes.value != nil
        speed.isUnsaved = speed.value != nil
        sound.isUnsaved = sound.value != nil
        alarms.isUnsaved = alarms.value != nil
        for index in unsavedPlaces.indices { unsavedPlaces[index].isInBatch = false }
    }

    /// Starts with another database, of unknown contents.
    func begin(saved: SpeakerState?) {
        self.saved = saved
        favourites = (0, .min)
        unsaved = nil
        isQueueUnsaved = false
        queueDraft = nil
        modes = Setting()
        speed = Setting()
        sound = Setting()
        alarms = Setting()
        sleep = nil
        unsavedPlaces = []
    }
}

/// A place that is not saved yet.
struct UnsavedPlace {
    var item: Item.ID
    /// The item's audio.
    var content: Int64
    var milliseconds: Int
    /// The time of listening there, in seconds since 1970; nil for a place without listening.
    var savedSeconds: Int64?
    /// True if it is written in a batch that has not ended.
    var isInBatch = false
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

    /// Notes that the rows of the queue are complete, and count from now on.
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

/// Values that change during playback: play counts, the speaker's state, seek tables.
extension Library {
    /// Counts one more time that the item was played.
    public func countPlay(_ id: Item.ID, nowSeconds: Int64 = wallClockSeconds()) {
        guard let content = content(of: id) else { return }
        write(else: ()) { (database) throws(SQLiteError) in
            try database.cached(
                """
                INSERT INTO plays(content, playCount, played) VALUES(?, 1, ?)
                ON CONFLICT(content) DO UPDATE SET playCount = playCount + 1, played = excluded.played
                """, .integer(content), .integer(nowSeconds)
            ).run()
        }
    }

    /// Saves the speaker's state if it has changed.
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

    /// Saves the decoder's seek table of a long file, in the caller's own bytes, and the true duration.
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

    /// Returns the bytes of `saveSeekTable`; nil if there are none.
    public func seekTable(_ id: Item.ID) -> [UInt8]? {
        read(else: nil) { (database) throws(SQLiteError) in
            try database.cached(
                "SELECT data FROM seekTable WHERE content = (SELECT content FROM item WHERE id = ?)", .integer(id)
            ).first { $0.bytes(0) }
        }
    }

    /// Saves a duration that playback has found out.
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
