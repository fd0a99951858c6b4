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

    /// - Parameter index: what an `MP4Indexing` once found, of this file or another with the same audio.
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
                let indexing = MP4Indexing(movie)
                while try !indexing.goOn() { if !goOn() { throw .givenUp } }
                index = indexing.index
            }
            var place = index?.place(before: unit) ?? UnitPlace()
            place.offset = place.offset.addingSaturated(start)
            cursor.jump(to: place)
        }
        _ = try cursor.skip(unit - cursor.place.unit)
    }
}

/// Goes through the tables of an MP4's sound track, part by part. Worker and feed threads.
final class MP4Indexing: SeekTableMaking {
    /// As many as a read of the table holds.
    private static let entriesInStep = 16

    private let movie: MP4Movie
    private let cursor: UnitCursor
    private(set) var index: UnitIndex
    private var isDone = false

    init(_ movie: MP4Movie) {
        self.movie = movie
        let tables = movie.sound.tables
        cursor = UnitCursor(movie.source, tables)
        index = UnitIndex(chunkCount: tables.chunks.count, runCount: tables.runs.count)
    }

    func step() throws(MediaError) -> Bool {
        do throws(SourceError) { return try goOn() } catch { throw .source(error) }
    }

    func goOn() throws(SourceError) -> Bool {
        for _ in 0..<MP4Indexing.entriesInStep where !isDone {
            // The first unit of a chunk is told by the chunk.
            guard try cursor.settle() else {
                finish()
                break
            }
            index.add(cursor.place)
            if try cursor.skip(UnitIndex.step) < UnitIndex.step { finish() }
        }
        return isDone
    }

    private func finish() {
        isDone = true
        index.finish(unitCount: cursor.place.unit)
    }

    var table: SeekTable? {
        guard isDone, index.unitCount > 0 else { return nil }
        return SeekTable(index, movie.heardSpan(try? movie.gaplessCounts()), movie.config)
    }
}

extension SeekTable {
    init?(_ index: UnitIndex, _ span: HeardSpan, _ config: AudioConfig) {
        let heard = span.samples(
            unitCount: index.unitCount, unitSamples: Int64(config.unitSamples), rate: Int64(config.coreRate))
        guard let length = MediaProbe.milliseconds(frames: heard.heard, rate: config.coreRate) else { return nil }
        self.init(durationMilliseconds: length, own: index.encoded())
    }
}
