// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Posix
import SQLite

/// Merging the records of another device: of a household, or of an exported file.
extension Library {
    /// The result of merging a record.
    public enum Merge: String, Sendable {
        /// The record changed something here.
        case added
        /// The library's own record is later.
        case older
        /// The record is known here, or changes nothing.
        case same
        /// The text is no record of ours.
        case refused
        /// The record is of the place in the work that plays: bring it again once that does not play.
        case later
        case notSaved
    }

    /// The functions to subscribe and unsubscribe, since podcasts need more than rows.
    public struct Subscribing {
        /// Subscribes by address and title; false if it could not be saved.
        public var add: (String, String) -> Bool
        public var remove: (Feed) -> Void

        public init(add: @escaping (String, String) -> Bool, remove: @escaping (Feed) -> Void) {
            self.add = add
            self.remove = remove
        }
    }

    /// Merges a record if it is later than the known one of its key. A record of audio without a file waits until a file has it.
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
        if record.kind == .favourite { memory.favourites = (0, .min) }
        if record.kind == .playlist && !isOfHousehold { return .refused }
        var address: String?
        let outcome = write(else: Merge.notSaved) { (database) throws(SQLiteError) in
            guard let value = try SharedValue(record, database) else { return .refused }
            address = value.address
            var outcome = Merge.notSaved
            try database.transaction { () throws(SQLiteError) in
                let household = try HouseholdRow.read(database)
                if record.kind == .place {
                    outcome = try Library.merge(place: record, value, household, nowMilliseconds, database)
                    return
                }
                let known = try Facts.known(record.kind, record.key, database)
                outcome = try Library.weigh(record, known, household, nowMilliseconds, database)
                if outcome != .added { return }
                if record.kind == .playlist { try Library.apply(playlist: record, database) }
                var content: Int64?
                if record.value != nil, let key = SharedKey(record.key) {
                    content = try Library.content(key, database)
                }
                try Library.accept(record, of: content, household, nowMilliseconds, database)
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

    /// Merges a subscription, which has statements of its own. An interruption between them and the record looks like a listener's change
    /// here.
    private func merge(_ record: SharedRecord, _ subscribing: Subscribing?, _ nowMilliseconds: Int64) -> Merge {
        let outcome = write(else: Merge.notSaved) { (database) throws(SQLiteError) in
            guard try SharedValue(record, database) != nil else { return .refused }
            return try Library.weigh(
                record, try Facts.known(.subscription, record.key, database), try HouseholdRow.read(database),
                nowMilliseconds, database)
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
                try Library.accept(record, of: nil, household, nowMilliseconds, database)
            }
            return .added
        }
    }

    /// Compares a record with the known one under its key: `.added`, `.older` or `.same`.
    private static func weigh(
        _ record: SharedRecord, _ known: SharedRecord?, _ household: HouseholdRow?, _ nowMilliseconds: Int64,
        _ database: Database
    ) throws(SQLiteError) -> Merge {
        guard let known else {
            if household == nil { return record.value == nil ? .same : .added }
            return try isForgotten(record, nowMilliseconds, database) ? .same : .added
        }
        // An exported file of favorites adds, and removes nothing.
        if household == nil, known.value != nil, record.value != nil,
            record.kind == .favourite || record.kind == .bookmark
        {
            return .same
        }
        guard SharedRecord.later(known, record) == known else { return .added }
        return known.hasValue(of: record) ? .same : .older
    }

    /// Notes a record that is now in use.
    /// - Parameter content: the audio of the statement.
    private static func accept(
        _ record: SharedRecord, of content: Int64?, _ household: HouseholdRow?, _ nowMilliseconds: Int64,
        _ database: Database
    ) throws(SQLiteError) {
        if var row = household {
            // This device's own number, in a record unknown here: the card is a copy of another's, or an old state of its own. Give it a
            // new number.
            if record.device == UInt64(bitPattern: row.device) { row.device = try HouseholdRow.newDevice(database) }
            row.clock.saw(record.time, now: nowMilliseconds)
            try row.write(database)
        }
        try Facts.put(record, of: content, isShared: household != nil, database)
    }

    /// Merges a place if it is later than that of its work.
    private static func merge(
        place record: SharedRecord, _ value: SharedValue, _ household: HouseholdRow?, _ nowMilliseconds: Int64,
        _ database: Database
    ) throws(SQLiteError) -> Merge {
        var household = household
        let work: Facts.Work
        var known: SharedRecord?
        if var row = household {
            // The listening here becomes a fact first, with its own time.
            try Facts.takeLastHeard(&row, nowMilliseconds, database)
            work = try Facts.work(record.key, file: value.file, database)
            _ = try Facts.take(placeOf: work, &row, nowMilliseconds, database)
            try row.write(database)
            household = row
            known = try Facts.knownPlace(of: work, database)
        } else {
            work = try Facts.work(record.key, file: value.file, database)
            known = try Facts.row(of: work, database).map { (row) throws(SQLiteError) in
                try Facts.record(of: work, row, database)
            }
        }
        let outcome = try weigh(record, known, household, nowMilliseconds, database)
        if outcome != .added { return outcome }
        try apply(place: record, value, ofWorkOf: work.item, isShared: household != nil, database)
        // A speaker outside a household has it in `workPlace` alone.
        if household != nil { try accept(record, of: nil, household, nowMilliseconds, database) }
        return outcome
    }

    /// Makes another device's place the place of its work. The last heard work stays the last, independent of the order of arrival. In a
    /// household the records' times decide, not a board's clock.
    private static func apply(
        place record: SharedRecord, _ value: SharedValue, ofWorkOf item: Item.ID?, isShared: Bool, _ database: Database
    ) throws(SQLiteError) {
        guard let file = SharedKey(value.file), let content = try content(file, database) else { return }
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
            if let key = try Facts.key(ofContent: last.file, database) {
                let lastKnown = try Facts.knownPlace(of: try Facts.work(key, database), database)
                isLater = lastKnown.map { $0.time > record.time } ?? false
            }
        }
        if isLater { try WorkPlaces.moveToEnd(last, database) }
    }

    /// Returns the row of audio, and makes it if it is missing.
    private static func content(_ key: SharedKey, _ database: Database) throws(SQLiteError) -> Int64? {
        try database.cached(
            "INSERT OR IGNORE INTO content(hash, audioBytes) VALUES(?, ?)", key.values[0], key.values[1]
        ).run()
        let content = try database.cached(
            "SELECT id FROM content WHERE hash = ? AND audioBytes = ?", key.values[0], key.values[1]
        ).first { $0.integer(0) }
        // As for audio that a scan finds.
        try database.cached("INSERT OR IGNORE INTO plays(content, playCount) VALUES(?, 0)", .optional(content)).run()
        return content
    }

    /// Makes the book of a place, if that is due: otherwise its files would be works of their own.
    private func makeBook(of record: SharedRecord) {
        let item: Item.ID? = read(else: nil) { (database) throws(SQLiteError) in
            guard let value = try SharedValue(record, database) else { return nil }
            return try Facts.item(ofWork: record.key, file: value.file, database)
        }
        if let item { _ = bookPlace(of: item) }
    }

    /// Returns whether a record is of the place in an item's work.
    public func isPlace(_ record: SharedRecord, inWorkOf item: Item.ID) -> Bool {
        if record.kind != .place { return false }
        makeBook(of: record)
        return read(else: false) { (database) throws(SQLiteError) in
            guard let value = try SharedValue(record, database),
                let told = try Facts.item(ofWork: record.key, file: value.file, database)
            else { return false }
            return try database.composed(
                "SELECT 1 FROM item WHERE id = ?2 AND content IN (\(WorkPlaces.files))",
                [.integer(told), .integer(item)]
            ).hasRow()
        }
    }

    /// Reads a record in the form of `journal`; nil for any other text.
    public func record(_ text: String) -> SharedRecord? {
        read(else: nil) { (database) throws(SQLiteError) in try SharedRecord(json: text, database) }
    }
}

extension SharedRecord {
    /// The longest record: a text with every letter escaped as its number.
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
    /// The time of listening in seconds since 1970, for a place.
    var saved: Int64 = 0
    var milliseconds: Int64 = 0
    var isFinished = false
    /// The address of a station, which must match the key: no record may replace it by another.
    var address: String?
    /// The key of the file in which a place is.
    var file = ""

    private static let mostAddressBytes = 2000

    private enum Column: Int32 {
        case added, saved, milliseconds, finished, words, factor, address, entries, file, seconds
    }

    /// nil if a record's key or value does not fit its kind. A place is never removed.
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
        saved = Library.seconds(row.integer(Column.saved))
        milliseconds = Int64(Library.held(row.integer(Column.milliseconds)))
        isFinished = row.integer(Column.finished) != 0
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
