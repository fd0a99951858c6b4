// SPDX-License-Identifier: Apache-2.0
import Core

/// A table of numbers in a file: its place, and its number of entries. Entries beyond its box do not count.
struct StoredTable {
    let start: Int64
    let count: Int64
    let entryBits: Int64

    /// - Parameter claimed: the number of entries that the table claims.
    init(start: Int64, end: Int64, claimed: Int64, entryBits: Int64) {
        self.start = start
        self.entryBits = entryBits
        count = max(0, min(claimed, max(0, end - start).multipliedSaturated(by: 8) / entryBits))
    }

    func offset(of entry: Int64) -> Int64 { start + entry * entryBits / 8 }
}

/// The places of a track's units, from the boxes of its sample table (ISO/IEC 14496-12, 8.6 and 8.7). It keeps places only, never the
/// tables.
struct SampleTables {
    /// The most units, hundreds of hours. A hostile file could claim any number.
    static let mostUnits: Int64 = 1 << 26

    /// The size of each unit (stsz, stz2); nil if all have `unitBytes`.
    var sizes: StoredTable?
    var unitBytes: Int64 = 0
    var unitCount: Int64 = 0
    /// The offset of each chunk (stco, co64).
    var chunks = StoredTable(start: 0, end: 0, claimed: 0, entryBits: 32)
    /// The number of units in the chunks from one on (stsc): first chunk, counted from 1; units; kind.
    var runs = StoredTable(start: 0, end: 0, claimed: 0, entryBits: 96)
    /// The runs of units with equal durations (stts).
    var times = StoredTable(start: 0, end: 0, claimed: 0, entryBits: 64)

    /// Reads one box of the sample table; other boxes are ignored.
    mutating func take(_ box: Box, _ window: ByteWindow) throws(SourceError) {
        let head = try window.bytes(at: box.start, count: Int(min(12, box.byteCount)))
        guard head.count >= 8 else { return }
        let count = Int64(head.number(at: 4))
        switch box.kind {
        case Box.kind("stsz"):
            guard head.count >= 12, unitCount == 0 else { return }
            unitBytes = count
            let claimed = Int64(head.number(at: 8))
            if unitBytes == 0 {
                let table = StoredTable(start: box.start + 12, end: box.end, claimed: claimed, entryBits: 32)
                sizes = table
                unitCount = min(table.count, SampleTables.mostUnits)
            } else {
                // Limit the count to what fits into the largest file.
                unitCount = min(claimed, SampleTables.mostUnits, (window.source.byteCount ?? .max) / unitBytes)
            }
        case Box.kind("stz2"):
            guard head.count >= 12, unitCount == 0 else { return }
            let bits = Int64(head[7])
            guard bits == 4 || bits == 8 || bits == 16 else { return }
            let table = StoredTable(
                start: box.start + 12, end: box.end, claimed: Int64(head.number(at: 8)), entryBits: bits)
            sizes = table
            unitCount = min(table.count, SampleTables.mostUnits)
        case Box.kind("stco"):
            chunks = StoredTable(start: box.start + 8, end: box.end, claimed: count, entryBits: 32)
        case Box.kind("co64"):
            chunks = StoredTable(start: box.start + 8, end: box.end, claimed: count, entryBits: 64)
        case Box.kind("stsc"): runs = StoredTable(start: box.start + 8, end: box.end, claimed: count, entryBits: 96)
        case Box.kind("stts"): times = StoredTable(start: box.start + 8, end: box.end, claimed: count, entryBits: 64)
        default: break
        }
    }
}
