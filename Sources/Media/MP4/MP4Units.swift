// SPDX-License-Identifier: Apache-2.0
extension MP4Movie {
    /// For some minutes of the table of sizes.
    private static let tableBytes = 4096

    /// The units of the sound.
    /// - Parameter index: an earlier result of `indexing`, of this file or another with the same audio.
    func units(_ index: UnitIndex?) throws(MediaError) -> Units {
        let window = ByteWindow(source, bytes: Units.windowBytes)
        let empty = emptyIndex
        // A program that has rearranged the units, and not only moved them together, has written other tables.
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

    /// Goes through the tables of the sound track, or through its fragments.
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
