// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Posix
import SQLite

/// The row of `household`.
struct HouseholdRow {
    var device: Int64
    var clock: HybridClock
    /// The progress of taking in what was there before: so far, by its kind and row. Nil once all is.
    var joining: SharedRecord.Kind?
    var joined: Int64 = 0
    var note = HouseholdNote()

    private enum Column: Int32 { case device, clock, joining, joined, sent, cursor }

    /// Nil where the speaker is of no household.
    static func read(_ database: Database) throws(SQLiteError) -> HouseholdRow? {
        try database.cached("SELECT device, clock, joining, joined, sent, cursor FROM household WHERE id = 1")
            .first { row in
                HouseholdRow(
                    device: row.integer(Column.device),
                    clock: HybridClock(latest: HybridTime(rawValue: row.integer(Column.clock)) ?? .first),
                    joining: row.optionalText(Column.joining).flatMap { SharedRecord.Kind(rawValue: $0) },
                    joined: row.integer(Column.joined),
                    note: HouseholdNote(sent: row.integer(Column.sent), cursor: row.text(Column.cursor)))
            }
    }

    func write(_ database: Database) throws(SQLiteError) {
        try database.cached(
            """
            INSERT INTO household(id, device, clock, joining, joined, sent, cursor) VALUES(1, ?, ?, ?, ?, ?, ?)
            ON CONFLICT(id) DO UPDATE SET device = excluded.device, clock = excluded.clock, joining = excluded.joining,
              joined = excluded.joined, sent = excluded.sent, cursor = excluded.cursor
            """, .integer(device), .integer(clock.latest.rawValue), .optional(joining?.rawValue), .integer(joined),
            .integer(note.sent), .text(note.cursor)
        ).run()
    }

    /// A number that no other device has.
    static func newDevice(_ database: Database) throws(SQLiteError) -> Int64 {
        try database.integer("SELECT random()") ?? 0
    }
}

/// Being of a household. What changes here is noted with the change, in one transaction, and becomes a record when it is asked for. A
/// speaker of its own notes nothing.
extension Library {
    private static var tombstoneMilliseconds: Int64 { 400 * 24 * 3600 * 1000 }

    /// Shares this memory from now on; also what is there already. Nothing happens where it is.
    /// - Returns: false if the database refused it.
    public func joinHousehold() -> Bool {
        let isSaved = write(else: false) { (database) throws(SQLiteError) in
            if try HouseholdRow.read(database) == nil {
                try HouseholdRow(
                    device: try HouseholdRow.newDevice(database), clock: HybridClock(),
                    joining: SharedRecord.Kind.allCases.first
                ).write(database)
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
            if isOfHousehold {
                // Places without a file here stay for the next household.
                try database.execute(
                    "DELETE FROM sharedPlaylist WHERE lacking = '[]' OR entries IS NULL; UPDATE sharedPlaylist SET modified = -1, isDue = 0"
                )
            }
            try database.transaction { () throws(SQLiteError) in
                try database.execute("DELETE FROM household; DELETE FROM shared; DELETE FROM sharedChange")
            }
            isOfHousehold = false
            return true
        }
    }

    /// The card is a copy of another that is in use: this is another device from now on, which has sent and read nothing.
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

    /// Nil where it is of none.
    public func household() -> HouseholdState? {
        read(else: nil) { (database) throws(SQLiteError) in
            guard let row = try HouseholdRow.read(database) else { return nil }
            return try database.cached(
                "SELECT (SELECT coalesce(max(revision), 0) FROM shared), (SELECT count(*) FROM sharedChange)"
            ).first { counts in
                HouseholdState(
                    device: UInt64(bitPattern: row.device), revision: counts.integer(0),
                    waiting: Library.held(counts.integer(1)), note: row.note)
            }
        }
    }

    /// After opening a database: notes what changes from now on, if this is of a household.
    func beginHousehold() {
        isOfHousehold = household() != nil
        if !isOfHousehold { return }
        write(else: ()) { (database) throws(SQLiteError) in try database.execute(Library.playlistTable) }
        dropTombstones()
    }

    /// Makes a change of an audio's row and notes it for the household: both or neither.
    /// - Parameters:
    ///   - milliseconds: the place of a bookmark.
    ///   - changedSeconds: the time of the change, since 1970; nil for now.
    ///   - change: returns whether anything changed.
    /// - Returns: what `change` returned.
    func change(
        _ kind: SharedRecord.Kind, of content: Int64, at milliseconds: Int64? = nil, changedSeconds: Int64? = nil,
        _ database: Database, _ change: () throws(SQLiteError) -> Bool
    ) throws(SQLiteError) -> Bool {
        if !isOfHousehold { return try change() }
        var isChanged = false
        try database.transaction { () throws(SQLiteError) in
            isChanged = try change()
            if isChanged {
                try Shared.note(kind, of: content, at: milliseconds, changedSeconds: changedSeconds, database)
            }
        }
        return isChanged
    }

    /// Drops tombstones so old that no device brings their subjects back. Neither a clock of this speaker that is ahead, nor one of
    /// another, makes it sooner. The newest record stays, so that no revision comes twice.
    func dropTombstones(nowMilliseconds: Int64 = wallClockSeconds() * 1000) {
        write(else: ()) { (database) throws(SQLiteError) in
            try database.cached(
                "DELETE FROM shared WHERE value IS NULL AND time < ? AND revision < (SELECT max(revision) FROM shared)",
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

    /// The time of the oldest tombstone to remember, by this speaker's clock and by the others' reports.
    private static func leastTombstone(
        _ nowMilliseconds: Int64, _ database: Database
    ) throws(SQLiteError) -> Int64 {
        let told = try database.integer(
            "SELECT coalesce(max(time), 0) FROM shared WHERE device <> (SELECT device FROM household)")
        let least = HybridTime(milliseconds: nowMilliseconds - tombstoneMilliseconds).rawValue
        return min(least, (told ?? 0) - (tombstoneMilliseconds << 16))
    }
}

extension HouseholdRow {
    /// Notes a portion of the rows from before the joining, with the times of their making.
    mutating func takePage(_ limit: Int, _ database: Database) throws(SQLiteError) {
        guard let kind = joining else { return }
        // Those get their notes when their files are read.
        if kind == .playlist {
            joining = nil
            return
        }
        let (table, changed, condition) =
            switch kind {
            case .favourite: ("favourite", Self.milliseconds("added"), "true")
            case .bookmark: ("bookmark", Self.milliseconds("added"), "true")
            case .place:
                (
                    "workPlace", Self.milliseconds("saved"),
                    "(milliseconds > 0 OR saved > 0 OR isFinished = 1)"
                )
            case .speed: ("speed", "0", "true")
            case .skip: ("skip", "0", "true")
            case .subscription, .playlist: ("feed", Self.milliseconds("added"), "true")
            }
        let isFeed = kind == .subscription
        let page = "(SELECT rowid AS number, * FROM \(table) WHERE rowid > ?1 ORDER BY rowid LIMIT ?2) AS part"
        let key =
            kind == .bookmark
            ? "printf('%016x-%d-%d', hash, audioBytes, part.milliseconds)"
            : isFeed ? "origin" : "printf('%016x-%d', hash, audioBytes)"
        let content = kind == .place ? "part.file" : "part.content"
        let source = isFeed ? page : page + " JOIN content ON content.id = \(content) AND audioBytes >= 0"
        try database.composed(
            """
            INSERT INTO sharedChange(kind, key, changed) SELECT '\(kind.rawValue)', \(key), \(changed) FROM \(source)
            WHERE \(condition) ON CONFLICT(kind, key) DO NOTHING
            """, [.integer(joined), .integer(limit)]
        ).run()
        let end = try database.composed(
            "SELECT max(number), count(*) FROM \(page)", [.integer(joined), .integer(limit)])
        defer { end.reset() }
        guard try end.step() else { return }
        joined = end.integer(0)
        if end.integer(1) < Int64(limit) {
            let kinds = SharedRecord.Kind.allCases
            joining = kinds.firstIndex(of: kind).flatMap { $0 + 1 < kinds.count ? kinds[$0 + 1] : nil }
            joined = 0
        }
    }

    /// A damaged page may hold any number.
    private static func milliseconds(_ seconds: StaticString) -> String {
        "max(0, min(253402300799, \(seconds))) * 1000"
    }
}
