import Posix
import SQLite

/// Rows read from a database's pages, without its schema: if the pages that hold it are damaged, all others may be whole. Each page
/// of a table says by itself what its rows are; which table's they are shows in their number of columns and their types.
///
/// https://www.sqlite.org/fileformat2.html, "B-tree Pages" and "Record Format".
struct RescuedPages {
    private static let mostBytes = 64 << 20
    private static let mostRowBytes = 1 << 20

    private let pageBytes: Int
    private let pages: [ArraySlice<UInt8>]

    /// - Parameter path: the database, with its log beside it.
    init(_ path: String) {
        let file = (try? Files.read(path, limit: RescuedPages.mostBytes)) ?? []
        var pageBytes = file.count >= 100 ? Int(file[16]) << 8 | Int(file[17]) : 0
        // What the library makes.
        if pageBytes < 512 || pageBytes & (pageBytes - 1) != 0 { pageBytes = 1024 }
        self.pageBytes = pageBytes
        var pages: [ArraySlice<UInt8>] = []
        var at = 0
        while at + pageBytes <= file.count {
            pages.append(file[at..<at + pageBytes])
            at += pageBytes
        }
        let log = (try? Files.read(path + "-wal", limit: RescuedPages.mostBytes)) ?? []
        RescuedPages.apply(log, pageBytes, &pages)
        self.pages = pages
    }

    /// Puts the pages of a log in the place of those in the file.
    private static func apply(_ log: [UInt8], _ pageBytes: Int, _ pages: inout [ArraySlice<UInt8>]) {
        var at = 32
        while at + 24 + pageBytes <= log.count {
            // Frames of the log before this one have other salts.
            guard log[at + 8..<at + 16].elementsEqual(log[16..<24]) else { return }
            let number = Int(clamping: big(log[at..<at + 4]))
            let page = log[at + 24..<at + 24 + pageBytes]
            if number > 0 && number <= pages.count {
                pages[number - 1] = page
            } else if number == pages.count + 1 {
                pages.append(page)
            }
            at += 24 + pageBytes
        }
    }

    private static func big(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    // MARK: Rows

    struct Row {
        var id: Int64
        var columns: [Value]
    }

    /// Writes what is recognised into a new database. Rows of this schema count before those of the first one, of which freed
    /// pages may still hold some.
    func insert(into database: Database) {
        var found = false
        for isFirst in [false, true] {
            if isFirst && found { return }
            // Each page is gone on to by one row at most, where all is well.
            var visits = 2 * pages.count
            for index in pages.indices {
                var rows = rows(on: index, &visits)
                // What has other columns is no row of the same table, and so none at all.
                let columns = rows.first?.columns.count
                rows.removeAll { $0.columns.count != columns }
                guard let table = RescuedTable(rows, isFirst: isFirst) else { continue }
                let inserts = table.statements.compactMap { try? database.prepare($0) }
                for row in rows {
                    for insert in inserts {
                        if (try? insert.bind([.integer(row.id)] + row.columns.dropFirst())) != nil {
                            try? insert.run()
                        }
                    }
                }
                if case .item = table { found = true }
            }
        }
    }

    /// The rows of a leaf of a table; none for any other page.
    /// - Parameter visits: so many pages more may be gone on to.
    private func rows(on index: Int, _ visits: inout Int) -> [Row] {
        let page = pages[index]
        let base = page.startIndex
        let header = base + (index == 0 ? 100 : 0)
        guard page[header] == 0x0D else { return [] }
        let count = Int(page[header + 3]) << 8 | Int(page[header + 4])
        guard header - base + 8 + 2 * count <= pageBytes else { return [] }
        var rows: [Row] = []
        // Rows do not lie upon each other; those that seem to would make many times what is there.
        var room = pageBytes
        for cell in 0..<count where room > 0 {
            let at = header + 8 + 2 * cell
            let offset = Int(page[at]) << 8 | Int(page[at + 1])
            guard offset < pageBytes else { continue }
            var reader = ByteReader(bytes: page, at: base + offset)
            guard let bytes = reader.varint(), let id = reader.varint(), bytes >= 0,
                bytes <= RescuedPages.mostRowBytes
            else { continue }
            let local = bytesOnPage(of: Int(bytes))
            room -= local
            guard let payload = payload(Int(bytes), local, reader.at, on: page, &visits),
                let columns = RescuedPages.columns(payload)
            else { continue }
            rows.append(Row(id: id, columns: columns))
        }
        return rows
    }

    /// How many of a row's bytes stand on its own page.
    private func bytesOnPage(of count: Int) -> Int {
        let usable = pageBytes
        if count <= usable - 35 { return count }
        let least = (usable - 12) * 32 / 255 - 23
        let wanted = least + (count - least) % (usable - 4)
        return wanted <= usable - 35 ? wanted : least
    }

    /// A row's bytes: those on its page, and those on pages of their own behind them.
    private func payload(
        _ count: Int, _ local: Int, _ start: Int, on page: ArraySlice<UInt8>, _ visits: inout Int
    ) -> [UInt8]? {
        guard start + local + (local < count ? 4 : 0) <= page.endIndex else { return nil }
        var bytes = Array(page[start..<start + local])
        guard local < count else { return bytes }
        var next = Int(clamping: RescuedPages.big(page[start + local..<start + local + 4]))
        while bytes.count < count {
            guard next > 0, next <= pages.count, visits > 0 else { return nil }
            visits -= 1
            let more = pages[next - 1]
            bytes += more.dropFirst(4).prefix(count - bytes.count)
            next = Int(clamping: RescuedPages.big(more.prefix(4)))
        }
        return bytes
    }

    private static func columns(_ payload: [UInt8]) -> [Value]? {
        var header = ByteReader(bytes: payload[...], at: 0)
        guard let headerBytes = header.varint(), headerBytes > 0, headerBytes <= payload.count else { return nil }
        var body = ByteReader(bytes: payload[...], at: Int(headerBytes))
        var columns: [Value] = []
        while header.at < Int(headerBytes) {
            guard columns.count < 32, let type = header.varint(), let value = body.value(type) else { return nil }
            columns.append(value)
        }
        return columns
    }
}

/// Reads a record's numbers and values; nil where it ends too soon.
private struct ByteReader {
    let bytes: ArraySlice<UInt8>
    var at: Int

    /// Seven bits a byte, the ninth byte whole.
    mutating func varint() -> Int64? {
        var value: UInt64 = 0
        for index in 0..<9 {
            guard at < bytes.endIndex else { return nil }
            let byte = bytes[at]
            at += 1
            if index == 8 { return Int64(bitPattern: value << 8 | UInt64(byte)) }
            value = value << 7 | UInt64(byte & 0x7F)
            if byte < 0x80 { return Int64(bitPattern: value) }
        }
        return nil
    }

    mutating func value(_ type: Int64) -> Value? {
        switch type {
        case 0: return .null
        case 1...4: return integer(Int(type))
        case 5: return integer(6)
        case 6: return integer(8)
        case 8: return .integer(Int64(0))
        case 9: return .integer(Int64(1))
        case 12...:
            guard (type - 12) / 2 <= Int64(bytes.endIndex - at) else { return nil }
            let count = Int((type - 12) / 2)
            defer { at += count }
            let part = Array(bytes[at..<at + count])
            return type % 2 == 0 ? .blob(part) : .text(String(decoding: part, as: UTF8.self))
        default: return nil
        }
    }

    private mutating func integer(_ count: Int) -> Value? {
        guard at + count <= bytes.endIndex else { return nil }
        defer { at += count }
        var value: Int64 = bytes[at] >= 0x80 ? -1 : 0
        for byte in bytes[at..<at + count] { value = value << 8 | Int64(byte) }
        return .integer(value)
    }
}

/// A table that a page's rows are of, as far as they are worth rescuing and can be told apart.
private enum RescuedTable {
    case content, item, progress, favourite, bookmark, speaker, playing, speed, queueEntry, feed, episode
    case firstItem, firstSpeaker

    init?(_ rows: [RescuedPages.Row], isFirst: Bool) {
        guard let row = rows.first else { return nil }
        let kinds = row.columns.map { $0.kind }
        switch (row.columns.count, isFirst) {
        case (15, false) where kinds[1] == .integer && kinds[2] == .text && kinds[3] == .blob: self = .item
        case (13, false) where kinds[1...9].allSatisfy { $0 == .text } && kinds[10] == .integer: self = .feed
        case (10, false) where kinds[4...7].allSatisfy { $0 == .text } && kinds[8] == .integer: self = .episode
        case (16, true) where kinds[1] == .integer && kinds[2] == .integer && kinds[3] == .text: self = .firstItem
        case (7, false) where kinds[2] == .integer && kinds[5] == .integer: self = .speaker
        case (8, false) where kinds[1...6].allSatisfy { $0 == .integer }: self = .playing
        case (6, true) where kinds[2] == .integer && kinds[5] == .integer: self = .firstSpeaker
        case (5, _) where kinds[1...3].allSatisfy { $0 == .integer }: self = .progress
        case (5, false) where kinds[2] == .integer && kinds[3] == .text && kinds[4] == .integer: self = .bookmark
        case (4, false) where kinds[1...3].allSatisfy { $0 == .integer }: self = .queueEntry
        case (3, _) where kinds[1...2].allSatisfy { $0 == .integer }:
            // A hash is a large number, an id is not.
            let isHash = rows.contains { row in
                if case .integer(let value) = row.columns[1] { value.magnitude > 1 << 40 } else { false }
            }
            if isHash && isFirst { return nil }
            self = isHash ? .content : .favourite
        case (2, false) where kinds[1] == .text: self = .speed
        default: return nil
        }
    }

    /// What writes a row: ?1 is its id.
    var statements: [String] {
        let start = "INSERT OR IGNORE INTO "
        switch self {
        case .content: return [start + "content(id, hash, audioBytes) VALUES(?1, ?2, ?3)"]
        case .item:
            return [
                start + """
                    item(id, content, path, pathKey, fileBytes, fileModified, title, titleKey, artist, album, duration, artwork,
                      added, isPresent, goneSince) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
                    """
            ]
        case .firstItem:
            // ?13 was a transcript's path.
            return [
                start + "content(id, hash, audioBytes) SELECT ?1, ?2, ?3 WHERE ?16 IS NOT NULL",
                start + """
                    item(id, content, path, pathKey, fileBytes, fileModified, title, titleKey, artist, album, duration, artwork,
                      added, isPresent) SELECT ?1, ?1, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?14, ?15, ?16 WHERE ?13 IS ?13
                    """,
            ]
        case .progress:
            return [start + "progress(content, milliseconds, saved, playCount, played) VALUES(?1, ?2, ?3, ?4, ?5)"]
        case .favourite: return [start + "favourite(sequence, content, added) VALUES(?1, ?2, ?3)"]
        case .bookmark:
            return [start + "bookmark(sequence, content, milliseconds, words, added) VALUES(?1, ?2, ?3, ?4, ?5)"]
        case .speaker, .firstSpeaker:
            var statement = start + "speaker(id, song, isPlaying, volume, nextSong, queueIsLibrary"
            let values = ") VALUES(?1, ?2, ?3, ?4, ?5, ?6"
            if case .speaker = self {
                statement += ", item" + values + ", ?7)"
            } else {
                statement += values + ")"
            }
            return [statement]
        case .playing:
            return [
                start + """
                    playing(id, isRandom, repeats, single, consumes, mixRamp, mixRampDelay, pausedSince)
                    VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
                    """
            ]
        case .speed: return [start + "speed(content, factor) VALUES(?1, ?2)"]
        // Asked for anew, as after any rescue.
        case .feed:
            return [
                start + """
                    feed(id, address, origin, name, title, author, details, picture, entityTag, lastModified, checked, problem, added)
                    VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, '', '', 0, ?12, ?13)
                    """
            ]
        case .episode:
            return [
                start + """
                    episode(item, feed, address, published, picture, transcript, transcriptType, chapters, stamp, state)
                    VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 0, ?10)
                    """
            ]
        case .queueEntry: return [start + "queueEntry(place, song, item, priority) VALUES(?1, ?2, ?3, ?4)"]
        }
    }
}

extension Value {
    fileprivate enum Kind { case null, integer, text, blob, other }

    fileprivate var kind: Kind {
        switch self {
        case .null: .null
        case .integer: .integer
        case .text: .text
        case .blob: .blob
        default: .other
        }
    }
}
