// SPDX-License-Identifier: Apache-2.0
import Core

/// The units of an AAC stream one after the other, from any container. Those beside each other are read by one read of the disk. Feed and
/// worker threads; one at a time.
final class Units {
    /// One read of the disk at most; a unit is never so long.
    static let windowBytes = 32 * 1024
    /// A place further away is worth going through all of it, once, where nothing tells where it is.
    private static let nearUnits: Int64 = 4096

    let config: AudioConfig
    /// Of the units decoded, the part that is heard.
    let span: HeardSpan
    /// The index of the stream, if one was made: here, or another time.
    private(set) var index: UnitIndex?
    private let walk: any UnitWalk
    private let window: ByteWindow
    /// Of the first unit.
    private let start: Int64
    /// As the stream says.
    private let toldCount: Int64?
    private let indexing: (() -> UnitIndexing)?
    /// Found, and not read.
    private var missed: (offset: Int64, bytes: Int64)?

    /// - Parameters:
    ///   - walk: at the first unit.
    ///   - window: of `windowBytes`.
    ///   - index: the result of an earlier `UnitIndexing`.
    ///   - unitCount: the number of units, if the file tells it.
    ///   - indexing: goes through all of it; nil where that is no shorter way than to go there.
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

    /// The number of units; nil where they have not been counted.
    var unitCount: Int64? { index?.unitCount ?? toldCount }

    /// The bytes of the next unit, good until the next call; none at all for one that cannot be right. Nil behind the last. If it has yet
    /// to come this throws, and the next call gives it.
    func next() throws(SourceError) -> UnsafeRawBufferPointer? {
        let found = if let missed { missed } else { try walk.next() }
        guard let unit = found else { return nil }
        guard unit.bytes <= Int64(Units.windowBytes), unit.bytes > 0 else {
            return UnsafeRawBufferPointer(start: nil, count: 0)
        }
        missed = unit
        let held = try window.bytes(at: unit.offset, count: Int(unit.bytes))
        missed = nil
        // Behind the end of the file: it is shorter than when it was opened.
        if Int64(held.count) < unit.bytes { return nil }
        return UnsafeRawBufferPointer(rebasing: held[..<Int(unit.bytes)])
    }

    /// Goes on with this unit, or behind the last. Without an index it walks through all of it.
    /// - Parameter goOn: as of `AudioDecoding.seek`.
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
