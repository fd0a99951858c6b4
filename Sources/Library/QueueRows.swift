// SPDX-License-Identifier: Apache-2.0
import Model
import SQLite

/// The rows of `queueEntry`. `place` orders them and leaves gaps, so that an edit writes only the edited rows: a row between two others
/// takes a number between theirs. Without a free number, the rows around are moved apart.
enum QueueRows {
    /// The gap between neighbors of a queue that was written at once.
    static let gap: Int64 = 1 << 20
    /// The step from an entry to one put behind it: less than half the gap, since the next often comes behind that.
    private static let step: Int64 = 1 << 10

    static func apply(_ change: QueueEdit, _ database: Database) throws(SQLiteError) {
        switch change {
        case .followLibrary: try clear(database)
        case .replace(let entries):
            try clear(database)
            try insert(entries, from: 0, step: gap, database)
        case .remove(let first, let last): try remove(first, last, database)
        case .insert(let entries, let song):
            try insert(entries, after: song, database)
        case .reorder(let entries, let first, let last, let song):
            try remove(first, last, database)
            try insert(entries, after: song, database)
        case .swap(let one, let other): try swap(one, other, database)
        case .prioritise(let first, let last, let priority):
            try database.cached(
                """
                UPDATE queueEntry SET priority = (priority & ~255) | ? WHERE place BETWEEN (SELECT place FROM queueEntry WHERE song = ?)
                  AND (SELECT place FROM queueEntry WHERE song = ?)
                """, .integer(Int64(priority)), .integer(first), .integer(last)
            ).run()
        }
    }

    // MARK: More than a turn of the loop has time for

    /// The limit of rows written in one turn: each may be on pages of its own.
    static let mostAtOnce = 400

    /// Returns whether the change is too long for one turn.
    static func isLong(_ change: QueueEdit, _ database: Database) throws(SQLiteError) -> Bool {
        switch change {
        case .insert(let entries, _), .reorder(let entries, _, _, _): return entries.count > mostAtOnce
        case .replace(let entries): return entries.count > mostAtOnce ? true : try hasMany(database)
        case .followLibrary: return try hasMany(database)
        case .remove(let first, let last), .prioritise(let first, let last, _):
            if first == last { return false }
            return try database.cached(
                """
                SELECT count(*) FROM (SELECT 1 FROM queueEntry
                  WHERE place BETWEEN (SELECT place FROM queueEntry WHERE song = ?)
                    AND (SELECT place FROM queueEntry WHERE song = ?) LIMIT ?)
                """, .integer(first), .integer(last), .integer(mostAtOnce + 1)
            ).first { $0.integer(0) > Int64(mostAtOnce) } ?? false
        case .swap: return false
        }
    }

    /// Returns whether deleting everything takes several turns.
    private static func hasMany(_ database: Database) throws(SQLiteError) -> Bool {
        try database.cached(
            "SELECT count(*) FROM (SELECT 1 FROM queueEntry LIMIT ?)", .integer(2 * mostAtOnce + 1)
        ).first { $0.integer(0) > Int64(2 * mostAtOnce) } ?? false
    }

    /// Returns the place of the first row, or 0 for an empty queue.
    static func first(_ database: Database) throws(SQLiteError) -> Int64 {
        let first = try place("SELECT min(place) FROM queueEntry WHERE place > ?", .min, database) ?? 0
        // Only a damaged queue has come so far.
        if first < .min / 2 { try clear(database) }
        return first < .min / 2 ? 0 : first
    }

    /// Writes the next rows of a queue before the old rows, then deletes the old ones. If the power fails, no entry is missing.
    /// - Returns: true once it is complete.
    static func write(_ draft: QueueDraft, _ database: Database) throws(SQLiteError) -> Bool {
        let count = draft.entries.count
        if draft.written < count {
            let next = min(count, draft.written + mostAtOnce)
            let from = draft.start + Int64(draft.written) * gap
            try insert(Array(draft.entries[draft.written..<next]), from: from, step: gap, database)
            draft.written = next
            if next < count { return false }
        }
        try database.cached(
            "DELETE FROM queueEntry WHERE place IN (SELECT place FROM queueEntry WHERE place >= ? LIMIT ?)",
            .integer(draft.end), .integer(mostAtOnce)
        ).run()
        draft.isWhole = try place("SELECT min(place) FROM queueEntry WHERE place >= ?", draft.end, database) == nil
        return draft.isWhole
    }

    private static func remove(_ first: Int, _ last: Int, _ database: Database) throws(SQLiteError) {
        try database.cached(
            """
            DELETE FROM queueEntry WHERE place BETWEEN (SELECT place FROM queueEntry WHERE song = ?)
              AND (SELECT place FROM queueEntry WHERE song = ?)
            """, .integer(first), .integer(last)
        ).run()
    }

    private static func swap(
        _ one: QueueEntry, _ other: QueueEntry, _ database: Database
    ) throws(SQLiteError) {
        // Each takes the other's place. Entries without a place here stay out, as before.
        let here = try place("SELECT place FROM queueEntry WHERE song = ?", Int64(one.songID), database)
        let there = try place("SELECT place FROM queueEntry WHERE song = ?", Int64(other.songID), database)
        guard let here, let there else { return }
        try remove(one.songID, one.songID, database)
        try remove(other.songID, other.songID, database)
        try insert([one], from: there, step: 0, database)
        try insert([other], from: here, step: 0, database)
    }

    /// Deletes all rows, if there are any: deleting from an empty table would write a page.
    private static func clear(_ database: Database) throws(SQLiteError) {
        if try place("SELECT min(place) FROM queueEntry WHERE place > ?", .min, database) != nil {
            try database.cached("DELETE FROM queueEntry").run()
        }
    }

    private static func insert(
        _ entries: [QueueEntry], after song: Int?, _ database: Database
    ) throws(SQLiteError) {
        guard !entries.isEmpty else { return }
        var before: Int64?
        if let song { before = try place("SELECT place FROM queueEntry WHERE song = ?", Int64(song), database) }
        let after = try place("SELECT min(place) FROM queueEntry WHERE place > ?", before ?? .min, database)
        let count = Int64(entries.count)
        guard let after else { return try insert(entries, from: before ?? 0, step: gap, database) }
        // Before the first row there is unlimited room.
        guard let before else { return try insert(entries, from: after - (count + 1) * gap, step: gap, database) }
        if (after - before) / (count + 1) >= 1 {
            let even = (after - before) / (count + 1)
            return try insert(entries, from: before, step: count == 1 ? min(even, step) : even, database)
        }
        try insert(entries, from: before, step: try makeRoom(for: count, after: before, database), database)
    }

    /// Inserts the rows `from + step`, `from + 2 * step` and so on.
    private static func insert(
        _ entries: [QueueEntry], from: Int64, step: Int64, _ database: Database
    ) throws(SQLiteError) {
        var place = from
        for entry in entries {
            place += step
            try database.cached(
                "INSERT OR REPLACE INTO queueEntry(place, song, item, priority) VALUES(?, ?, ?, ?)", .integer(place),
                .integer(entry.songID), .integer(entry.itemID),
                .integer(Int64(entry.chapter) << 8 | Int64(entry.priority))
            ).run()
        }
    }

    /// Moves entries behind a place so that `count` more fit there. Returns the distance between them. Looks at 32 entries first, and at
    /// eight times as many each time that these have no room to give.
    private static func makeRoom(
        for count: Int64, after before: Int64, _ database: Database
    ) throws(SQLiteError) -> Int64 {
        var most: Int64 = 32
        while true {
            var places: [Int64] = []
            let rows = try database.cached(
                "SELECT place FROM queueEntry WHERE place > ? ORDER BY place LIMIT ?", .integer(before),
                .integer(most + 1))
            while try rows.step() { places.append(rows.integer(0)) }
            // The last one stays in place; behind the queue's last there is unlimited room.
            let isWhole = places.count <= most
            let moved = isWhole ? places.count : places.count - 1
            let distance =
                isWhole ? step : (places[moved] - before) / (count + Int64(moved) + 1)
            if distance >= 16 {
                // No two entries may share a place meanwhile: move those that go forward from the back, then those that go back from the
                // front.
                var targets: [(from: Int64, to: Int64)] = []
                for index in 0..<moved {
                    targets.append((places[index], before + (count + Int64(index) + 1) * distance))
                }
                for target in targets.reversed() where target.to > target.from { try move(target, database) }
                for target in targets where target.to < target.from { try move(target, database) }
                return distance
            }
            most *= 8
        }
    }

    private static func move(_ target: (from: Int64, to: Int64), _ database: Database) throws(SQLiteError) {
        try database.cached(
            "UPDATE OR REPLACE queueEntry SET place = ? WHERE place = ?", .integer(target.to), .integer(target.from)
        ).run()
    }

    private static func place(
        _ sql: StaticString, _ value: Int64, _ database: Database
    ) throws(SQLiteError) -> Int64? {
        try database.cached(sql, .integer(value)).first { $0.optionalInteger(0) } ?? nil
    }

    /// Returns the queue, in its order. Entries of unknown items are left out.
    static func all(_ database: Database) throws(SQLiteError) -> [QueueEntry] {
        try database.prepare(
            """
            SELECT song, queueEntry.item, priority FROM queueEntry JOIN item ON item.id = queueEntry.item
            WHERE song BETWEEN 0 AND ? ORDER BY place
            """, .integer(SpeakerState.mostSongID - 1)
        ).all { rows in
            QueueEntry(
                songID: Int(rows.integer(0)), itemID: rows.integer(1),
                priority: UInt8(truncatingIfNeeded: rows.integer(2)),
                chapter: UInt16(truncatingIfNeeded: rows.integer(2) >> 8))
        }
    }

    // MARK: The first schema's

    /// Reads the one row that once was the whole queue. For each entry it has the song id and the item id, less those of the entry before,
    /// in zigzag and LEB128.
    static func takeOver(_ table: String, _ database: Database) throws(SQLiteError) {
        let row = try database.prepare("SELECT entries FROM \(table)")
        guard try row.step() else { return }
        let entries = decode(row.bytes(0)).filter { $0.songID >= 0 && $0.songID < SpeakerState.mostSongID }
        row.reset()
        try database.execute(
            "UPDATE speaker SET item = NULL")
        let state = try database.prepare("SELECT song, queueIsLibrary FROM speaker")
        var isLibrary = false
        if try state.step() {
            isLibrary = state.integer(1) != 0
            if let current = entries.first(where: { Int64($0.songID) == state.integer(0) }), !state.isNull(0) {
                state.reset()
                try database.prepare("UPDATE speaker SET item = ?", .integer(current.itemID)).run()
            }
        }
        state.reset()
        if isLibrary { return }
        var seen: Set<Int> = []
        try insert(entries.filter { seen.insert($0.songID).inserted }, from: 0, step: gap, database)
    }

    /// Returns as many whole entries as the bytes hold.
    static func decode(_ bytes: [UInt8]) -> [QueueEntry] {
        var queue: [QueueEntry] = []
        var at = 0
        func next() -> Int64? {
            var value: UInt64 = 0
            var shift: UInt64 = 0
            while at < bytes.count, shift < 64 {
                value |= UInt64(bytes[at] & 0x7F) << shift
                at += 1
                if bytes[at - 1] < 0x80 { return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1) }
                shift += 7
            }
            return nil
        }
        var song: Int64 = 0
        var item: Int64 = 0
        while let songDifference = next(), let itemDifference = next() {
            song &+= songDifference
            item &+= itemDifference
            queue.append(QueueEntry(songID: Int(truncatingIfNeeded: song), itemID: item))
        }
        return queue
    }
}

/// A long queue that is written over several turns of the loop.
final class QueueDraft {
    private(set) var entries: [QueueEntry]
    /// The number of entries written.
    var written = 0
    var isWhole = false
    /// The place behind which the rows come. All come before `end`, where the old rows begin.
    let start: Int64
    let end: Int64
    /// True if the state says that the queue is the library, until the rows are complete.
    let isFirst: Bool
    private let room: Int

    init(_ entries: [QueueEntry], before end: Int64, isFirst: Bool) {
        self.entries = entries
        self.end = end
        self.isFirst = isFirst
        // Leaves room for entries that are added at its end meanwhile.
        room = 2 * entries.count + 1
        start = end - Int64(room) * QueueRows.gap
    }

    /// - Returns: false if the entries already written are out of date.
    func goesOn(with new: [QueueEntry]) -> Bool {
        if new.count < written || new.count >= room || isWhole { return false }
        for index in 0..<written where entries[index] != new[index] { return false }
        entries = new
        return true
    }
}

extension Library {
    /// Returns the queue when the speaker last ran; empty if it was the library.
    public func restoredQueue() -> [QueueEntry] {
        read(else: []) { (database) throws(SQLiteError) in try QueueRows.all(database) }
    }

    /// Writes an edit of the queue: only the edited rows. If that fails, the next successful write of a position or state writes the whole
    /// queue (`wholeQueue`). `saveMoreOfQueue` writes the parts that exceed a turn of the loop.
    public func saveQueue(_ change: QueueEdit) {
        if memory.isQueueUnsaved { return saveUnsavedQueue() }
        if memory.queueDraft != nil { return saveWholeQueue() }
        let isLong = read(else: false) { (database) throws(SQLiteError) in try QueueRows.isLong(change, database) }
        switch change {
        case .replace(let entries) where isLong: begin(entries)
        case .followLibrary where isLong: begin([], isLibrary: true)
        default:
            if isLong, let entries = wholeQueue() { return begin(entries) }
            memory.isQueueUnsaved = !writeQueue(change)
        }
    }

    /// Writes the whole queue if an edit of it could not be written.
    func saveUnsavedQueue() { if memory.isQueueUnsaved { saveWholeQueue() } }

    private func saveWholeQueue() {
        guard let entries = wholeQueue() else { return begin([], isLibrary: true) }
        if memory.queueDraft?.goesOn(with: entries) != true { begin(entries) }
    }

    /// - Parameter isLibrary: true if the queue is the library, and all rows are to go.
    private func begin(_ entries: [QueueEntry], isLibrary: Bool = false) {
        let draft: QueueDraft? = read(else: nil) { (database) throws(SQLiteError) in
            var wasLibrary = memory.saved?.queueIsLibrary
            if wasLibrary == nil { wasLibrary = try SpeakerRow.read(database)?.queueIsLibrary }
            return QueueDraft(
                entries, before: try QueueRows.first(database), isFirst: !isLibrary && wasLibrary ?? true)
        }
        memory.queueDraft = draft
        memory.isQueueUnsaved = draft == nil
        // A short queue is written at once.
        let isLong = read(else: true) { (database) throws(SQLiteError) in
            try QueueRows.isLong(.replace(entries), database)
        }
        if !isLong { _ = saveMoreOfQueue() }
    }

    /// Writes the next part of a queue that is too long for one turn of the loop. Until it is complete, the disk has the library as the
    /// queue if that was the queue before; else it has all entries, some at their new places.
    /// - Returns: true if it wrote something: call again, in another turn, once the disk has it.
    public func saveMoreOfQueue() -> Bool {
        guard let draft = memory.queueDraft else { return false }
        let isWritten = write(else: false) { (database) throws(SQLiteError) in
            try database.transaction { () throws(SQLiteError) in
                if try QueueRows.write(draft, database) && draft.isFirst { try SpeakerRow.endFollowing(database) }
            }
            return true
        }
        // A database that was restarted meanwhile has a draft of its own.
        guard memory.queueDraft === draft else { return isWritten }
        if !isWritten {
            memory.queueDraft = nil
            memory.isQueueUnsaved = true
        } else if draft.isWhole {
            memory.queueDraft = nil
            if draft.isFirst { memory.saved?.queueIsLibrary = false }
        }
        return isWritten
    }

    /// Writes the rest of the queue, before the end.
    func saveRestOfQueue() { while saveMoreOfQueue() {} }

    private func writeQueue(_ change: QueueEdit) -> Bool {
        write(else: false) { (database) throws(SQLiteError) in
            try database.transaction { () throws(SQLiteError) in try QueueRows.apply(change, database) }
            return true
        }
    }
}
