// SPDX-License-Identifier: Apache-2.0
import Core

/// A table of numbers in a file: its place, and the number of its present entries. Entries beyond the bytes of its box do not count.
struct StoredTable {
    let start: Int64
    let count: Int64
    let entryBits: Int64

    /// - Parameter claimed: entries that the table says it has.
    init(start: Int64, end: Int64, claimed: Int64, entryBits: Int64) {
        self.start = start
        self.entryBits = entryBits
        count = max(0, min(claimed, max(0, end - start).multipliedSaturated(by: 8) / entryBits))
    }

    func offset(of entry: Int64) -> Int64 { start + entry * entryBits / 8 }
}

/// The places of a track's units, from the boxes of its sample table (ISO/IEC 14496-12, 8.6 and 8.7). Only places are held, never the
/// tables.
struct SampleTables {
    /// Hundreds of hours of them: no more are believed to be there, however long a file that holds nothing but zeros.
    static let mostUnits: Int64 = 1 << 26

    /// Of each unit (stsz, stz2); nil where all have the same, `unitBytes`.
    var sizes: StoredTable?
    var unitBytes: Int64 = 0
    var unitCount: Int64 = 0
    /// The start of each chunk (stco, co64).
    var chunks = StoredTable(start: 0, end: 0, claimed: 0, entryBits: 32)
    /// The number of units in the chunks from one on (stsc): first chunk, counted from 1; units; kind.
    var runs = StoredTable(start: 0, end: 0, claimed: 0, entryBits: 96)
    /// The numbers of units with equal lengths (stts).
    var times = StoredTable(start: 0, end: 0, claimed: 0, entryBits: 64)

    /// Takes in one box of the sample table; others are no matter.
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
                // No more than there is room for in the largest file.
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
