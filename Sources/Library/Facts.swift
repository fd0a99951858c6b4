// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Posix
import SQLite

/// The rows of `fact`. Each is something that a listener said, under a key that means the same on every device, with its time. A listener's
/// change here and the record of another device are the same statement: the later one counts. Favorites, bookmarks, and books' speeds and
/// skipped ends are stored in `fact` alone. Places are stored in `workPlace`, which is written every few seconds, and become facts when
/// another device asks.
extension Library {
    /// Makes facts of the places saved since the last request, a portion at a time.
    /// - Returns: true if some are left.
    public func takeChanges(limit: Int, nowMilliseconds: Int64? = nil) -> Bool {
        let nowMilliseconds = nowMilliseconds ?? wallSeconds().multipliedSaturated(by: 1000)
        return write(else: false) { (database) throws(SQLiteError) in
            var isLeft = false
            try database.transaction { () throws(SQLiteError) in
                guard var household = try HouseholdRow.read(database) else { return }
                let files = try database.cached(
                    "SELECT file FROM workPlace WHERE owed IS NOT NULL ORDER BY sequence LIMIT ?", .integer(limit)
                ).all { $0.integer(0) }
                for file in files { try Facts.take(placeIn: file, &household, nowMilliseconds, database) }
                if files.isEmpty { return }
                try household.write(database)
                isLeft = files.count == limit
            }
            return isLeft
        }
    }

    /// Returns a page of the facts behind a revision, as JSON, in the order of arrival. Call `takeChanges` first.
    public func journal(since revision: Int64, limit: Int) -> [(revision: Int64, record: String)] {
        read(else: []) { (database) throws(SQLiteError) in
            // Audio without its identity has no key that another device knows.
            try database.cached(
                """
                SELECT revision, json_object('kind', kind, 'key', key, 'value',
                  CASE WHEN json_valid(value) THEN json(value) END, 'time', printf('%016x', time),
                  'device', printf('%016x', device), 'name', name)
                FROM fact WHERE revision > ? AND (content IS NULL OR substr(key, 18, 1) <> '-') ORDER BY revision LIMIT ?
                """, .integer(revision), .integer(limit)
            ).all { ($0.integer(0), $0.text(1)) }
        }
    }

    /// The limit of favorites, the newest first, for the look-up of audio: a panel asks for them while buttons wait.
    private static let mostLookedAt: Int64 = 5000

    /// Returns the names of the favorites that are not on this speaker, the newest first, as the device that has them wrote them.
    public func absentNames(limit: Int) -> [String] {
        if !isOfHousehold { return [] }
        return read(else: []) { (database) throws(SQLiteError) in
            try database.cached(
                """
                SELECT name FROM (SELECT * FROM fact WHERE kind = 'favourite' AND value IS NOT NULL
                  ORDER BY revision DESC LIMIT ?2) AS fact
                WHERE NOT EXISTS(SELECT 1 FROM item WHERE item.content = fact.content)
                ORDER BY revision DESC LIMIT ?1
                """, .integer(limit), .integer(Library.mostLookedAt)
            ).all { $0.text(0) }
        }
    }

    /// Records a statement about an item's audio.
    /// - Parameters:
    ///   - milliseconds: the place of a bookmark.
    ///   - value: the value as JSON; nil removes the statement.
    ///   - nowSeconds: the time of the change, since 1970; nil for now.
    ///   - replaces: false to keep an earlier statement.
    /// - Returns: true if that changed something; nil if it could not be saved.
    func say(
        _ kind: SharedRecord.Kind, of content: Int64, at milliseconds: Int64? = nil, nowSeconds: Int64? = nil,
        replaces: Bool = true, _ value: (Database) throws(SQLiteError) -> String?
    ) -> Bool? {
        let now = Library.seconds(nowSeconds ?? wallSeconds())
        if kind == .favourite { memory.favourites = (0, .min) }
        return write(else: nil) { (database) throws(SQLiteError) in
            guard let key = try Facts.key(ofContent: content, at: milliseconds, database) else { return false }
            return try Facts.say(
                kind, key, of: content, try value(database), name: try Facts.name(ofContent: content, database),
                nowSeconds: now, replaces: replaces, database)
        }
    }
}

extension SharedKey {
    /// The audio's hash and length, as `content` has them.
    var values: [Value] { [.integer(Int64(bitPattern: content.hash)), .integer(content.audioBytes)] }
}

enum Facts {
    // MARK: One fact

    private enum Column: Int32 { case value, time, device, name }

    /// Returns the fact under a key, from this device or another; nil for none.
    static func known(
        _ kind: SharedRecord.Kind, _ key: String, _ database: Database
    ) throws(SQLiteError) -> SharedRecord? {
        try database.cached(
            "SELECT value, time, device, name FROM fact WHERE kind = ? AND key = ?", .text(kind.rawValue), .text(key)
        ).first { row in
            SharedRecord(
                kind: kind, key: key, value: row.optionalText(Column.value),
                time: HybridTime(rawValue: row.integer(Column.time)) ?? .first,
                device: UInt64(bitPattern: row.integer(Column.device)), name: row.text(Column.name))
        }
    }

    /// Replaces the fact under its key. A speaker outside a household keeps no removed facts.
    /// - Parameter content: the audio of the statement, as this library has it; nil for other kinds.
    static func put(
        _ record: SharedRecord, of content: Int64?, isShared: Bool, _ database: Database
    ) throws(SQLiteError) {
        if record.value == nil && !isShared {
            return try database.cached(
                "DELETE FROM fact WHERE kind = ? AND key = ?", .text(record.kind.rawValue), .text(record.key)
            ).run()
        }
        try database.cached(
            """
            INSERT INTO fact(revision, kind, key, value, time, device, name, content)
              VALUES((SELECT coalesce(max(revision), 0) + 1 FROM fact), ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT(kind, key) DO UPDATE SET revision = excluded.revision, value = excluded.value, time = excluded.time,
              device = excluded.device, name = excluded.name, content = excluded.content
            """, .text(record.kind.rawValue), .text(record.key), .optional(record.value),
            .integer(record.time.rawValue), .integer(Int64(bitPattern: record.device)), .text(record.name),
            .optional(record.value == nil ? nil : content)
        ).run()
    }

    /// Records a statement of this device, later than the known one under its key.
    /// - Parameters:
    ///   - value: JSON; nil removes the statement.
    ///   - name: the title that devices without the audio show; "" keeps the known one.
    ///   - nowSeconds: the time of the change, since 1970.
    ///   - replaces: false to keep an earlier statement.
    /// - Returns: false if the same statement was there already.
    @discardableResult
    static func say(
        _ kind: SharedRecord.Kind, _ key: String, of content: Int64? = nil, _ value: String?, name: String,
        nowSeconds: Int64, replaces: Bool = true, _ database: Database
    ) throws(SQLiteError) -> Bool {
        let known = try known(kind, key, database)
        if !replaces && known?.value != nil { return false }
        var record = SharedRecord(
            kind: kind, key: key, value: value, time: .first, device: 0,
            name: name.isEmpty ? known?.name ?? "" : Library.cut(name))
        if known?.hasValue(of: record) ?? (value == nil) { return false }
        try database.transaction { () throws(SQLiteError) in
            var household = try HouseholdRow.read(database)
            let now = nowSeconds.multipliedSaturated(by: 1000)
            var clock = household?.clock ?? HybridClock()
            record.time = clock.stamp(changed: now, now: now, after: known?.time)
            record.device = household.map { UInt64(bitPattern: $0.device) } ?? 0
            try put(record, of: content, isShared: household != nil, database)
            household?.clock = clock
            try household?.write(database)
        }
        return true
    }

    /// Returns the key of audio, or of a place in it, which is the same on every device; nil for audio that this library does not know.
    static func key(
        ofContent content: Int64, at milliseconds: Int64? = nil, _ database: Database
    ) throws(SQLiteError) -> String? {
        try database.cached(
            "SELECT printf('%016x-%d', hash, audioBytes) || ifnull('-' || ?2, '') FROM content WHERE id = ?1",
            .integer(content), .optional(milliseconds)
        ).first { $0.text(0) }
    }

    /// Returns a title of audio; "" for none.
    static func name(ofContent content: Int64, _ database: Database) throws(SQLiteError) -> String {
        try database.cached(
            "SELECT title FROM item WHERE content = ? ORDER BY isPresent DESC, id LIMIT 1", .integer(content)
        ).first { $0.text(0) } ?? ""
    }

    /// Returns the value of a favorite, as SQL. A station has its address; one with a password in it stays on this speaker.
    /// - Parameters:
    ///   - content: the favorite's audio, as SQL.
    ///   - added: the time of adding in seconds since 1970, as SQL.
    static func favouriteValue(of content: String, added: String) -> String {
        """
        json_patch(json_object('added', max(0, min(253402300799, \(added)))), json_object('address',
          (SELECT path FROM item JOIN content AS audio ON audio.id = item.content
            WHERE audio.id = \(content) AND audio.audioBytes = 0 AND path >= 'http:' AND path < 'httpt'
              AND path NOT LIKE '%@%' ORDER BY item.id LIMIT 1)))
        """
    }

    /// Parts of a fact's value and key, as SQL. A damaged page may hold text that is not JSON, which would fail the whole statement.
    static let added: StaticString = "CASE WHEN json_valid(value) THEN json_extract(value, '$.added') END"
    static let words: StaticString = "CASE WHEN json_valid(value) THEN json_extract(value, '$.words') END"
    /// The place of a bookmark: the last part of its key.
    static let milliseconds: StaticString =
        "CAST(substr(key, 18 + instr(substr(key, 19), '-') + 1) AS INTEGER)"

    /// Renames the facts of audio after a scan has found its identity.
    /// - Parameter content: audio without an identity until now.
    static func rename(_ content: Int64, _ identity: ContentIdentity, _ database: Database) throws(SQLiteError) {
        // The key of audio without an identity is `HASH--1`, of 19 letters.
        try database.cached(
            "UPDATE OR REPLACE fact SET key = ?2 || substr(key, 20) WHERE content = ?1 AND substr(key, 17, 3) = '--1'",
            .integer(content), .text(SharedKey(identity).words)
        ).run()
    }

    // MARK: Places

    /// The work of a place, on this speaker.
    struct Work {
        /// The work's key here: its longest file names it. Another speaker may have other files of it, but hardly another longest one.
        var key: String
        /// The keys of all its files, by which any speaker may name it, as a JSON array; "" if none of its files is here.
        var keys = ""
        /// A file of the work; nil if none is here.
        var item: Item.ID?
    }

    /// Finds the work of a place's key.
    /// - Parameter file: the key of the file in which the place is.
    static func work(_ key: String, file: String? = nil, _ database: Database) throws(SQLiteError) -> Work {
        guard let item = try item(ofWork: key, file: file ?? key, database) else { return Work(key: key) }
        var work = Work(key: key, item: item)
        let rows = try database.composed(
            """
            SELECT json_group_array(key), max(CASE place WHEN 1 THEN key END) FROM (
              SELECT key, row_number() OVER (ORDER BY audioBytes DESC, hash) AS place FROM (
                SELECT printf('%016x-%d', hash, audioBytes) AS key, audioBytes, hash FROM content
                WHERE audioBytes >= 0 AND id IN (\(WorkPlaces.files))
                UNION SELECT ?2, -1, 0))
            """, [.integer(item), .text(key)])
        defer { rows.reset() }
        if try rows.step() { (work.keys, work.key) = (rows.text(0), rows.text(1)) }
        return work
    }

    /// Returns a file of a place's work; nil if none is here. If two books share one file, the book that also has the key's file counts.
    static func item(ofWork key: String, file: String, _ database: Database) throws(SQLiteError) -> Item.ID? {
        guard let named = SharedKey(key), let file = SharedKey(file) else { return nil }
        return try database.cached(
            """
            SELECT item.id FROM item JOIN content ON content.id = item.content
            WHERE (hash = ?1 AND audioBytes = ?2) OR (hash = ?3 AND audioBytes = ?4)
            ORDER BY hash = ?1 AND audioBytes = ?2 DESC, EXISTS(
                SELECT 1 FROM bookItem AS own JOIN bookItem AS other ON other.book = own.book
                  JOIN item AS part ON part.id = other.item JOIN content AS audio ON audio.id = part.content
                WHERE own.item = item.id AND audio.hash = ?3 AND audio.audioBytes = ?4) DESC,
              isPresent DESC, item.id LIMIT 1
            """, file.values[0], file.values[1], named.values[0], named.values[1]
        ).first { $0.integer(0) }
    }

    /// Returns the latest known place of a work, from any device.
    static func knownPlace(of work: Work, _ database: Database) throws(SQLiteError) -> SharedRecord? {
        if work.keys.isEmpty { return try known(.place, work.key, database) }
        // The same order as in `SharedRecord.later`.
        let key = try database.cached(
            """
            SELECT key FROM fact WHERE kind = 'place' AND key IN (SELECT value FROM json_each(?))
            ORDER BY time DESC, device < 0 DESC, device DESC, value DESC, name DESC LIMIT 1
            """, .text(work.keys)
        ).first { $0.text(0) }
        return try key.map { key throws(SQLiteError) in try known(.place, key, database) } ?? nil
    }

    /// Returns the row of a work's place; nil for none.
    static func row(of work: Work, _ database: Database) throws(SQLiteError) -> WorkPlaces.Row? {
        if let item = work.item { return try WorkPlaces.row(ofWorkOf: item, database) }
        guard let key = SharedKey(work.key) else { return nil }
        let content = try database.cached(
            "SELECT id FROM content WHERE hash = ? AND audioBytes = ?", key.values[0], key.values[1]
        ).first { $0.integer(0) }
        return try content.map { (content) throws(SQLiteError) in try WorkPlaces.row(ofFile: content, database) } ?? nil
    }

    /// Makes a record of this speaker's place in a work.
    static func record(
        of work: Work, _ row: WorkPlaces.Row, _ database: Database
    ) throws(SQLiteError) -> SharedRecord {
        let file = try key(ofContent: row.file, database).flatMap { SharedKey($0) == nil ? nil : $0 } ?? work.key
        let value = try database.cached(
            "SELECT json_patch(json_object('milliseconds', ?, 'saved', ?, 'finished', ?), json_object('file', ?))",
            .integer(Int64(Library.held(row.milliseconds ?? 0))), .integer(Library.seconds(row.savedSeconds)),
            .integer(row.isFinished ? 1 : 0), .optional(file.utf8.elementsEqual(work.key.utf8) ? nil : file)
        ).first { $0.text(0) }
        return SharedRecord(
            kind: .place, key: work.key, value: value,
            time: HybridTime(milliseconds: Library.seconds(row.savedSeconds) * 1000), device: 0,
            name: Library.cut(try name(ofContent: row.file, database)))
    }

    /// Makes a fact of the place in a file, if other devices need it.
    static func take(
        placeIn file: Int64, _ household: inout HouseholdRow, _ nowMilliseconds: Int64, _ database: Database
    ) throws(SQLiteError) {
        guard let key = try key(ofContent: file, database), SharedKey(key) != nil else {
            return try WorkPlaces.owesNothing(file, database)
        }
        _ = try take(placeOf: try work(key, database), &household, nowMilliseconds, database)
    }

    /// Makes a fact of a work's place, if other devices need it and it says something new.
    /// - Returns: true if other devices needed it.
    static func take(
        placeOf work: Work, _ household: inout HouseholdRow, _ nowMilliseconds: Int64, _ database: Database
    ) throws(SQLiteError) -> Bool {
        guard let row = try row(of: work, database), let owed = row.owedMilliseconds else { return false }
        try WorkPlaces.owesNothing(row.file, database)
        let known = try knownPlace(of: work, database)
        var record = try record(of: work, row, database)
        if let known, known.hasValue(of: record) { return true }
        // A place that is saved again unchanged, without listening, is no act of listening: it would count as later than all listening
        // meanwhile.
        if try isSamePlace(known, record, database) { return true }
        record.device = UInt64(bitPattern: household.device)
        // Its time is that of the listening, or of the moment when a listener marked the work as finished or unfinished.
        record.time = household.clock.stamp(
            changed: max(owed, record.time.milliseconds), now: nowMilliseconds, after: known?.time)
        try put(record, of: nil, isShared: true, database)
        return true
    }

    /// Makes a fact of the last listening here, before it is compared with listening elsewhere.
    static func takeLastHeard(
        _ household: inout HouseholdRow, _ nowMilliseconds: Int64, _ database: Database
    ) throws(SQLiteError) {
        guard let last = try WorkPlaces.last(database), last.owedMilliseconds != nil else { return }
        try take(placeIn: last.file, &household, nowMilliseconds, database)
    }

    /// Returns whether a place adds nothing to the known one of its work. If none is known, a place without listening adds nothing.
    private static func isSamePlace(
        _ known: SharedRecord?, _ record: SharedRecord, _ database: Database
    ) throws(SQLiteError) -> Bool {
        guard let place = try SharedValue(record, database) else { return false }
        guard let known else { return place.saved == 0 && !place.isFinished }
        guard let old = try SharedValue(known, database) else { return false }
        return place.saved <= old.saved && place.milliseconds == old.milliseconds
            && place.isFinished == old.isFinished && place.file.utf8.elementsEqual(old.file.utf8)
    }
}
