import Core
import Model
import Posix
import SQLite

/// The rows of `shared`, and how they are made of what a library remembers.
extension Library {
    /// Makes records of what has changed here since somebody last asked, a portion at a time.
    /// - Returns: whether something is left.
    public func takeChanges(limit: Int, nowMilliseconds: Int64 = wallClockSeconds() * 1000) -> Bool {
        write(else: false) { (database) throws(SQLiteError) in
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
            let rows = try database.cached(
                """
                SELECT revision, json_object('kind', kind, 'key', key, 'value',
                  CASE WHEN json_valid(value) THEN json(value) END, 'time', printf('%016x', time),
                  'device', printf('%016x', device), 'name', name)
                FROM shared WHERE revision > ? ORDER BY revision LIMIT ?
                """, .integer(revision), .integer(limit))
            defer { rows.reset() }
            var records: [(revision: Int64, record: String)] = []
            while try rows.step() { records.append((rows.integer(0), rows.text(1))) }
            return records
        }
    }

    /// Of so many favourites, the newest, it is looked whether their audio is here: a panel asks, and buttons wait meanwhile.
    private static let mostLookedAt: Int64 = 5000

    /// What the favourites are called that are not on this speaker, the newest first, by the device that has them.
    public func absentNames(limit: Int) -> [String] {
        if !isOfHousehold { return [] }
        return read(else: []) { (database) throws(SQLiteError) in
            let rows = try database.cached(
                """
                SELECT shared.name FROM (SELECT * FROM favourite ORDER BY sequence DESC LIMIT ?2) AS favourite
                  JOIN content ON content.id = favourite.content
                  JOIN shared ON shared.kind = 'favourite' AND shared.key = printf('%016x-%d', hash, audioBytes)
                WHERE NOT EXISTS(SELECT 1 FROM item WHERE item.content = favourite.content)
                ORDER BY favourite.sequence DESC LIMIT ?1
                """, .integer(limit), .integer(Library.mostLookedAt))
            defer { rows.reset() }
            var names: [String] = []
            while try rows.step() { names.append(rows.text(0)) }
            return names
        }
    }
}

extension SharedKey {
    /// The audio's hash and length, as `content` has them.
    var values: [Value] { [.integer(Int64(bitPattern: content.hash)), .integer(content.audioBytes)] }
}

/// One key of `shared` and of what it stands for.
enum Shared {
    /// What a key's value is in this library.
    struct Present {
        /// As JSON; nil for none.
        var value: String?
        var name: String
        /// When it came to be so, as far as the library knows; milliseconds since 1970.
        var changed: Int64
    }

    /// Nil where nothing here is called so.
    static func present(
        _ kind: SharedRecord.Kind, _ key: String, _ database: Database
    ) throws(SQLiteError) -> Present? {
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
        } else {
            guard let shared = SharedKey(key) else { return nil }
            // What is null where there is none, its value, since when, and where it stands.
            let (mark, value, changed, source) =
                switch kind {
                case .bookmark:
                    (
                        "bookmark.content", "json_object('added', max(0, min(253402300799, added)), 'words', words)",
                        "added",
                        "bookmark ON bookmark.content = content.id AND bookmark.milliseconds = ?3"
                    )
                case .place:
                    (
                        "ifnull(progress.content, finished.content)",
                        """
                        json_object('milliseconds', ifnull(milliseconds, 0), 'saved', max(0, min(253402300799, ifnull(saved, 0))),
                          'finished', finished.content IS NOT NULL)
                        """, "saved",
                        "progress ON progress.content = content.id LEFT JOIN finished ON finished.content = content.id"
                    )
                case .speed:
                    ("factor", "json_object('factor', factor)", "0", "speed ON speed.content = content.id")
                default:
                    // A station is where its address is. One with a password in it is nobody else's.
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

    private enum Column: Int32 { case value, time, device, name }

    /// What was last known of a key, by this device or another.
    static func known(
        _ kind: SharedRecord.Kind, _ key: String, _ database: Database
    ) throws(SQLiteError) -> SharedRecord? {
        let row = try database.cached(
            "SELECT value, time, device, name FROM shared WHERE kind = ? AND key = ?", .text(kind.rawValue), .text(key))
        defer { row.reset() }
        guard try row.step() else { return nil }
        return SharedRecord(
            kind: kind, key: key, value: row.optionalText(Column.value),
            time: HybridTime(rawValue: row.integer(Column.time)) ?? .first,
            device: UInt64(bitPattern: row.integer(Column.device)), name: row.text(Column.name))
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
        try forgetChange(kindName, key, database)
        guard let kind = SharedRecord.Kind(rawValue: kindName), let present = try present(kind, key, database) else {
            // Audio that was forgotten was not taken away from the others.
            return
        }
        var othersOfBook: HybridTime?
        if kind == .place, let last = try lastHeard(inBookOf: key, database), last.utf8.elementsEqual(key.utf8) {
            othersOfBook = try takeOthers(inBookOf: key, &household, nowMilliseconds, database)
        }
        let known = try known(kind, key, database)
        // No place is ever taken away.
        if present.value == nil && (known?.value == nil || kind == .place) { return }
        var record = SharedRecord(
            kind: kind, key: key, value: present.value, time: .first, device: UInt64(bitPattern: household.device),
            name: present.name.isEmpty ? known?.name ?? "" : Library.cut(present.name))
        if let known, known.hasValue(of: record) { return }
        // A place that is saved again where it was is no act of listening: whoever went there because of another's record would be later than
        // all who listened meanwhile. Nor is one at the beginning, where whoever was switched on stands without having listened.
        if kind == .place, let place = present.value,
            try isSamePlace(known?.value ?? Shared.beginning, place, database)
        {
            return
        }
        // Who is subscribed, is: since when is each device's own affair.
        if kind == .subscription && known?.value != nil && present.value != nil { return }
        // The place is of the moment at which it was listened to.
        record.time = household.clock.stamp(
            changed: kind == .place ? max(changed, present.changed) : changed, now: nowMilliseconds,
            after: [known?.time, othersOfBook].compactMap { $0 }.max())
        try put(record, database)
    }

    private static var beginning: String { #"{"milliseconds":0,"finished":0}"# }

    private static func isSamePlace(
        _ one: String, _ other: String, _ database: Database
    ) throws(SQLiteError) -> Bool {
        let row = try database.cached(
            """
            SELECT CASE WHEN json_valid(?1) AND json_valid(?2)
              THEN json_remove(?1, '$.saved') = json_remove(?2, '$.saved') ELSE false END
            """, .text(one), .text(other))
        defer { row.reset() }
        return try row.step() && row.integer(0) != 0
    }

    /// The keys of all files of the book that ?1 is a key of.
    private static let keysOfBook = """
        SELECT printf('%016x-%d', part.hash, part.audioBytes) AS key, part.id FROM content AS own
          JOIN item AS ownItem ON ownItem.content = own.id JOIN bookItem AS ownPlace ON ownPlace.item = ownItem.id
          JOIN bookItem AS other ON other.book = ownPlace.book JOIN item AS otherItem ON otherItem.id = other.item
          JOIN content AS part ON part.id = otherItem.content
        WHERE own.hash = ?1 AND own.audioBytes = ?2
        """

    /// The key of the file that was heard last in a file's book; nil where none was, or where it is of no book of several files.
    static func lastHeard(inBookOf key: String, _ database: Database) throws(SQLiteError) -> String? {
        guard let key = SharedKey(key) else { return nil }
        let row = try database.composed(
            "SELECT book.key FROM (\(keysOfBook)) AS book JOIN heard ON heard.content = book.id LIMIT 1", key.values)
        defer { row.reset() }
        return try row.step() ? row.text(0) : nil
    }

    /// The file that was heard last is where its book is: what is to be noted of the other files is noted before, and is earlier, whatever
    /// the clocks of all devices said.
    /// - Returns: the latest time of the others; nil where nothing is known of them.
    private static func takeOthers(
        inBookOf key: String, _ household: inout HouseholdRow, _ nowMilliseconds: Int64, _ database: Database
    ) throws(SQLiteError) -> HybridTime? {
        guard let own = SharedKey(key) else { return nil }
        var others: [(key: String, changed: Int64)] = []
        let rows = try database.composed(
            """
            SELECT sharedChange.key, changed FROM sharedChange
            WHERE kind = 'place' AND sharedChange.key IN (SELECT key FROM (\(keysOfBook))) ORDER BY sequence
            """, own.values)
        while try rows.step() { others.append((rows.text(0), rows.integer(1))) }
        rows.reset()
        for other in others where !other.key.utf8.elementsEqual(key.utf8) {
            try take(SharedRecord.Kind.place.rawValue, other.key, other.changed, &household, nowMilliseconds, database)
        }
        let row = try database.composed(
            """
            SELECT max(time) FROM shared WHERE kind = 'place' AND key <> ?3 AND key IN (SELECT key FROM (\(keysOfBook)))
            """, own.values + [.text(key)])
        defer { row.reset() }
        guard try row.step() else { return nil }
        return row.optionalInteger(0).flatMap { HybridTime(rawValue: $0) }
    }

    /// What was heard last here, of a file's book and of all, before it is weighed against what was heard elsewhere.
    static func takeLastHeard(
        besides key: String, _ household: inout HouseholdRow, _ nowMilliseconds: Int64, _ database: Database
    ) throws(SQLiteError) {
        var keys: [String] = []
        if let last = try lastHeard(inBookOf: key, database) { keys.append(last) }
        let row = try database.cached(
            """
            SELECT printf('%016x-%d', hash, audioBytes) FROM content
            WHERE id = (SELECT content FROM heard ORDER BY sequence DESC LIMIT 1)
            """)
        if try row.step() { keys.append(row.text(0)) }
        row.reset()
        for key in keys { _ = try take(.place, key, &household, nowMilliseconds, database) }
    }

    /// What was changed of one key, before another's record of it is looked at.
    /// - Returns: whether something was.
    static func take(
        _ kind: SharedRecord.Kind, _ key: String, _ household: inout HouseholdRow, _ nowMilliseconds: Int64,
        _ database: Database
    ) throws(SQLiteError) -> Bool {
        let row = try database.cached(
            "SELECT changed FROM sharedChange WHERE kind = ? AND key = ?", .text(kind.rawValue), .text(key))
        defer { row.reset() }
        var changed = try row.step() ? row.integer(0) : nil
        row.reset()
        if changed == nil, try known(kind, key, database) == nil {
            // Not all that was there before the speaker was of the household has been taken yet.
            changed = try present(kind, key, database).flatMap { kind == .place && $0.changed == 0 ? nil : $0.changed }
        }
        guard let changed else { return false }
        try take(kind.rawValue, key, changed, &household, nowMilliseconds, database)
        return true
    }
}
