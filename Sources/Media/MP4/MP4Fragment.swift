// SPDX-License-Identifier: Apache-2.0
/// The units of one track in a fragment of an MP4 (moof): ISO/IEC 14496-12, 8.8.
struct MP4Fragment {
    /// Some consecutive units (trun).
    struct Run {
        /// The offset of the first unit; nil if it follows the run before.
        var start: Int64?
        /// The table of the units; nil if all have `unitBytes`.
        var table: StoredTable?
        /// The place of a unit's size within its entry.
        var sizeAt: Int64 = 0
        var unitBytes: Int64 = 0
        var count: Int64 = 0
    }

    /// The most runs of a fragment; one is usual.
    private static let mostRuns = 64

    private(set) var runs: [Run] = []

    /// - Parameters:
    ///   - box: a moof box.
    ///   - start: the offset of its header.
    ///   - unitBytes: the size of the track's units if the fragment states no other.
    init(_ box: Box, start: Int64, track: UInt32, unitBytes: Int64, _ window: ByteWindow) throws(SourceError) {
        var boxes = BoxWalk(window, in: box)
        while let part = try boxes.next("traf") {
            var parts = BoxWalk(window, in: part)
            guard let head = try parts.next("tfhd"),
                let base = try MP4Fragment.base(head, start: start, track: track, unitBytes: unitBytes, window)
            else { continue }
            while runs.count < MP4Fragment.mostRuns, let run = try parts.next("trun") {
                try take(run, base.offset, base.unitBytes, window)
            }
        }
    }

    /// Returns the defaults for the runs of the track; nil for another track.
    private static func base(
        _ box: Box, start: Int64, track: UInt32, unitBytes: Int64, _ window: ByteWindow
    ) throws(SourceError) -> (offset: Int64, unitBytes: Int64)? {
        let count = Int(min(40, box.byteCount))
        let head = try window.bytes(at: box.start, count: count)
        guard min(head.count, count) >= 8, head.number(at: 4) == track else { return nil }
        let flags = head.number(at: 0)
        var base = (offset: start, unitBytes: unitBytes)
        var at = 8
        if flags & 0x1 != 0 {
            guard min(head.count, count) >= at + 8 else { return nil }
            base.offset = min(.max / 4, head.wideNumber(at: at))
            at += 8
        }
        // Skip the description's number and the duration of each unit.
        for flag: UInt32 in [0x2, 0x8] where flags & flag != 0 { at += 4 }
        if flags & 0x10 != 0 {
            guard min(head.count, count) >= at + 4 else { return nil }
            base.unitBytes = Int64(head.number(at: at))
        }
        return base
    }

    private mutating func take(
        _ box: Box, _ base: Int64, _ unitBytes: Int64, _ window: ByteWindow
    ) throws(SourceError) {
        let count = Int(min(16, box.byteCount))
        let head = try window.bytes(at: box.start, count: count)
        guard min(head.count, count) >= 8 else { return }
        let flags = head.number(at: 0)
        let claimed = Int64(head.number(at: 4))
        var run = Run()
        var at = 8
        if flags & 0x1 != 0 {
            guard min(head.count, count) >= at + 4 else { return }
            run.start = base + Int64(Int32(bitPattern: head.number(at: at)))
            at += 4
        } else if runs.isEmpty {
            run.start = base
        }
        if flags & 0x4 != 0 { at += 4 }
        if flags & 0x200 == 0 {
            // Limit the count to what fits into the largest file.
            guard unitBytes > 0 else { return }
            run.unitBytes = unitBytes
            run.count = min(claimed, SampleTables.mostUnits, (window.source.byteCount ?? .max) / unitBytes)
        } else {
            var columns: Int64 = 0
            for flag: UInt32 in [0x100, 0x200, 0x400, 0x800] where flags & flag != 0 { columns += 1 }
            let table = StoredTable(
                start: box.start + Int64(at), end: box.end, claimed: claimed, entryBits: columns * 32)
            run.table = table
            run.sizeAt = flags & 0x100 == 0 ? 0 : 4
            run.count = table.count
        }
        if run.count > 0 { runs.append(run) }
    }
}
