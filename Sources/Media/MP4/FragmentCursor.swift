// SPDX-License-Identifier: Apache-2.0
import Core

/// Walks from unit to unit through the fragments of an MP4. It keeps the place of one fragment, never its tables. One thread at a time.
final class FragmentCursor: UnitWalk {
    private static let windowBytes = 4096
    /// The most boxes in a row without a unit; beyond that the stream has ended.
    private static let mostBoxes = 4096

    private let source: any ByteSource
    private let window: ByteWindow
    private let track: UInt32
    private let unitBytes: Int64
    private let end: Int64
    /// The next unit: `offset` is its fragment's, `run` its run, `unitInChunk` its index in the run, and `chunk` its distance from the
    /// fragment.
    private(set) var place = UnitPlace()
    private var runs: [MP4Fragment.Run] = []
    /// The offset of the box after the fragment.
    private var behind: Int64

    init(_ source: any ByteSource, _ fragments: MP4Movie.Fragments) {
        self.source = source
        window = ByteWindow(source, bytes: FragmentCursor.windowBytes)
        track = fragments.track
        unitBytes = fragments.unitBytes
        behind = fragments.start
        end = source.byteCount ?? .max
    }

    func settle() throws(SourceError) -> Bool {
        while true {
            while Int(clamping: place.run) < runs.count {
                let run = runs[Int(place.run)]
                if place.unitInChunk < run.count { return true }
                enter(place.run + 1)
            }
            if try !readFragment() { return false }
        }
    }

    var entriesAtOnce: Int64 { 1 }

    /// Returns the next unit. A truncated one does not count.
    func next() throws(SourceError) -> (offset: Int64, bytes: Int64)? {
        guard try settle() else { return nil }
        let run = runs[Int(place.run)]
        var bytes = run.unitBytes
        if let table = run.table {
            let entry = try window.bytes(at: table.offset(of: place.unitInChunk) + run.sizeAt, count: 4)
            guard entry.count >= 4 else { return nil }
            bytes = Int64(entry.number(at: 0))
        }
        guard let offset = place.offset.addingExactly(place.chunk), offset >= 0, bytes <= end - offset else {
            return nil
        }
        place.unit += 1
        place.unitInChunk += 1
        place.chunk += bytes
        return (offset, bytes)
    }

    /// Skips units without fetching their bytes.
    func skip(_ count: Int64) throws(SourceError) -> Int64 {
        var done: Int64 = 0
        while done < count {
            let isBetween = Int(clamping: place.run) >= runs.count
            if isBetween, behind < end, source.available(at: behind, most: 1) == 0 { throw .notThereYet("") }
            if try next() == nil { break }
            done += 1
        }
        return done
    }

    func jump(to place: UnitPlace) throws(SourceError) {
        behind = place.offset
        self.place = UnitPlace(unit: place.unit)
        runs = []
        guard try readFragment(), self.place.offset == place.offset, place.run >= 0, place.run < runs.count,
            place.unitInChunk >= 0
        else { return }
        // Trust a place within the fragment. For the fragment's first unit, the fragment itself tells the place.
        if place.run > 0 || place.unitInChunk > 0 { self.place = place }
    }

    private func enter(_ run: Int64) {
        place.run = run
        place.unitInChunk = 0
        guard Int(clamping: run) < runs.count, let start = runs[Int(run)].start else { return }
        place.chunk = start - place.offset
    }

    /// Reads the next fragment with units of the track.
    private func readFragment() throws(SourceError) -> Bool {
        for _ in 0..<FragmentCursor.mostBoxes {
            guard behind >= 0, behind < end else { return false }
            var boxes = BoxWalk(window, behind..<end)
            guard let box = try boxes.next() else { return false }
            if box.isNamed("moof") {
                let found = try MP4Fragment(box, start: behind, track: track, unitBytes: unitBytes, window).runs
                if !found.isEmpty {
                    place.offset = behind
                    runs = found
                    enter(0)
                    behind = box.end
                    return true
                }
            }
            behind = box.end
        }
        return false
    }
}
