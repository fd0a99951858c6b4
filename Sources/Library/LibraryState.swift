import Posix
import SQLite

/// What changes while the speaker plays: positions, play counts, the speaker's state, frame indexes.
extension Library {
    /// Saves where the item is. One row of one small page; quick enough for every 5 seconds and every button.
    ///
    /// What could not be saved is remembered until it can be, and then saved with the next that is.
    public func savePosition(_ id: Item.ID, milliseconds: Int, nowSeconds: Int64 = wallClockSeconds()) {
        unsavedPositions[id] = nil
        guard writePosition(id, milliseconds, nowSeconds) else {
            unsavedPositions[id] = milliseconds
            return
        }
        for (other, milliseconds) in unsavedPositions {
            guard writePosition(other, milliseconds, nowSeconds) else { return }
            unsavedPositions[other] = nil
        }
        if let unsavedState { save(unsavedState) }
    }

    private func writePosition(_ id: Item.ID, _ milliseconds: Int, _ nowSeconds: Int64) -> Bool {
        write(else: false) { (database) throws(SQLiteError) in
            try database.cached(
                """
                INSERT INTO progress VALUES(?, ?, ?, 0, NULL)
                ON CONFLICT(item) DO UPDATE SET milliseconds = excluded.milliseconds, saved = excluded.saved
                """,
                .integer(id), .integer(max(0, milliseconds)), .integer(nowSeconds)
            ).run()
            return true
        }
    }

    /// Counts one more time that the item was played.
    public func countPlay(_ id: Item.ID, nowSeconds: Int64 = wallClockSeconds()) {
        write(else: ()) { (database) throws(SQLiteError) in
            try database.prepare(
                """
                INSERT INTO progress VALUES(?, 0, 0, 1, ?)
                ON CONFLICT(item) DO UPDATE SET playCount = playCount + 1, played = excluded.played
                """,
                .integer(id), .integer(nowSeconds)
            ).run()
        }
    }

    /// Saves what the speaker is doing; only what has changed since the last time is written.
    public func save(_ state: SpeakerState) {
        let saved = savedState
        unsavedState = nil
        guard saved != state else { return }
        let isSaved = write(else: false) { (database) throws(SQLiteError) in
            try database.transaction { () throws(SQLiteError) in
                try database.prepare(
                    "INSERT OR REPLACE INTO speaker VALUES(1, ?, ?, ?, ?, ?)", .optional(state.currentSongID),
                    .integer(state.isPlaying ? 1 : 0), .integer(max(0, min(100, state.volumePercent))),
                    .integer(state.nextSongID), .integer(state.queueIsLibrary ? 1 : 0)
                ).run()
                if saved?.queue != state.queue {
                    try database.prepare(
                        "INSERT OR REPLACE INTO queue VALUES(1, ?)", .blob(SpeakerState.encode(state.queue))
                    ).run()
                }
            }
            return true
        }
        if isSaved { savedState = state } else { unsavedState = state }
    }

    /// Keeps the decoder's index of a long file, as bytes of the caller's making, and with it the item's true duration.
    public func saveFrameIndex(_ id: Item.ID, _ bytes: [UInt8], durationMilliseconds: Int?) {
        write(else: ()) { (database) throws(SQLiteError) in
            try database.transaction { () throws(SQLiteError) in
                try database.prepare(
                    "INSERT OR REPLACE INTO frameIndex VALUES(?, ?)", .integer(id), .blob(bytes)
                ).run()
                if let durationMilliseconds {
                    try database.prepare(
                        "UPDATE item SET duration = ? WHERE id = ?", .integer(max(0, durationMilliseconds)),
                        .integer(id)
                    ).run()
                }
            }
        }
    }

    /// The bytes that `saveFrameIndex` was given; nil where there are none.
    public func frameIndex(_ id: Item.ID) -> [UInt8]? {
        read(else: nil) { (database) throws(SQLiteError) in
            let row = try database.prepare("SELECT data FROM frameIndex WHERE item = ?", .integer(id))
            return try row.step() ? row.bytes(0) : nil
        }
    }

    /// Notes a duration that was found out while playing.
    public func saveDuration(_ id: Item.ID, milliseconds: Int) {
        write(else: ()) { (database) throws(SQLiteError) in
            try database.prepare(
                "UPDATE item SET duration = ? WHERE id = ?", .integer(max(0, milliseconds)), .integer(id)
            ).run()
        }
    }
}
