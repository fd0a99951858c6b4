// SPDX-License-Identifier: Apache-2.0
import Core
import SQLite

/// The one row of `playing`.
enum PlayingRow {
    static func modes(_ database: Database) throws(SQLiteError) -> PlayModes {
        enum Column: Int32 { case isRandom, repeats, single, consumes, mixRamp, mixRampDelay }
        var modes = PlayModes()
        let row = try database.prepare(
            "SELECT isRandom, repeats, single, consumes, mixRamp, mixRampDelay FROM playing WHERE id = 1")
        guard try row.step() else { return modes }
        modes.isRandom = row.integer(Column.isRandom) != 0
        modes.repeats = row.integer(Column.repeats) != 0
        modes.single = PlayModes.Single(rawValue: Int(clamping: row.integer(Column.single))) ?? .off
        modes.consumes = row.integer(Column.consumes) != 0
        modes.mixRampMillidecibels = Int(clamping: row.integer(Column.mixRamp))
        modes.mixRampDelayMilliseconds = Int(clamping: row.integer(Column.mixRampDelay))
        return modes
    }

    static func write(_ modes: PlayModes, _ database: Database) throws(SQLiteError) {
        try database.cached(
            """
            INSERT INTO playing(id, isRandom, repeats, single, consumes, mixRamp, mixRampDelay) VALUES(1, ?, ?, ?, ?, ?, ?)
            ON CONFLICT(id) DO UPDATE SET isRandom = excluded.isRandom, repeats = excluded.repeats, single = excluded.single,
              consumes = excluded.consumes, mixRamp = excluded.mixRamp, mixRampDelay = excluded.mixRampDelay
            """, .integer(modes.isRandom ? 1 : 0), .integer(modes.repeats ? 1 : 0),
            .integer(modes.single.rawValue), .integer(modes.consumes ? 1 : 0),
            .integer(modes.mixRampMillidecibels), .integer(modes.mixRampDelayMilliseconds)
        ).run()
    }

    static func pausedSince(_ database: Database) throws(SQLiteError) -> Int64? {
        let row = try database.prepare("SELECT pausedSince FROM playing WHERE id = 1")
        return try row.step() ? row.optionalInteger(0) : nil
    }

    static func write(pausedSince: Int64?, _ database: Database) throws(SQLiteError) {
        try database.cached(
            """
            INSERT INTO playing(id, pausedSince) VALUES(1, ?)
            ON CONFLICT(id) DO UPDATE SET pausedSince = excluded.pausedSince
            """, .optional(pausedSince)
        ).run()
    }
}

/// The modes of the queue, and the start of the pause.
extension Library {
    /// Returns the modes when the speaker last ran.
    public func restoredModes() -> PlayModes {
        read(else: PlayModes()) { (database) throws(SQLiteError) in try PlayingRow.modes(database) }
    }

    /// Saves the modes. If the write fails, the next successful write saves them.
    public func save(_ modes: PlayModes) {
        memory.modes.value = modes
        saveUnsavedModes()
    }

    func saveUnsavedModes() {
        guard let modes = memory.modes.unsaved else { return }
        memory.modes.isUnsaved = !write(else: false) { (database) throws(SQLiteError) in
            try PlayingRow.write(modes, database)
            return true
        }
    }

    /// Returns the start of the present pause in seconds since 1970; nil if the speaker was not paused, or if it is unknown.
    public func restoredPause() -> Int64? {
        read(else: nil) { (database) throws(SQLiteError) in try PlayingRow.pausedSince(database) }
    }

    /// Saves the start or the end of a pause. A failed write is not repeated: the row is not essential.
    public func savePause(sinceSeconds: Int64?) {
        write(else: ()) { (database) throws(SQLiteError) in
            try PlayingRow.write(pausedSince: sinceSeconds, database)
        }
    }
}
