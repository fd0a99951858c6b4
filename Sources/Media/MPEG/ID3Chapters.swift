// SPDX-License-Identifier: Apache-2.0
import Text

/// Chapters from CHAP frames and their tables of contents (CTOC), by the ID3v2 addendum "Chapter Frame" of 2005.
///
/// They are ordered by time, regardless of the order of frames and tables. With a top table only its chapters count, including those of
/// nested tables. Others are not meant for a list, such as pictures that change with the text. Without a usable top table all chapters
/// count.
struct ID3Chapters {
    private struct Entry {
        let id: [UInt8]
        let startMilliseconds: Int
        let title: [UInt8]
    }

    private struct Table {
        let id: [UInt8]
        let isTop: Bool
        let children: [[UInt8]]
    }

    /// The size of a piece of a chapter or table to read. It usually contains the title; pictures are skipped.
    private static let pieceBytes = 2048
    private static let mostTableBytes = 64 * 1024
    private static let mostTables = 256
    /// The limit of names and titles together.
    private static let mostBytes = 1 << 20

    private var entries: [Entry] = []
    private var tables: [Table] = []
    private var keptBytes = 0

    var isEmpty: Bool { entries.isEmpty }

    /// Reads a CHAP frame: its name, its start and end in milliseconds and in bytes, and nested frames.
    mutating func take(chapter frames: inout ID3v2Frames) {
        guard entries.count < ChapterList.mostChapters, keptBytes < ID3Chapters.mostBytes else { return }
        var piece = frames.body(limit: ID3Chapters.pieceBytes)
        guard let end = piece.firstIndex(of: 0), piece.count >= end + 17 else { return }
        let id = Array(piece[..<end])
        let start = piece[(end + 1)...].prefix(4).reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
        // All ones means that the byte offset counts, which no program writes.
        if start == .max { return }
        piece.removeFirst(end + 17)
        let title = ID3Chapters.title(&piece, &frames)
        keptBytes += id.count + title.count
        entries.append(Entry(id: id, startMilliseconds: Int(clamping: start), title: title))
    }

    /// Returns the text of the first TIT2 among the nested frames.
    private static func title(_ piece: inout [UInt8], _ frames: inout ID3v2Frames) -> [UInt8] {
        var at = 0
        while true {
            if piece.count - at < 10 {
                piece.removeFirst(at)
                at = 0
                let more = frames.body(limit: pieceBytes)
                if more.isEmpty || piece.count + more.count < 10 { return [] }
                piece += more
            }
            let sizeBytes = piece[(at + 4)..<(at + 8)]
            let isSafe = frames.version == 4 && sizeBytes.allSatisfy { $0 < 0x80 }
            let size = Int(clamping: sizeBytes.reduce(0 as UInt32) { $0 << (isSafe ? 7 : 8) | UInt32($1) })
            guard piece[at] >= 0x41 && piece[at] <= 0x5A else { return [] }
            let isTitle = piece.has("TIT2", at: at)
            at += 10
            if isTitle {
                let end = at + min(piece.count - at, size)
                guard var reader = ID3TextReader(Array(piece[at..<end])) else { return [] }
                reader.position = 1
                return reader.text()
            }
            if size > piece.count - at {
                frames.skipBody(size - (piece.count - at))
                piece = []
                at = 0
            } else {
                at += size
            }
        }
    }

    /// Reads a CTOC frame: its name, whether it is the top one, and the names of its entries.
    mutating func take(table frames: inout ID3v2Frames) {
        guard tables.count < ID3Chapters.mostTables, keptBytes < ID3Chapters.mostBytes else { return }
        let body = frames.body(limit: ID3Chapters.mostTableBytes)
        guard let end = body.firstIndex(of: 0), body.count >= end + 3 else { return }
        let isTop = body[end + 1] & 2 != 0
        let count = Int(body[end + 2])
        var children: [[UInt8]] = []
        var at = end + 3
        while children.count < count, let childEnd = body[min(at, body.count)...].firstIndex(of: 0) {
            children.append(Array(body[at..<childEnd]))
            at = childEnd + 1
        }
        keptBytes += at
        tables.append(Table(id: Array(body[..<end]), isTop: isTop, children: children))
    }

    var chapters: [Chapter] {
        let listed = self.listed
        var list = ChapterList()
        for entry in entries where listed.isEmpty || listed.contains(entry.id) {
            list.add(entry.startMilliseconds, entry.title)
        }
        return list.sorted()
    }

    /// The chapters reachable from the top tables; empty if there are none.
    private var listed: Set<[UInt8]> {
        if tables.isEmpty { return [] }
        var tableOf: [[UInt8]: Int] = [:]
        for (place, table) in tables.enumerated() { tableOf[table.id] = place }
        var chapters: Set<[UInt8]> = []
        for entry in entries { chapters.insert(entry.id) }
        var pending = Array(tables.indices.filter { tables[$0].isTop })
        var visited = Set(pending)
        var listed: Set<[UInt8]> = []
        while let place = pending.popLast() {
            for child in tables[place].children {
                if chapters.contains(child) {
                    listed.insert(child)
                } else if let next = tableOf[child], visited.insert(next).inserted {
                    pending.append(next)
                }
            }
        }
        return listed
    }
}
