import Core

/// The units of an MP4 whose sound stands in fragments, each with its own tables: what is written while it is recorded, and what is sent
/// over networks.
final class FragmentedUnits: UnitSource {
    private let movie: MP4Movie
    private let cursor: FragmentCursor
    private var reader: UnitReader
    private(set) var index: UnitIndex?
    /// Of the first fragment.
    private let start: Int64

    /// - Parameter index: what `indexing` once found.
    init(_ movie: MP4Movie, _ fragments: MP4Movie.Fragments, _ index: UnitIndex?) throws(MediaError) {
        self.movie = movie
        cursor = FragmentCursor(movie.source, fragments)
        reader = UnitReader(movie.source)
        let hasUnits: Bool
        do throws(SourceError) { hasUnits = try cursor.settle() } catch { throw .source(error) }
        guard hasUnits else { throw .noAudio }
        start = cursor.place.offset
        if let index, index.chunkCount == 0, index.runCount == 0 { self.index = index }
    }

    var config: AudioConfig { movie.config }
    var span: HeardSpan { movie.fragmentedSpan }
    var unitCount: Int64? { index?.unitCount }

    func next() throws(SourceError) -> UnsafeRawBufferPointer? {
        try reader.next { () throws(SourceError) in try cursor.take() }
    }

    func jump(to unit: Int64, goOn: () -> Bool) throws(SourceError) {
        reader.forget()
        let here = cursor.place.unit
        if unit < here || index != nil && unit - here >= UnitIndex.step {
            if var place = index?.place(before: unit) {
                place.offset = place.offset.addingSaturated(start)
                try cursor.jump(to: place)
            } else {
                cursor.rewind()
            }
        }
        while cursor.place.unit < unit {
            if try cursor.skip(min(unit - cursor.place.unit, UnitIndex.step)) == 0 { break }
            if !goOn() { throw .givenUp }
        }
    }
}
