import Core

/// The units of an ADTS stream.
final class ADTSUnits: UnitSource {
    /// A place further away is worth counting the frames up to the end, once.
    private static let nearUnits: Int64 = 4096

    let config: AudioConfig
    private(set) var index: UnitIndex?
    private let frames: ADTSFrames
    private let source: any ByteSource
    /// Found, and not read.
    private var missed: (offset: Int64, bytes: Int)?

    /// - Parameter index: what a `UnitIndexing` once found.
    init(_ source: any ByteSource, _ extent: AudioExtent, _ header: ADTSHeader, _ index: UnitIndex?) {
        self.source = source
        config = header.config
        frames = ADTSFrames(source, extent)
        self.index = index
    }

    /// All of it: no ADTS says what the encoder has put around.
    var span: HeardSpan { HeardSpan() }
    var unitCount: Int64? { index?.unitCount }

    func next() throws(SourceError) -> UnsafeRawBufferPointer? {
        let found = if let missed { missed } else { try frames.next() }
        guard let unit = found else { return nil }
        // Where it has yet to come, the next call gives it.
        missed = unit
        let bytes = try frames.bytes(unit)
        missed = nil
        return bytes
    }

    func jump(to unit: Int64, goOn: () -> Bool) throws(SourceError) {
        missed = nil
        let here = frames.place.unit
        if unit < here || unit - here >= ADTSUnits.nearUnits {
            if index == nil && unit >= ADTSUnits.nearUnits {
                index = try UnitIndexing(ADTSFrames(source, frames.extent), config, span).all(goOn: goOn)
            }
            var place = index?.place(before: unit) ?? UnitPlace()
            place.offset = place.offset.addingSaturated(frames.extent.start)
            frames.jump(to: place)
        }
        while frames.place.unit < unit {
            if try frames.skip(min(unit - frames.place.unit, UnitIndex.step)) == 0 { break }
            if !goOn() { throw .givenUp }
        }
    }
}
