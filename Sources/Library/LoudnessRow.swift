// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import SQLite

/// A row of `loudness`: four numbers of four bytes each, the lowest byte first. They are the two gains in a file's tags, the measured LUFS,
/// and the measured milliseconds; `unknown` without a value.
enum LoudnessRow {
    private static let unknown = Int32.min

    static func bytes(_ loudness: Loudness) -> [UInt8] {
        var bytes: [UInt8] = []
        for number in [loudness.track, loudness.album, loudness.measured, loudness.measuredMilliseconds] {
            let value = UInt32(bitPattern: number.map { Int32(clamping: $0) } ?? unknown)
            for shift in [0, 8, 16, 24] as [UInt32] { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) }
        }
        return bytes
    }

    static func loudness(_ bytes: [UInt8]) -> Loudness? {
        guard bytes.count == 16 else { return nil }
        func number(_ index: Int) -> Int? {
            var value: UInt32 = 0
            for at in 0..<4 { value |= UInt32(bytes[index * 4 + at]) << UInt32(at * 8) }
            let number = Int32(bitPattern: value)
            return number == unknown ? nil : Int(number)
        }
        var loudness = Loudness()
        loudness.track = number(0)
        loudness.album = number(1)
        loudness.measured = number(2)
        loudness.measuredMilliseconds = max(0, number(3) ?? 0)
        return loudness
    }

    static func read(_ content: Int64, _ database: Database) throws(SQLiteError) -> Loudness? {
        try database.cached("SELECT data FROM loudness WHERE content = ?", .integer(content)).first {
            loudness($0.bytes(0))
        } ?? nil
    }

    static func write(_ loudness: Loudness, _ content: Int64, _ database: Database) throws(SQLiteError) {
        try database.cached(
            "INSERT OR REPLACE INTO loudness(content, data) VALUES(?, ?)", .integer(content), .blob(bytes(loudness))
        ).run()
    }

    /// Sets the gains of the tags; the measured values stay.
    static func note(_ tagged: Loudness, _ content: Int64, _ database: Database) throws(SQLiteError) {
        let known = try read(content, database)
        if known == nil && !tagged.isTagged { return }
        var loudness = known ?? Loudness()
        loudness.track = tagged.track
        loudness.album = tagged.album
        if loudness != known { try write(loudness, content, database) }
    }
}

/// The loudness of recordings.
extension Library {
    public func loudness(_ id: Item.ID) -> Loudness {
        guard let content = content(of: id) else { return Loudness() }
        return read(else: nil) { (database) throws(SQLiteError) in try LoudnessRow.read(content, database) }
            ?? Loudness()
    }

    /// Saves the measured loudness of an item.
    public func save(_ loudness: Loudness, of id: Item.ID) {
        guard let content = content(of: id) else { return }
        write(else: ()) { (database) throws(SQLiteError) in try LoudnessRow.write(loudness, content, database) }
    }
}
