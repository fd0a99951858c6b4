// SPDX-License-Identifier: Apache-2.0
extension MP4Movie {
    /// The window for the table of sizes, enough for some minutes.
    private static let tableBytes = 4096

    /// Returns the units of the sound.
    /// - Parameter index: an earlier result of `indexing`, for this file or another with the same audio.
    func units(_ index: UnitIndex?) throws(MediaError) -> Units {
        let window = ByteWindow(source, bytes: Units.windowBytes)
        let empty = emptyIndex
        // A program that rearranged the units, and did not only move them, has written other tables.
        let isOurs = index?.chunkCount == empty.chunkCount && index?.runCount == empty.runCount
        if let fragments {
            return try Units(
                FragmentCursor(source, fragments), window, config, fragmentedSpan, isOurs ? index : nil)
        }
        let span: HeardSpan
        do throws(SourceError) { span = heardSpan(try gaplessCounts()) } catch { throw .source(error) }
        return try Units(
            UnitCursor(source, sound.tables, windowBytes: MP4Movie.tableBytes), window, config, span,
            isOurs ? index : nil, unitCount: sound.tables.unitCount
        ) { self.indexing() }
    }

    /// Walks over the tables of the sound track, or over its fragments.
    func indexing() -> UnitIndexing {
        if let fragments {
            return UnitIndexing(FragmentCursor(source, fragments), config, fragmentedSpan, emptyIndex)
        }
        return UnitIndexing(UnitCursor(source, sound.tables), config, heardSpan(try? gaplessCounts()), emptyIndex)
    }

    private var emptyIndex: UnitIndex {
        fragments != nil
            ? UnitIndex() : UnitIndex(chunkCount: sound.tables.chunks.count, runCount: sound.tables.runs.count)
    }
}
