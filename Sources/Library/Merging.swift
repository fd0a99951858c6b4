// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Posix
import SQLite

/// Taking in what another device says: of a household, of a file that was exported.
extension Library {
    /// The result of merging a record.
    public enum Merge: String, Sendable {
        /// Something is here as it was not before.
        case added
        /// The library's own record is later.
        case older
        /// It is known here, or changes nothing.
        case same
        /// It is no record of ours.
        case refused
        /// It is of the place in what is being heard: to be brought again once that does not play.
        case later
        case notSaved
    }

    /// The way to subscribe and unsubscribe, since podcasts need more than rows.
    public struct Subscribing {
        /// By address and title; false where it could not be saved.
        public var add: (String, String) -> Bool
        public var remove: (Feed) -> Void

        public init(add: @escaping (String, String) -> Bool, remove: @escaping (Feed) -> Void) {
            self.add = add
            self.remove = remove
        }
    }

    /// Takes a record in where it is later than what is known of its key. Of audio that no file has yet it waits until one has it.
    /// - Parameters:
    ///   - isPlaying: true if its work plays: the listener stays at the present place.
    ///   - subscribing: nil for the rows alone.
    public func merge(
        _ record: SharedRecord, isPlaying: Bool = false, subscribing: Subscribing? = nil,
        nowMilliseconds: Int64? = nil
    ) -> Merge {
        let nowMilliseconds = nowMilliseconds ?? wallSeconds().multipliedSaturated(by: 1000)
        if record.kind == .place && isPlaying { return .later }
        if record.kind == .subscription { return merge(record, subscribing, nowMilliseconds) }
        if record.kind == .place { makeBook(of: record) }
        if record.kind == .playlist && !isOfHousehold { return .refused }
        var address: String?
        let outcome = write(else: Merge.notSaved) { (database) throws(SQLiteError) in
            guard let value = try SharedValue(record, database) else { return .refused }
            address = value.address
            var outcome = Merge.notSaved
            try database.transaction { () throws(SQLiteError) in
                var household = try HouseholdRow.read(database)
                if record.kind == .place, var row = household {
                    try Shared.takeLastHeard(&row, nowMilliseconds, database)
                    try row.write(database)
                    household = row
                }
                let subject = try Shared.subject(record.kind, record.key, file: value.file, database)
                outcome = try Library.weigh(record, subject, &household, nowMilliseconds, database)
                if outcome != .added { return }
                if record.kind == .place {
                    try Library.apply(
                        place: record, value, ofWorkOf: subject.item, isShared: household != nil, database)
                } else {
                    try Library.apply(record, value, database)
                }
                try Library.accept(record, subject, household, nowMilliseconds, database)
            }
            return outcome
        }
        if outcome == .added, let address, item(path: address) == nil {
            var probe = Probe(stream: address)
            if !record.name.isEmpty { probe.tags = TagList([(.title, record.name)]) }
            _ = upsert(probe)
        }
        return outcome
    }

    /// A podcast comes and goes by statements of its own. Interrupted between them and the record, it is as if a person had done it here.
    private func merge(_ record: SharedRecord, _ subscribing: Subscribing?, _ nowMilliseconds: Int64) -> Merge {
        let outcome = write(else: Merge.notSaved) { (database) throws(SQLiteError) in
            guard try SharedValue(record, database) != nil else { return .refused }
            var outcome = Merge.notSaved
            try database.transaction { () throws(SQLiteError) in
                var household = try HouseholdRow.read(database)
                outcome = try Library.weigh(
                    record, Shared.Subject(key: record.key), &household, nowMilliseconds, database)
            }
            return outcome
        }
        if outcome != .added { return outcome }
        let feed = feed(address: record.key)
        if record.value == nil, let feed {
            if let subscribing { subscribing.remove(feed) } else { _ = removeFeed(feed.id) }
        } else if record.value != nil, feed == nil {
            let isSaved =
                subscribing.map { $0.add(record.key, record.name) }
                ?? (addFeed(address: record.key, title: record.name) != nil)
            if !isSaved { return .notSaved }
        }
        return write(else: .notSaved) { (database) throws(SQLiteError) in
            try database.transaction { () throws(SQLiteError) in
                let household = try HouseholdRow.read(database)
                try Library.accept(record, Shared.Subject(key: record.key), household, nowMilliseconds, database)
            }
            return .added
        }
    }

    /// Compares a record with the library's own of its subject: `.added`, `.older` or `.same`.
    private static func weigh(
        _ record: SharedRecord, _ subject: Shared.Subject, _ household: inout HouseholdRow?, _ nowMilliseconds: Int64,
        _ database: Database
    ) throws(SQLiteError) -> Merge {
        var known: SharedRecord?
        if var row = household {
            // Local changes come first, with their own time.
            if try Shared.take(record.kind, subject, &row, nowMilliseconds, database) { try row.write(database) }
            household = row
            known = try Shared.known(record.kind, subject, database)
            if known == nil, try isForgotten(record, nowMilliseconds, database) { return .same }
        } else {
            let present = try Shared.present(record.kind, subject, database)
            guard let present, let value = present.value else { return record.value == nil ? .same : .added }
            if record.value != nil && (record.kind == .favourite || record.kind == .bookmark) { return .same }
            known = SharedRecord(
                kind: record.kind, key: record.key, value: value, time: HybridTime(milliseconds: present.changed),
                device: 0, name: record.name)
        }
        guard let known, SharedRecord.later(known, record) == known else { return .added }
        return known.hasValue(of: record) ? .same : .older
    }

    /// Notes a record that is in use now.
    private static func accept(
        _ record: SharedRecord, _ subject: Shared.Subject, _ household: HouseholdRow?, _ nowMilliseconds: Int64,
        _ database: Database
    ) throws(SQLiteError) {
        guard var row = household else { return }
        // Of this device's own number, and not known here: the card is a copy of another's, or an old state of its own. From now on it is
        // another device.
        if record.device == UInt64(bitPattern: row.device) { row.device = try HouseholdRow.newDevice(database) }
        row.clock.saw(record.time, now: nowMilliseconds)
        try row.write(database)
        try Shared.put(record, database)
        // What is noted about it is no change of this speaker's.
        try Shared.forgetChanges(record.kind, subject, database)
    }

    /// Makes a place that another device told the place of its work. The last heard work stays the last, at any order of records. In a
    /// household the records say when, and no board's clock does.
    private static func apply(
        place record: SharedRecord, _ value: SharedValue, ofWorkOf item: Item.ID?, isShared: Bool, _ database: Database
    ) throws(SQLiteError) {
        guard let file = SharedKey(value.file), let content = try content(file, isMade: true, database) else { return }
        let known = try item.map { (item) throws(SQLiteError) in try WorkPlaces.row(ofWorkOf: item, database) } ?? nil
        let last = try WorkPlaces.last(database)
        try WorkPlaces.put(
            WorkPlaces.Row(
                file: content, milliseconds: value.milliseconds, isFinished: value.isFinished, savedSeconds: value.saved
            ),
            ofWorkOf: item, database)
        guard let last, last.sequence != known?.sequence, last.file != content else { return }
        var isLater = last.savedSeconds > value.saved
        if isShared {
            isLater = false
            if let key = try Shared.key(ofContent: last.file, database) {
                let lastKnown = try Shared.known(.place, try Shared.subject(.place, key, database), database)
                isLater = lastKnown.map { $0.time > record.time } ?? false
            }
        }
        if isLater { try WorkPlaces.moveToEnd(last, database) }
    }

    /// Finds the row of audio.
    /// - Parameter isMade: adds it if it is missing.
    private static func content(
        _ key: SharedKey, isMade: Bool, _ database: Database
    ) throws(SQLiteError) -> Int64? {
        if isMade {
            try database.cached(
                "INSERT OR IGNORE INTO content(hash, audioBytes) VALUES(?, ?)", key.values[0], key.values[1]
            ).run()
        }
        let row = try database.cached(
            "SELECT id FROM content WHERE hash = ? AND audioBytes = ?", key.values[0], key.values[1])
        defer { row.reset() }
        guard try row.step() else { return nil }
        // As for audio that a scan finds.
        try database.cached(
            "INSERT OR IGNORE INTO plays(content, playCount) VALUES(?, 0)", .integer(row.integer(0))
        ).run()
        return row.integer(0)
    }

    /// Brings a favourite, a bookmark or a setting of a book where it is used.
    private static func apply(
        _ record: SharedRecord, _ value: SharedValue, _ database: Database
    ) throws(SQLiteError) {
        if record.kind == .playlist { return try apply(playlist: record, value, database) }
        // Unknown audio has nothing to remove.
        guard let key = SharedKey(record.key),
            let id = try content(key, isMade: record.value != nil, database)
        else { return }
        let content = Value.integer(id)
        switch (record.kind, record.value != nil) {
        case (.favourite, true):
            try database.cached(
                """
                INSERT INTO favourite(content, added) VALUES(?, ?) ON CONFLICT(content) DO UPDATE SET added = excluded.added
                """, content, .integer(value.added)
            ).run()
        case (.favourite, false): try database.cached("DELETE FROM favourite WHERE content = ?", content).run()
        case (.bookmark, true):
            try database.cached(
                """
                INSERT INTO bookmark(content, milliseconds, words, added) VALUES(?, ?, ?, ?)
                ON CONFLICT(content, milliseconds) DO UPDATE SET words = excluded.words, added = excluded.added
                """, content, .optional(key.milliseconds), .text(cut(value.words)), .integer(value.added)
            ).run()
        case (.bookmark, false):
            try database.cached(
                "DELETE FROM bookmark WHERE content = ? AND milliseconds = ?", content, .optional(key.milliseconds)
            ).run()
        case (.speed, let isSet): try set(isSet ? value.words : nil, .speed, id, database)
        case (.skip, let isSet): try set(isSet ? value.words : nil, .skip, id, database)
        case (.place, _), (.subscription, _), (.playlist, _): break
        }
    }

    /// Makes the book that a place is of, if that is due: else its files were works of their own.
    private func makeBook(of record: SharedRecord) {
        let item: Item.ID? = read(else: nil) { (database) throws(SQLiteError) in
            guard let value = try SharedValue(record, database) else { return nil }
            return try Shared.item(ofWork: record.key, file: value.file, database)
        }
        if let item { _ = bookPlace(of: item) }
    }

    /// Returns whether a record is of the place in an item's work.
    public func isPlace(_ record: SharedRecord, inWorkOf item: Item.ID) -> Bool {
        if record.kind != .place { return false }
        makeBook(of: record)
        return read(else: false) { (database) throws(SQLiteError) in
            guard let value = try SharedValue(record, database),
                let told = try Shared.item(ofWork: record.key, file: value.file, database)
            else { return false }
            return try database.composed(
                "SELECT 1 FROM item WHERE id = ?2 AND content IN (\(WorkPlaces.files))",
                [.integer(told), .integer(item)]
            ).hasRow()
        }
    }

    /// Reads a record as `journal` writes it; nil for what is none.
    public func record(_ text: String) -> SharedRecord? {
        read(else: nil) { (database) throws(SQLiteError) in try SharedRecord(json: text, database) }
    }
}

extension SharedRecord {
    /// Text of which every letter is written as its number.
    static let mostBytes = 16_000

    private enum Column: Int32 { case kind, key, value, time, device, name }

    /// Check for JSON first: SQLite's json functions fail the whole statement.
    init?(json text: String, _ database: Database) throws(SQLiteError) {
        if text.utf8.count > SharedRecord.mostBytes { return nil }
        let valid = try database.cached("SELECT json_valid(?)", .text(text))
        defer { valid.reset() }
        guard try valid.step(), valid.integer(0) != 0 else { return nil }
        let row = try database.cached(
            """
            SELECT json_extract(?1, '$.kind'), json_extract(?1, '$.key'), json_extract(?1, '$.value'),
              json_extract(?1, '$.time'), json_extract(?1, '$.device'), json_extract(?1, '$.name')
            WHERE json_type(?1, '$.kind') = 'text' AND json_type(?1, '$.key') = 'text'
              AND json_type(?1, '$.value') IN ('object', 'null') AND json_type(?1, '$.time') = 'text'
              AND json_type(?1, '$.device') = 'text' AND json_type(?1, '$.name') = 'text'
            """, .text(text))
        defer { row.reset() }
        guard try row.step(), let kind = Kind(rawValue: row.text(Column.kind)),
            let time = UInt64(hexadecimal: row.text(Column.time).utf8).flatMap({ Int64(exactly: $0) }),
            let time = HybridTime(rawValue: time), let device = UInt64(hexadecimal: row.text(Column.device).utf8)
        else { return nil }
        self.init(
            kind: kind, key: row.text(Column.key), value: row.optionalText(Column.value), time: time, device: device,
            name: Library.cut(row.text(Column.name)))
    }
}

/// A record's value, ready for use.
struct SharedValue {
    /// Seconds since 1970.
    var added: Int64 = 0
    var saved: Int64 = 0
    var milliseconds: Int64 = 0
    var isFinished = false
    /// Of a bookmark; or the text of a book's setting.
    var words = ""
    /// Of a station, which must match the key: no record may replace it by another.
    var address: String?
    /// Of a playlist, as JSON.
    var entries = ""
    /// Of a place: the key of the file in which it is.
    var file = ""

    private static let mostAddressBytes = 2000

    private enum Column: Int32 {
        case added, saved, milliseconds, finished, words, factor, address, entries, file, seconds
    }

    /// Nil where a record's key or value is none of its kind. Nothing of a place is ever taken away.
    init?(_ record: SharedRecord, _ database: Database) throws(SQLiteError) {
        if record.kind == .subscription {
            if !SharedValue.isAddress(record.key) { return nil }
        } else if record.kind == .playlist {
            if !Library.isPlaylistName(record.key) { return nil }
        } else {
            guard let key = SharedKey(record.key), (key.milliseconds != nil) == (record.kind == .bookmark) else {
                return nil
            }
        }
        guard let text = record.value else {
            if record.kind == .place { return nil }
            return
        }
        let row = try database.cached(
            """
            SELECT CASE json_type(?1, '$.added') WHEN 'integer' THEN json_extract(?1, '$.added') END,
              CASE json_type(?1, '$.saved') WHEN 'integer' THEN json_extract(?1, '$.saved') END,
              CASE json_type(?1, '$.milliseconds') WHEN 'integer' THEN json_extract(?1, '$.milliseconds') END,
              json_extract(?1, '$.finished'),
              CASE json_type(?1, '$.words') WHEN 'text' THEN json_extract(?1, '$.words') END,
              CASE json_type(?1, '$.factor') WHEN 'text' THEN json_extract(?1, '$.factor') END,
              CASE json_type(?1, '$.address') WHEN 'text' THEN json_extract(?1, '$.address') END,
              CASE WHEN json_type(?1, '$.entries') = 'array' AND NOT EXISTS(
                SELECT 1 FROM json_each(?1, '$.entries') WHERE type <> 'text' OR value GLOB '*[' || char(1) || '-' || char(31) || ']*')
              THEN json_extract(?1, '$.entries') END,
              CASE json_type(?1, '$.file') WHEN 'text' THEN json_extract(?1, '$.file') END,
              CASE json_type(?1, '$.seconds') WHEN 'text' THEN json_extract(?1, '$.seconds') END
            WHERE json_valid(?1)
            """, .text(text))
        defer { row.reset() }
        guard try row.step() else { return nil }
        let isThere: Bool
        switch record.kind {
        case .favourite, .subscription: isThere = !row.isNull(Column.added)
        case .bookmark: isThere = !row.isNull(Column.added) && !row.isNull(Column.words)
        case .place: isThere = !row.isNull(Column.saved) && !row.isNull(Column.milliseconds)
        case .speed:
            isThere = Speed(text: row.text(Column.factor)) != nil
        case .skip: isThere = SkippedEnds(text: row.text(Column.seconds)) != nil
        case .playlist: isThere = !row.isNull(Column.entries)
        }
        if !isThere { return nil }
        added = Library.seconds(row.integer(Column.added))
        saved = Library.seconds(row.integer(Column.saved))
        milliseconds = Int64(Library.held(row.integer(Column.milliseconds)))
        isFinished = row.integer(Column.finished) != 0
        words =
            switch record.kind {
            case .speed: row.text(Column.factor)
            case .skip: row.text(Column.seconds)
            default: row.text(Column.words)
            }
        entries = row.text(Column.entries)
        if record.kind == .place {
            file = row.optionalText(Column.file) ?? record.key
            guard let place = SharedKey(file), place.milliseconds == nil else { return nil }
        }
        if record.kind == .favourite, let told = row.optionalText(Column.address), SharedValue.isAddress(told),
            Probe(stream: told).identity == SharedKey(record.key)?.content
        {
            address = told
        }
    }

    private static func isAddress(_ text: String) -> Bool {
        (text.begins(with: "https://") || text.begins(with: "http://"))
            && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } && text.utf8.count <= mostAddressBytes
    }
}
