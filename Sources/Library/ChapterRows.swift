import Core
import Media
import Model
import SQLite

/// Chapters as they stand in the database: for each the milliseconds since the one before, the number of the title's bytes (both 7
/// bits a byte, the lowest first, the eighth set where more follow), and the title in UTF-8.
enum ChapterBytes {
    static func bytes(_ chapters: [Chapter]) -> [UInt8] {
        var bytes: [UInt8] = []
        var last = 0
        for chapter in chapters {
            let start = max(last, chapter.startMilliseconds)
            append(start - last, &bytes)
            last = start
            let title = Array(chapter.title.utf8)
            append(title.count, &bytes)
            bytes += title
        }
        return bytes
    }

    private static func append(_ number: Int, _ bytes: inout [UInt8]) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// What is garbled ends the list.
    static func chapters(_ bytes: [UInt8]) -> [Chapter] {
        var chapters: [Chapter] = []
        var at = 0
        var start = 0
        while at < bytes.count {
            guard let step = number(bytes, &at), let count = number(bytes, &at), count <= bytes.count - at else {
                break
            }
            guard let next = start.addingExactly(step), next <= Int(Int32.max) else { break }
            start = next
            let title = String(decoding: bytes[at..<at + count], as: UTF8.self)
            chapters.append(Chapter(startMilliseconds: start, title: title))
            at += count
        }
        return chapters
    }

    /// Up to 31 bits.
    private static func number(_ bytes: [UInt8], _ at: inout Int) -> Int? {
        var number: UInt64 = 0
        var shift: UInt64 = 0
        while at < bytes.count && shift < 35 {
            let byte = bytes[at]
            at += 1
            number |= UInt64(byte & 0x7F) << shift
            shift += 7
            if byte < 0x80 { return number <= UInt64(Int32.max) ? Int(number) : nil }
        }
        return nil
    }
}

extension Library {
    /// The chapters of a file, in order of time; none where it has none.
    public func chapters(of id: Item.ID) -> [Chapter] {
        read(else: []) { (database) throws(SQLiteError) in
            let row = try database.cached(
                "SELECT data, duration FROM itemChapters JOIN item ON item.id = itemChapters.item WHERE itemChapters.item = ?",
                .integer(id))
            defer { row.reset() }
            guard try row.step() else { return [] }
            // How long the audio is may have been found out since they were read.
            return ChapterBytes.chapters(row.bytes(0)).within(row.optionalInteger(1).map { Int(clamping: $0) })
        }
    }

    func setChapters(_ id: Item.ID, _ chapters: [Chapter], _ database: Database) throws(SQLiteError) {
        if chapters.isEmpty {
            try database.cached("DELETE FROM itemChapters WHERE item = ?", .integer(id)).run()
            return
        }
        try database.cached(
            "INSERT OR REPLACE INTO itemChapters(item, data) VALUES(?, ?)", .integer(id),
            .blob(ChapterBytes.bytes(chapters))
        ).run()
    }

    // MARK: Covers

    /// What an item's picture is known by: files of one picture share it. nil for none.
    public func cover(of id: Item.ID) -> Cover? {
        read(else: nil) { (database) throws(SQLiteError) in
            let row = try database.cached(
                "SELECT identity FROM itemCover JOIN cover ON cover.id = itemCover.cover WHERE item = ?", .integer(id))
            defer { row.reset() }
            guard try row.step() else { return nil }
            let bytes = row.bytes(0)
            guard bytes.count == 16 else { return nil }
            func number(_ part: ArraySlice<UInt8>) -> UInt64 { part.reduce(0) { $0 << 8 | UInt64($1) } }
            return Cover(hash: number(bytes[..<8]), byteCount: Int64(truncatingIfNeeded: number(bytes[8...])))
        }
    }

    func setCover(_ id: Item.ID, _ cover: Cover?, _ database: Database) throws(SQLiteError) {
        guard let cover else {
            try database.cached("DELETE FROM itemCover WHERE item = ?", .integer(id)).run()
            return
        }
        var identity: [UInt8] = []
        for number in [cover.hash, UInt64(bitPattern: cover.byteCount)] {
            for shift in 1...8 { identity.append(UInt8(truncatingIfNeeded: number >> UInt64(64 - 8 * shift))) }
        }
        try database.cached("INSERT OR IGNORE INTO cover(identity) VALUES(?)", .blob(identity)).run()
        try database.cached(
            "INSERT OR REPLACE INTO itemCover(item, cover) SELECT ?, id FROM cover WHERE identity = ?", .integer(id),
            .blob(identity)
        ).run()
    }
}
