// SPDX-License-Identifier: Apache-2.0
/// Goes from unit to unit through any container. One thread at a time.
protocol UnitWalk: AnyObject {
    /// The next unit.
    var place: UnitPlace { get }
    /// Brings `place` to where the next unit lies: only then is it a place to go on from. False where it is known that there is none.
    func settle() throws(SourceError) -> Bool
    /// Returns the place of a unit, and goes on to the one behind it. Nil behind the last that is whole.
    func next() throws(SourceError) -> (offset: Int64, bytes: Int64)?
    /// So many entries of an index some 64 KB of reading give.
    var entriesAtOnce: Int64 { get }
    /// Goes on from a place that it once stood at.
    func jump(to place: UnitPlace) throws(SourceError)
    /// Passes over units. Returns how many there were.
    func skip(_ count: Int64) throws(SourceError) -> Int64
}

/// Goes through the units of a stream, or through the tables that tell of them, and counts them. Worker and feed threads.
final class UnitIndexing: SeekTableMaking {
    private let walk: any UnitWalk
    private let config: AudioConfig
    private let span: HeardSpan
    private(set) var index: UnitIndex
    private var isDone = false

    /// - Parameters:
    ///   - walk: at the first unit.
    ///   - index: with nothing in it.
    init(
        _ walk: any UnitWalk, _ config: AudioConfig, _ span: HeardSpan, _ index: UnitIndex = UnitIndex()
    ) {
        self.walk = walk
        self.config = config
        self.span = span
        self.index = index
    }

    func step() throws(MediaError) -> Bool {
        do throws(SourceError) { return try goOn() } catch { throw .source(error) }
    }

    private func goOn() throws(SourceError) -> Bool {
        for _ in 0..<walk.entriesAtOnce where !isDone {
            let isThere = try walk.settle()
            let place = walk.place
            // The first unit of a chunk is told by the chunk.
            let passed = isThere && place.unit < SampleTables.mostUnits ? try walk.skip(UnitIndex.step) : 0
            if passed > 0 { index.add(place) }
            if passed < UnitIndex.step {
                isDone = true
                index.finish(unitCount: place.unit + passed)
            }
        }
        return isDone
    }

    /// Walks through all of it at once.
    func all(goOn isWanted: () -> Bool) throws(SourceError) -> UnitIndex {
        while try !goOn() { if !isWanted() { throw .givenUp } }
        return index
    }

    var table: SeekTable? { isDone && index.unitCount > 0 ? SeekTable(index, span, config) : nil }
}

extension SeekTable {
    init?(_ index: UnitIndex, _ span: HeardSpan, _ config: AudioConfig) {
        let heard = span.samples(
            unitCount: index.unitCount, unitSamples: Int64(config.unitSamples), rate: Int64(config.coreRate))
        guard let length = MediaProbe.milliseconds(frames: heard.heard, rate: config.coreRate) else { return nil }
        self.init(durationMilliseconds: length, own: index.encoded())
    }
}
