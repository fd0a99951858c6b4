import Core

/// The units of an MP4's sound track.
final class MP4Units: UnitSource {
    /// For some minutes of the table of sizes.
    private static let tableBytes = 4096
    /// A place further away is worth going through all the tables, once.
    private static let nearUnits: Int64 = 4096

    private let movie: MP4Movie
    private let cursor: UnitCursor
    private var reader: UnitReader
    let span: HeardSpan
    private(set) var index: UnitIndex?
    /// Of the first unit.
    private let start: Int64

    /// - Parameter index: what `indexing` once found, of this file or another with the same audio.
    init(_ movie: MP4Movie, _ index: UnitIndex?) throws(MediaError) {
        self.movie = movie
        let tables = movie.sound.tables
        cursor = UnitCursor(movie.source, tables, windowBytes: MP4Units.tableBytes)
        reader = UnitReader(movie.source)
        let hasUnits: Bool
        do throws(SourceError) {
            span = movie.heardSpan(try movie.gaplessCounts())
            hasUnits = try cursor.settle()
        } catch { throw .source(error) }
        guard hasUnits else { throw .noAudio }
        start = cursor.place.offset
        // Whoever has put the units elsewhere, and not only moved them together, has written other tables.
        if let index, index.chunkCount == tables.chunks.count, index.runCount == tables.runs.count {
            self.index = index
        }
    }

    var config: AudioConfig { movie.config }
    var unitCount: Int64? { index?.unitCount ?? movie.sound.tables.unitCount }

    func next() throws(SourceError) -> UnsafeRawBufferPointer? {
        try reader.next { () throws(SourceError) in try cursor.next() }
    }

    func jump(to unit: Int64, goOn: () -> Bool) throws(SourceError) {
        reader.forget()
        let isNear = unit >= cursor.place.unit && unit - cursor.place.unit < MP4Units.nearUnits
        if !isNear {
            if index == nil && unit >= MP4Units.nearUnits {
                index = try movie.indexing().all(goOn: goOn)
            }
            var place = index?.place(before: unit) ?? UnitPlace()
            place.offset = place.offset.addingSaturated(start)
            cursor.jump(to: place)
        }
        _ = try cursor.skip(unit - cursor.place.unit)
    }
}

extension MP4Movie {
    /// Goes through the tables of the sound track, or through its fragments.
    func indexing() -> UnitIndexing {
        if let fragments { return UnitIndexing(FragmentCursor(source, fragments), config, fragmentedSpan) }
        let tables = sound.tables
        return UnitIndexing(
            UnitCursor(source, tables), config, heardSpan(try? gaplessCounts()),
            UnitIndex(chunkCount: tables.chunks.count, runCount: tables.runs.count), entriesInStep: 16)
    }
}
