import Core

/// The units of an ADTS stream.
final class ADTSUnits: UnitSource {
    /// A place further away is worth counting the frames up to the end, once.
    private static let nearUnits: Int64 = 4096

    let config: AudioConfig
    private(set) var index: UnitIndex?
    private let frames: ADTSFrames
    private let source: any ByteSource
    private let header: ADTSHeader
    /// Found, and not read.
    private var missed: (offset: Int64, bytes: Int)?

    /// - Parameter index: what an `ADTSIndexing` once found.
    init(_ source: any ByteSource, _ extent: AudioExtent, _ header: ADTSHeader, _ index: UnitIndex?) {
        self.source = source
        self.header = header
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
                let indexing = ADTSIndexing(source, frames.extent, header)
                while try !indexing.goOn() { if !goOn() { throw .givenUp } }
                index = indexing.index
            }
            var place = index?.place(before: unit) ?? UnitPlace()
            place.offset = place.offset.addingSaturated(frames.extent.start)
            frames.jump(to: place)
        }
        while frames.place.unit < unit, try frames.next() != nil {
            if frames.place.unit % UnitIndex.step == 0, !goOn() { throw .givenUp }
        }
    }
}

/// Goes through the frames of an ADTS stream and counts them. Worker and feed threads.
final class ADTSIndexing: SeekTableMaking {
    /// Two windows of an ordinary stream.
    private static let unitsInStep = 256

    private let frames: ADTSFrames
    private let config: AudioConfig
    private(set) var index = UnitIndex()
    private var isDone = false

    init(_ source: any ByteSource, _ extent: AudioExtent, _ header: ADTSHeader) {
        frames = ADTSFrames(source, extent)
        config = header.config
    }

    func step() throws(MediaError) -> Bool {
        do throws(SourceError) { return try goOn() } catch { throw .source(error) }
    }

    func goOn() throws(SourceError) -> Bool {
        for _ in 0..<ADTSIndexing.unitsInStep where !isDone {
            let place = frames.place
            guard try frames.next() != nil else {
                isDone = true
                index.finish(unitCount: place.unit)
                break
            }
            if place.unit % UnitIndex.step == 0 { index.add(place) }
        }
        return isDone
    }

    var table: SeekTable? { isDone && index.unitCount > 0 ? SeekTable(index, HeardSpan(), config) : nil }
}
