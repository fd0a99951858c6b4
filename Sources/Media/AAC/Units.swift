// SPDX-License-Identifier: Apache-2.0
import Core

/// Reads the units of an AAC stream in order, from any container. Adjacent units share one disk read. Feed and worker threads; one at a
/// time.
final class Units {
    /// The largest disk read; a unit is never that long.
    static let windowBytes = 32 * 1024
    /// The distance of a jump from which making a whole index is worthwhile.
    private static let nearUnits: Int64 = 4096

    let config: AudioConfig
    /// The audible part of the decoded units.
    let span: HeardSpan
    /// The index of the stream, made earlier or here.
    private(set) var index: UnitIndex?
    private let walk: any UnitWalk
    private let window: ByteWindow
    /// The offset of the first unit.
    private let start: Int64
    /// The number of units according to the stream.
    private let toldCount: Int64?
    private let indexing: (() -> UnitIndexing)?
    /// A unit that was found but could not be read yet.
    private var missed: (offset: Int64, bytes: Int64)?

    /// - Parameters:
    ///   - walk: the walk, at the first unit.
    ///   - window: a window of `windowBytes`.
    ///   - index: the result of an earlier `UnitIndexing`.
    ///   - unitCount: the number of units, if the file tells it.
    ///   - indexing: makes the index; nil if that is not faster than a walk to the place.
    init(
        _ walk: any UnitWalk, _ window: ByteWindow, _ config: AudioConfig, _ span: HeardSpan, _ index: UnitIndex?,
        unitCount: Int64? = nil, indexing: (() -> UnitIndexing)? = nil
    ) throws(MediaError) {
        self.walk = walk
        self.window = window
        self.config = config
        self.span = span
        self.index = index
        self.indexing = indexing
        toldCount = unitCount
        let hasUnits: Bool
        do throws(SourceError) { hasUnits = try walk.settle() } catch { throw .source(error) }
        guard hasUnits else { throw .noAudio }
        start = walk.place.offset
    }

    /// The number of units; nil if not counted yet.
    var unitCount: Int64? { index?.unitCount ?? toldCount }

    /// Returns the bytes of the next unit, valid until the next call; empty for an impossible unit, nil at the end. If the unit has not
    /// arrived yet, this throws, and the next call tries it again.
    func next() throws(SourceError) -> UnsafeRawBufferPointer? {
        let found = if let missed { missed } else { try walk.next() }
        guard let unit = found else { return nil }
        guard unit.bytes <= Int64(Units.windowBytes), unit.bytes > 0 else {
            return UnsafeRawBufferPointer(start: nil, count: 0)
        }
        missed = unit
        let held = try window.bytes(at: unit.offset, count: Int(unit.bytes))
        missed = nil
        // The file is shorter than when it was opened.
        if Int64(held.count) < unit.bytes { return nil }
        return UnsafeRawBufferPointer(rebasing: held[..<Int(unit.bytes)])
    }

    /// Continues at a unit, or at the end. Without an index a long jump walks over the whole stream.
    /// - Parameter goOn: the same as for `AudioDecoding.seek`.
    func jump(to unit: Int64, goOn: () -> Bool) throws(SourceError) {
        missed = nil
        let here = walk.place.unit
        if index == nil, unit >= Units.nearUnits, unit < here || unit - here >= Units.nearUnits, let indexing {
            index = try indexing().all(goOn: goOn)
        }
        if unit < here || index != nil && unit - here >= UnitIndex.step {
            var place = index?.place(before: unit) ?? UnitPlace()
            place.offset = place.offset.addingSaturated(start)
            try walk.jump(to: place)
        }
        while walk.place.unit < unit {
            if try walk.skip(min(unit - walk.place.unit, walk.entriesAtOnce * UnitIndex.step)) == 0 { break }
            if !goOn() { throw .givenUp }
        }
    }
}
