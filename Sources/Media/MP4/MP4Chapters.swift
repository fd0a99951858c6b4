// SPDX-License-Identifier: Apache-2.0
import Core
import Text

/// Chapters of an MP4, from a text track that the sound track refers to (QuickTime), or from a list beside the tags (Nero's chpl, at most
/// 255). If a file has both, the longer one counts.
enum MP4Chapters {
    private static let mostTitleBytes = 1024
    private static let windowBytes = 4096

    static func read(_ movie: MP4Movie, _ list: Box?) -> [Chapter] {
        let track = (try? track(movie)) ?? []
        if track.count >= 255 { return track }
        let listed = list.flatMap { try? entries($0, movie.window) } ?? []
        return listed.count > track.count ? listed : track
    }

    /// Reads the entries: start in units of 100 ns, length of the title in one byte, title.
    private static func entries(_ box: Box, _ window: ByteWindow) throws(SourceError) -> [Chapter] {
        let head = try window.bytes(at: box.start, count: Int(min(9, box.byteCount)))
        guard head.count >= 5 else { return [] }
        // Version 1 has four more bytes.
        let isLong = head[0] >= 1
        guard !isLong || head.count >= 9 else { return [] }
        var at = box.start + (isLong ? 9 : 5)
        var chapters = ChapterList()
        for _ in 0..<Int(head[isLong ? 8 : 4]) {
            guard box.end - at >= 9 else { break }
            let entry = try window.bytes(at: at, count: Int(min(9 + 255, box.end - at)))
            guard entry.count >= 9 else { break }
            let count = Int(entry[8])
            guard entry.count >= 9 + count else { break }
            chapters.add(Int(clamping: entry.wideNumber(at: 0) / 10_000), Array(entry[9..<9 + count]))
            at += Int64(9 + count)
        }
        return chapters.sorted()
    }

    /// Reads a track. Each unit is a title after its length in two bytes, and lasts as long as the chapter.
    private static func track(_ movie: MP4Movie) throws(SourceError) -> [Chapter] {
        guard
            let track = movie.tracks.first(where: { movie.sound.chapterTracks.contains($0.id) && $0.isText }),
            track.timescale > 0
        else { return [] }
        let units = UnitCursor(movie.source, track.tables, windowBytes: windowBytes)
        let titles = ByteWindow(movie.source, bytes: windowBytes)
        var times = UnitTimes(movie.source, track.tables.times)
        var chapters = ChapterList()
        while !chapters.isFull, let unit = try units.next(), let ticks = try times.next() {
            let count = Int(min(unit.bytes, Int64(mostTitleBytes)))
            let bytes = count < 2 ? [] : Array(try titles.bytes(at: unit.offset, count: count).prefix(count))
            let start = ticks.scaledSaturated(by: 1000, over: track.timescale)
            chapters.add(Int(clamping: start), title(bytes))
        }
        return chapters.sorted()
    }

    private static func title(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.count > 2 else { return [] }
        let end = min(bytes.count, 2 + (Int(bytes[0]) << 8 | Int(bytes[1])))
        let text = Array(bytes[2..<end])
        if text.starts(with: [0xFE, 0xFF]) || text.starts(with: [0xFF, 0xFE]) {
            return TextDecoding.utf16(text, 2..<text.count, littleEndian: text[0] == 0xFF)
        }
        return TextDecoding.utf8(fromSingleBytes: text, text.indices)
    }
}

/// Returns the start times of a track's units, one after the other (stts).
private struct UnitTimes {
    /// The most consecutive entries without a unit; a valid file has none.
    private static let mostEmptyEntries = 1000

    private let table: StoredTable
    private let window: ByteWindow
    private var entry: Int64 = 0
    private var left: Int64 = 0
    private var unitTicks: Int64 = 0
    private var ticks: Int64 = 0

    init(_ source: any ByteSource, _ table: StoredTable) {
        self.table = table
        window = ByteWindow(source, bytes: 1024)
    }

    /// Returns the time in ticks of the track; nil at the end.
    mutating func next() throws(SourceError) -> Int64? {
        var emptyEntries = 0
        while left == 0 {
            guard entry < table.count, emptyEntries < UnitTimes.mostEmptyEntries else { return nil }
            emptyEntries += 1
            let bytes = try window.bytes(at: table.offset(of: entry), count: 8)
            guard bytes.count >= 8 else { return nil }
            left = Int64(bytes.number(at: 0))
            unitTicks = Int64(bytes.number(at: 4))
            entry += 1
        }
        left -= 1
        defer { ticks = ticks.addingSaturated(unitTicks) }
        return ticks
    }
}
