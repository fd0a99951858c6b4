// SPDX-License-Identifier: Apache-2.0
/// One track of an MP4, with the facts needed for sound and chapters.
struct MP4Track {
    /// The most entries of a list of references or edits.
    private static let mostEntries: Int64 = 32

    private(set) var id: UInt32 = 0
    /// The kind of track: "soun", "text", …
    private(set) var handler: UInt32 = 0
    /// The number of ticks a second.
    private(set) var timescale: Int64 = 0
    /// The length of the track in its ticks; nil if not stated.
    private(set) var ticks: Int64?
    /// The first tick of the played part.
    private(set) var editStart: Int64 = 0
    /// The length of the played part, in ticks of the movie; nil if not stated.
    private(set) var editMovieTicks: Int64?
    /// The tracks that contain its chapters.
    private(set) var chapterTracks: [UInt32] = []
    private(set) var tables = SampleTables()
    /// The sample description; nil if missing.
    private(set) var description: Box?

    /// - Parameter box: a trak box.
    init(_ box: Box, _ window: ByteWindow) throws(SourceError) {
        var boxes = BoxWalk(window, in: box)
        while let part = try boxes.next() {
            switch part.kind {
            case Box.kind("tkhd"): try takeHeader(part, window)
            case Box.kind("mdia"): try takeMedia(part, window)
            case Box.kind("edts"): try takeEdits(part, window)
            case Box.kind("tref"): try takeReferences(part, window)
            default: break
            }
        }
    }

    var isSound: Bool { handler == Box.kind("soun") }
    var isText: Bool { handler == Box.kind("text") || handler == Box.kind("sbtl") }

    private mutating func takeHeader(_ box: Box, _ window: ByteWindow) throws(SourceError) {
        let head = try window.bytes(at: box.start, count: Int(min(24, box.byteCount)))
        guard head.count >= 24 else { return }
        id = head.number(at: head[0] == 1 ? 20 : 12)
    }

    private mutating func takeMedia(_ box: Box, _ window: ByteWindow) throws(SourceError) {
        var boxes = BoxWalk(window, in: box)
        while let part = try boxes.next() {
            switch part.kind {
            case Box.kind("mdhd"):
                let head = try window.bytes(at: part.start, count: Int(min(32, part.byteCount)))
                guard head.count >= 20 else { return }
                let isWide = head[0] == 1
                if isWide && head.count < 32 { return }
                timescale = Int64(head.number(at: isWide ? 20 : 12))
                let ticks = isWide ? head.wideNumber(at: 24) : Int64(head.number(at: 16))
                self.ticks = ticks > 0 && ticks < (isWide ? .max : Int64(UInt32.max)) ? ticks : nil
            case Box.kind("hdlr"):
                let head = try window.bytes(at: part.start, count: Int(min(12, part.byteCount)))
                if head.count >= 12 { handler = head.number(at: 8) }
            case Box.kind("minf"):
                var within = BoxWalk(window, in: part)
                guard let table = try within.next("stbl") else { break }
                var tables = BoxWalk(window, in: table)
                while let part = try tables.next() {
                    if part.isNamed("stsd") { description = part } else { try self.tables.take(part, window) }
                }
            default: break
            }
        }
    }

    /// Takes the first edit that plays something. Pauses before it are ignored; of several edits, everything after the first start plays.
    private mutating func takeEdits(_ box: Box, _ window: ByteWindow) throws(SourceError) {
        var boxes = BoxWalk(window, in: box)
        guard let list = try boxes.next("elst"), list.byteCount >= 8 else { return }
        let head = try window.bytes(at: list.start, count: 8)
        guard head.count >= 8 else { return }
        let isWide = head[0] == 1
        let table = StoredTable(
            start: list.start + 8, end: list.end, claimed: min(Int64(head.number(at: 4)), MP4Track.mostEntries),
            entryBits: isWide ? 160 : 96)
        var count = 0
        for entry in 0..<table.count {
            let least = isWide ? 20 : 12
            let bytes = try window.bytes(at: table.offset(of: entry), count: least)
            guard bytes.count >= least else { break }
            let start =
                isWide
                ? Int64(bitPattern: UInt64(bytes.number(at: 8)) << 32 | UInt64(bytes.number(at: 12)))
                : Int64(Int32(bitPattern: bytes.number(at: 4)))
            if start < 0 { continue }
            count += 1
            if count > 1 {
                editMovieTicks = nil
                break
            }
            editStart = start
            let ticks = isWide ? bytes.wideNumber(at: 0) : Int64(bytes.number(at: 0))
            editMovieTicks = ticks > 0 ? ticks : nil
        }
    }

    private mutating func takeReferences(_ box: Box, _ window: ByteWindow) throws(SourceError) {
        var boxes = BoxWalk(window, in: box)
        guard let list = try boxes.next("chap") else { return }
        let bytes = try window.bytes(at: list.start, count: Int(min(list.byteCount, MP4Track.mostEntries * 4)))
        for i in 0..<min(bytes.count, Int(clamping: list.byteCount)) / 4 {
            if i == Int(MP4Track.mostEntries) { break }
            chapterTracks.append(bytes.number(at: i * 4))
        }
    }
}
