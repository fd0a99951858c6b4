// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Posix
import SQLite

/// The rows of `shared`, and how they are made of what a library remembers.
extension Library {
    /// Makes records of the changes here since the last request, a portion at a time.
    /// - Returns: true if some are left.
    public func takeChanges(limit: Int, nowMilliseconds: Int64? = nil) -> Bool {
        let nowMilliseconds = nowMilliseconds ?? wallSeconds().multipliedSaturated(by: 1000)
        return write(else: false) { (database) throws(SQLiteError) in
            var isLeft = false
            try database.transaction { () throws(SQLiteError) in
                guard var household = try HouseholdRow.read(database) else { return }
                try household.takePage(limit, database)
                var changes: [(kind: String, key: String, changed: Int64)] = []
                let rows = try database.cached(
                    "SELECT kind, key, changed FROM sharedChange ORDER BY sequence LIMIT ?", .integer(limit))
                while try rows.step() { changes.append((rows.text(0), rows.text(1), rows.integer(2))) }
                for change in changes {
                    try Shared.take(change.kind, change.key, change.changed, &household, nowMilliseconds, database)
                }
                if household.joining == nil && changes.isEmpty { return }
                try household.write(database)
                isLeft = household.joining != nil || changes.count == limit
            }
            return isLeft
        }
    }

    /// A page of the records behind a revision, as JSON, in the order in which they came here. `takeChanges` first.
    public func journal(since revision: Int64, limit: Int) -> [(revision: Int64, record: String)] {
        read(else: []) { (database) throws(SQLiteError) in
            try database.cached(
                """
                SELECT revision, json_object('kind', kind, 'key', key, 'value',
                  CASE WHEN json_valid(value) THEN json(value) END, 'time', printf('%016x', time),
                  'device', printf('%016x', device), 'name', name)
                FROM shared WHERE revision > ? ORDER BY revision LIMIT ?
                """, .integer(revision), .integer(limit)
            ).all { ($0.integer(0), $0.text(1)) }
        }
    }

    /// Of so many favourites, the newest, it is looked whether their audio is here: a panel asks, and buttons wait meanwhile.
    private static let mostLookedAt: Int64 = 5000

    /// Returns the names of the favorites that are not on this speaker, the newest first, as the device that has them wrote them.
    public func absentNames(limit: Int) -> [String] {
        if !isOfHousehold { return [] }
        return read(else: []) { (database) throws(SQLiteError) in
            try database.cached(
                """
                SELECT shared.name FROM (SELECT * FROM favourite ORDER BY sequence DESC LIMIT ?2) AS favourite
                  JOIN content ON content.id = favourite.content
                  JOIN shared ON shared.kind = 'favourite' AND shared.key = printf('%016x-%d', hash, audioBytes)
                WHERE NOT EXISTS(SELECT 1 FROM item WHERE item.content = favourite.content)
                ORDER BY favourite.sequence DESC LIMIT ?1
                """, .integer(limit), .integer(Library.mostLookedAt)
            ).all { $0.text(0) }
        }
    }
}

extension SharedKey {
    /// The audio's hash and length, as `content` has them.
    var values: [Value] { [.integer(Int64(bitPattern: content.hash)), .integer(content.audioBytes)] }
}

/// One key of `shared` and of what it stands for.
enum Shared {
    /// The value of a key in this library.
    struct Present {
        /// As JSON; nil for none.
        var value: String?
        var name: String
        /// When it came to be so, as far as the library knows; milliseconds since 1970.
        var changed: Int64
    }

    /// Nil where nothing here is called so.
    static func present(
        _ kind: SharedRecord.Kind, _ subject: Subject, _ database: Database
    ) throws(SQLiteError) -> Present? {
        let key = subject.key
        let row: Statement
        if kind == .subscription {
            row = try database.cached(
                """
                SELECT iif(feed.id IS NULL, NULL, json_object('added', max(0, min(253402300799, added)))), ifnull(title, ''),
                  ifnull(added, 0)
                FROM (SELECT 1) LEFT JOIN feed ON origin = ?1 OR address = ?1 ORDER BY origin = ?1 DESC LIMIT 1
                """, .text(key))
        } else if kind == .playlist {
            row = try database.cached(
                """
                SELECT iif(entries IS NULL, NULL, json_object('entries', json(entries))), ?1, ifnull(changed, 0) / 1000
                FROM (SELECT 1) LEFT JOIN sharedPlaylist ON name = ?1
                """, .text(key))
        } else if kind == .place {
            return try presentPlace(subject, database)
        } else {
            guard let shared = SharedKey(key) else { return nil }
            // The column that is null without a row, the value, its time, and its table.
            let (mark, value, changed, source) =
                switch kind {
                case .bookmark:
                    (
                        "bookmark.content", "json_object('added', max(0, min(253402300799, added)), 'words', words)",
                        "added",
                        "bookmark ON bookmark.content = content.id AND bookmark.milliseconds = ?3"
                    )
                case .speed:
                    ("factor", "json_object('factor', factor)", "0", "speed ON speed.content = content.id")
                case .skip:
                    ("seconds", "json_object('seconds', seconds)", "0", "skip ON skip.content = content.id")
                default:
                    // A station is where its address is. One with a password in it stays on this speaker.
                    (
                        "favourite.content",
                        """
                        json_patch(json_object('added', max(0, min(253402300799, added))), json_object('address',
                          (SELECT path FROM item WHERE item.content = content.id AND audioBytes = 0 AND path >= 'http:'
                            AND path < 'httpt' AND path NOT LIKE '%@%' ORDER BY item.id LIMIT 1)))
                        """, "added", "favourite ON favourite.content = content.id"
                    )
                }
            var values: [Value] = [
                .integer(Int64(bitPattern: shared.content.hash)), .integer(shared.content.audioBytes),
            ]
            if kind == .bookmark { values.append(.optional(shared.milliseconds)) }
            row = try database.composed(
                """
                SELECT iif(\(mark) IS NULL, NULL, \(value)), ifnull(
                  (SELECT title FROM item WHERE item.content = content.id ORDER BY isPresent DESC, item.id LIMIT 1), ''),
                  ifnull(\(changed), 0)
                FROM content LEFT JOIN \(source) WHERE hash = ?1 AND audioBytes = ?2
                """, values)
        }
        defer { row.reset() }
        guard try row.step() else { return nil }
        return Present(
            value: row.optionalText(0), name: row.text(1), changed: Library.seconds(row.integer(2)) * 1000)
    }

    /// The subject of a key, on this speaker.
    struct Subject {
        /// Its local key.
        var key: String
        /// Of a work all keys by which any speaker may call it, those of its files, as a JSON array; of everything else the one key.
        var keys = ""
        /// Of a work a file of it; nil where none is here.
        var item: Item.ID?

        init(key: String) { self.key = key }
    }

    /// Finds the work that a place's key is of. Its longest file names it: speakers may have other files of it, but hardly another longest one.
    /// Every other kind is called the same everywhere.
    /// - Parameter file: the key of the file in which the place is.
    static func subject(
        _ kind: SharedRecord.Kind, _ key: String, file: String? = nil, _ database: Database
    ) throws(SQLiteError) -> Subject {
        guard kind == .place, let item = try item(ofWork: key, file: file ?? key, database) else {
            return Subject(key: key)
        }
        var subject = Subject(key: key)
        subject.item = item
        let rows = try database.composed(
            """
            SELECT json_group_array(key), max(CASE place WHEN 1 THEN key END) FROM (
              SELECT key, row_number() OVER (ORDER BY audioBytes DESC, hash) AS place FROM (
                SELECT printf('%016x-%d', hash, audioBytes) AS key, audioBytes, hash FROM content
                WHERE audioBytes >= 0 AND id IN (\(WorkPlaces.files))
                UNION SELECT ?2, -1, 0))
            """, [.integer(item), .text(key)])
        defer { rows.reset() }
        if try rows.step() { (subject.keys, subject.key) = (rows.text(0), rows.text(1)) }
        return subject
    }

    /// Returns a file of the work that a place is of; nil where none is here. Two books may have one file in common: the one counts that
    /// has the key's file as well.
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

    static func key(ofContent content: Int64, _ database: Database) throws(SQLiteError) -> String? {
        try database.cached(
            "SELECT printf('%016x-%d', hash, audioBytes) FROM content WHERE id = ? AND audioBytes >= 0",
            .integer(content)
        ).first { $0.text(0) }
    }

    /// The place of the work with this local key.
    private static func presentPlace(_ subject: Subject, _ database: Database) throws(SQLiteError) -> Present? {
        let key = subject.key
        guard let shared = SharedKey(key) else { return nil }
        let content = try database.cached(
            """
            SELECT id, ifnull((SELECT title FROM item WHERE item.content = content.id ORDER BY isPresent DESC, item.id LIMIT 1), '')
            FROM content WHERE hash = ? AND audioBytes = ?
            """, shared.values[0], shared.values[1])
        defer { content.reset() }
        guard try content.step() else { return nil }
        var present = Present(value: nil, name: content.text(1), changed: 0)
        let place =
            if let item = subject.item {
                try WorkPlaces.row(ofWorkOf: item, database)
            } else {
                try WorkPlaces.row(ofFile: content.integer(0), database)
            }
        guard let place else { return present }
        let file = try Shared.key(ofContent: place.file, database) ?? key
        let value = try database.cached(
            "SELECT json_patch(json_object('milliseconds', ?, 'saved', ?, 'finished', ?), json_object('file', ?))",
            .integer(Int64(Library.held(place.milliseconds ?? 0))), .integer(Library.seconds(place.savedSeconds)),
            .integer(place.isFinished ? 1 : 0), .optional(file.utf8.elementsEqual(key.utf8) ? nil : file))
        defer { value.reset() }
        if try value.step() { present.value = value.text(0) }
        present.changed = Library.seconds(place.savedSeconds) * 1000
        return present
    }

    /// Returns whether a place adds nothing to the known one of its work. Without a known one, that is a place without listening.
    private static func isSamePlace(
        _ known: SharedRecord?, _ record: SharedRecord, _ database: Database
    ) throws(SQLiteError) -> Bool {
        guard let place = try SharedValue(record, database) else { return false }
        guard let known else { return place.saved == 0 && !place.isFinished }
        guard let old = try SharedValue(known, database) else { return false }
        return place.saved <= old.saved && place.milliseconds == old.milliseconds
            && place.isFinished == old.isFinished && place.file.utf8.elementsEqual(old.file.utf8)
    }

    private enum Column: Int32 { case value, time, device, name }

    /// The latest that is known of a subject.
    static func known(
        _ kind: SharedRecord.Kind, _ subject: Subject, _ database: Database
    ) throws(SQLiteError) -> SharedRecord? {
        if subject.keys.isEmpty { return try known(kind, subject.key, database) }
        // As `SharedRecord.later` has it.
        let key = try database.cached(
            """
            SELECT key FROM shared WHERE kind = ? AND key IN (SELECT value FROM json_each(?))
            ORDER BY time DESC, device < 0 DESC, device DESC, value DESC, name DESC LIMIT 1
            """, .text(kind.rawValue), .text(subject.keys)
        ).first { $0.text(0) }
        return try key.map { key throws(SQLiteError) in try known(kind, key, database) } ?? nil
    }

    /// Returns the last record of a key, by this device or another.
    static func known(
        _ kind: SharedRecord.Kind, _ key: String, _ database: Database
    ) throws(SQLiteError) -> SharedRecord? {
        try database.cached(
            "SELECT value, time, device, name FROM shared WHERE kind = ? AND key = ?", .text(kind.rawValue), .text(key)
        ).first { row in
            SharedRecord(
                kind: kind, key: key, value: row.optionalText(Column.value),
                time: HybridTime(rawValue: row.integer(Column.time)) ?? .first,
                device: UInt64(bitPattern: row.integer(Column.device)), name: row.text(Column.name))
        }
    }

    /// In the place of what was known of its key.
    static func put(_ record: SharedRecord, _ database: Database) throws(SQLiteError) {
        try database.cached(
            """
            INSERT INTO shared(revision, kind, key, value, time, device, name)
              VALUES((SELECT coalesce(max(revision), 0) + 1 FROM shared), ?, ?, ?, ?, ?, ?)
            ON CONFLICT(kind, key) DO UPDATE SET revision = excluded.revision, value = excluded.value, time = excluded.time,
              device = excluded.device, name = excluded.name
            """, .text(record.kind.rawValue), .text(record.key), .optional(record.value),
            .integer(record.time.rawValue), .integer(Int64(bitPattern: record.device)), .text(record.name)
        ).run()
    }

    /// Notes that something changed here: the next record of its key is made of what is here then. Nothing happens without a household.
    /// - Parameter changedMilliseconds: the time of the change, since 1970; nil for now.
    static func note(
        _ kind: SharedRecord.Kind, _ key: String, changedMilliseconds: Int64?, _ database: Database
    ) throws(SQLiteError) {
        // A place is of the moment of its listening, which its row has, or of the moment at which it was said to be finished or not. It is
        // saved every few seconds and keeps its first note.
        try database.cached(
            """
            INSERT INTO sharedChange(kind, key, changed)
              SELECT ?1, ?2, ifnull(?3, CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER))
              WHERE EXISTS(SELECT 1 FROM household)
            ON CONFLICT(kind, key) DO UPDATE SET changed = excluded.changed
              WHERE kind <> 'place' OR changed < excluded.changed
            """, .text(kind.rawValue), .text(key), .optional(changedMilliseconds)
        ).run()
    }

    /// Notes that the row of an audio changed here.
    /// - Parameters:
    ///   - milliseconds: the place of a bookmark.
    ///   - changedSeconds: the time of the change, since 1970; nil for now.
    static func note(
        _ kind: SharedRecord.Kind, of content: Int64, at milliseconds: Int64? = nil, changedSeconds: Int64? = nil,
        _ database: Database
    ) throws(SQLiteError) {
        guard var key = try key(ofContent: content, database) else { return }
        if let milliseconds { key += "-\(milliseconds)" }
        try note(kind, key, changedMilliseconds: changedSeconds.map { Library.seconds($0) * 1000 }, database)
    }

    /// Nothing is to be taken of a subject any more.
    static func forgetChanges(
        _ kind: SharedRecord.Kind, _ subject: Subject, _ database: Database
    ) throws(SQLiteError) {
        if subject.keys.isEmpty { return try forgetChange(kind.rawValue, subject.key, database) }
        try database.cached(
            "DELETE FROM sharedChange WHERE kind = ? AND key IN (SELECT value FROM json_each(?))", .text(kind.rawValue),
            .text(subject.keys)
        ).run()
    }

    /// Nothing is to be taken of a key any more.
    static func forgetChange(_ kind: String, _ key: String, _ database: Database) throws(SQLiteError) {
        try database.cached("DELETE FROM sharedChange WHERE kind = ? AND key = ?", .text(kind), .text(key)).run()
    }

    /// Makes a record of what was changed, if it is another now than the one that is known.
    /// - Parameter changed: milliseconds since 1970.
    static func take(
        _ kindName: String, _ key: String, _ changed: Int64, _ household: inout HouseholdRow, _ nowMilliseconds: Int64,
        _ database: Database
    ) throws(SQLiteError) {
        guard let kind = SharedRecord.Kind(rawValue: kindName) else {
            return try forgetChange(kindName, key, database)
        }
        try take(kind, try subject(kind, key, database), changed, &household, nowMilliseconds, database)
    }

    private static func take(
        _ kind: SharedRecord.Kind, _ subject: Subject, _ changed: Int64, _ household: inout HouseholdRow,
        _ nowMilliseconds: Int64, _ database: Database
    ) throws(SQLiteError) {
        try forgetChanges(kind, subject, database)
        // Audio that was forgotten was not taken away from the others.
        guard let present = try present(kind, subject, database) else { return }
        let known = try known(kind, subject, database)
        // No place is ever taken away.
        if present.value == nil && (known?.value == nil || kind == .place) { return }
        var record = SharedRecord(
            kind: kind, key: subject.key, value: present.value, time: .first,
            device: UInt64(bitPattern: household.device),
            name: present.name.isEmpty ? known?.name ?? "" : Library.cut(present.name))
        if let known, known.hasValue(of: record) { return }
        // A place that is saved again where it was, and not as heard since, is no act of listening: it would be later than all listening
        // meanwhile.
        if kind == .place, try isSamePlace(known, record, database) { return }
        // A subscription counts as one: since when is each device's own affair.
        if kind == .subscription && known?.value != nil && present.value != nil { return }
        // The place is of the moment at which it was listened to.
        record.time = household.clock.stamp(
            changed: kind == .place ? max(changed, present.changed) : changed, now: nowMilliseconds, after: known?.time)
        try put(record, database)
    }

    /// The last listening here, before it is compared with listening elsewhere.
    static func takeLastHeard(
        _ household: inout HouseholdRow, _ nowMilliseconds: Int64, _ database: Database
    ) throws(SQLiteError) {
        let pending = try database.cached("SELECT 1 FROM sharedChange WHERE kind = 'place' LIMIT 1")
        let isPending = try pending.step()
        pending.reset()
        guard isPending || household.joining != nil, let last = try WorkPlaces.last(database),
            let key = try key(ofContent: last.file, database)
        else { return }
        _ = try take(.place, try subject(.place, key, database), &household, nowMilliseconds, database)
    }

    /// Makes a record of what was changed of a subject, before another's record of it is looked at.
    /// - Returns: whether something was.
    static func take(
        _ kind: SharedRecord.Kind, _ subject: Subject, _ household: inout HouseholdRow, _ nowMilliseconds: Int64,
        _ database: Database
    ) throws(SQLiteError) -> Bool {
        let row = try database.cached(
            """
            SELECT max(changed) FROM sharedChange
            WHERE kind = ?1 AND key IN (SELECT value FROM json_each(iif(?3 = '', json_array(?2), ?3)))
            """, .text(kind.rawValue), .text(subject.key), .text(subject.keys))
        var changed = try row.step() ? row.optionalInteger(0) : nil
        row.reset()
        if changed == nil, try known(kind, subject, database) == nil {
            // Not all that was there before the speaker was of the household has been taken yet.
            changed = try present(kind, subject, database).flatMap {
                kind == .place && $0.changed == 0 ? nil : $0.changed
            }
        }
        guard let changed else { return false }
        try take(kind, subject, changed, &household, nowMilliseconds, database)
        return true
    }
}
