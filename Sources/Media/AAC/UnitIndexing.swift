// SPDX-License-Identifier: Apache-2.0
/// Walks from unit to unit in any container. One thread at a time.
protocol UnitWalk: AnyObject {
    /// The next unit.
    var place: UnitPlace { get }
    /// Moves `place` to the exact place of the next unit, from which a walk can resume. Returns false at a known end.
    func settle() throws(SourceError) -> Bool
    /// Returns the place of a unit, and moves to the next one. Returns nil after the last complete unit.
    func next() throws(SourceError) -> (offset: Int64, bytes: Int64)?
    /// The number of index entries for about 64 KB of reading.
    var entriesAtOnce: Int64 { get }
    /// Resumes at an earlier place.
    func jump(to place: UnitPlace) throws(SourceError)
    /// Skips units. Returns their number.
    func skip(_ count: Int64) throws(SourceError) -> Int64
}

/// Counts the units of a stream, and makes their index, from the units or from the tables that describe them. Worker and feed threads.
final class UnitIndexing: SeekTableMaking {
    private let walk: any UnitWalk
    private let config: AudioConfig
    private let span: HeardSpan
    private(set) var index: UnitIndex
    private var isDone = false

    /// - Parameters:
    ///   - walk: the walk, at the first unit.
    ///   - index: an empty index.
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
            // `settle` was called first, since a chunk gives the place of its first unit.
            let passed = isThere && place.unit < SampleTables.mostUnits ? try walk.skip(UnitIndex.step) : 0
            if passed > 0 { index.add(place) }
            if passed < UnitIndex.step {
                isDone = true
                index.finish(unitCount: place.unit + passed)
            }
        }
        return isDone
    }

    /// Makes the whole index at once.
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
