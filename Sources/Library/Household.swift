// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Posix
import SQLite

/// The row of `household`.
struct HouseholdRow {
    var device: Int64
    var clock: HybridClock
    var note = HouseholdNote()

    private enum Column: Int32 { case device, clock, sent, cursor }

    /// Reads the row; nil if the speaker is in no household.
    static func read(_ database: Database) throws(SQLiteError) -> HouseholdRow? {
        try database.cached("SELECT device, clock, sent, cursor FROM household WHERE id = 1")
            .first { row in
                HouseholdRow(
                    device: row.integer(Column.device),
                    clock: HybridClock(latest: HybridTime(rawValue: row.integer(Column.clock)) ?? .first),
                    note: HouseholdNote(sent: row.integer(Column.sent), cursor: row.text(Column.cursor)))
            }
    }

    func write(_ database: Database) throws(SQLiteError) {
        try database.cached(
            """
            INSERT INTO household(id, device, clock, sent, cursor) VALUES(1, ?, ?, ?, ?)
            ON CONFLICT(id) DO UPDATE SET device = excluded.device, clock = excluded.clock, sent = excluded.sent,
              cursor = excluded.cursor
            """, .integer(device), .integer(clock.latest.rawValue), .integer(note.sent), .text(note.cursor)
        ).run()
    }

    /// Returns a number that no other device has.
    static func newDevice(_ database: Database) throws(SQLiteError) -> Int64 {
        try database.integer("SELECT random()") ?? 0
    }
}

/// Membership in a household: other devices get the facts of this one (`Facts`), and theirs come in (`Merging`).
extension Library {
    private static var tombstoneMilliseconds: Int64 { 400 * 24 * 3600 * 1000 }

    /// Shares this memory from now on, including what is there already. Does nothing if it is shared.
    /// - Returns: false if the database refused it.
    public func joinHousehold() -> Bool {
        let isSaved = write(else: false) { (database) throws(SQLiteError) in
            if try HouseholdRow.read(database) != nil { return true }
            let row = HouseholdRow(device: try HouseholdRow.newDevice(database), clock: HybridClock())
            try database.transaction { () throws(SQLiteError) in
                try row.write(database)
                // A speaker outside a household has no device number.
                try database.cached("UPDATE fact SET device = ? WHERE device = 0", .integer(row.device)).run()
            }
            return true
        }
        if isSaved { beginHousehold() }
        return isSaved
    }

    /// Stops sharing. The memory itself stays here.
    /// - Returns: false if the database refused it.
    public func leaveHousehold() -> Bool {
        write(else: false) { [self] (database) throws(SQLiteError) in
            try database.transaction { () throws(SQLiteError) in
                // Playlists' entries without a file here stay for the next household.
                if isOfHousehold {
                    try database.execute(
                        """
                        DELETE FROM playlistFile WHERE lacking = '[]';
                        UPDATE playlistFile SET modified = -1, isDue = 0;
                        DELETE FROM fact WHERE kind = 'playlist' AND key NOT IN (SELECT name FROM playlistFile)
                        """)
                }
                try database.execute(
                    """
                    UPDATE fact SET device = 0 WHERE device = (SELECT device FROM household);
                    DELETE FROM household;
                    DELETE FROM fact WHERE value IS NULL
                    """)
            }
            isOfHousehold = false
            return true
        }
    }

    /// Gives this device a new number, which has sent and read nothing: the card is a copy of another that is in use.
    /// - Returns: false without a household, or if the database refused it.
    @discardableResult
    public func renumberDevice() -> Bool {
        write(else: false) { (database) throws(SQLiteError) in
            guard var row = try HouseholdRow.read(database) else { return false }
            row.device = try HouseholdRow.newDevice(database)
            row.note = HouseholdNote()
            try row.write(database)
            return true
        }
    }

    /// - Returns: false without a household, or if the database refused it.
    public func note(_ note: HouseholdNote) -> Bool {
        write(else: false) { (database) throws(SQLiteError) in
            guard var row = try HouseholdRow.read(database) else { return false }
            row.note = note
            try row.write(database)
            return true
        }
    }

    /// Returns the state of the household; nil if the speaker is in none.
    public func household() -> HouseholdState? {
        read(else: nil) { (database) throws(SQLiteError) in
            guard let row = try HouseholdRow.read(database) else { return nil }
            return try database.cached(
                "SELECT (SELECT coalesce(max(revision), 0) FROM fact), (SELECT count(owed) FROM workPlace)"
            ).first { counts in
                HouseholdState(
                    device: UInt64(bitPattern: row.device), revision: counts.integer(0),
                    waiting: Library.held(counts.integer(1)), note: row.note)
            }
        }
    }

    /// Starts noting changes after opening a database, if this speaker is in a household.
    func beginHousehold() {
        isOfHousehold = household() != nil
        if !isOfHousehold { return }
        dropTombstones()
    }

    /// Drops tombstones so old that no device brings their subjects back. A clock that is ahead, on this speaker or another, does not drop
    /// them sooner. The newest record stays, so that no revision comes twice.
    func dropTombstones(nowMilliseconds: Int64 = wallClockSeconds() * 1000) {
        write(else: ()) { (database) throws(SQLiteError) in
            try database.cached(
                "DELETE FROM fact WHERE value IS NULL AND time < ? AND revision < (SELECT max(revision) FROM fact)",
                .integer(try Library.leastTombstone(nowMilliseconds, database))
            ).run()
        }
    }

    /// Returns whether a record is a tombstone that old.
    static func isForgotten(
        _ record: SharedRecord, _ nowMilliseconds: Int64, _ database: Database
    ) throws(SQLiteError) -> Bool {
        if record.value != nil || record.time.milliseconds >= nowMilliseconds - tombstoneMilliseconds { return false }
        return record.time.rawValue < (try leastTombstone(nowMilliseconds, database))
    }

    /// Returns the time of the oldest tombstone to keep, by this speaker's clock and by the others' reports.
    private static func leastTombstone(
        _ nowMilliseconds: Int64, _ database: Database
    ) throws(SQLiteError) -> Int64 {
        let told = try database.integer(
            "SELECT coalesce(max(time), 0) FROM fact WHERE device <> (SELECT device FROM household)")
        let least = HybridTime(milliseconds: nowMilliseconds - tombstoneMilliseconds).rawValue
        return min(least, (told ?? 0) - (tombstoneMilliseconds << 16))
    }
}
