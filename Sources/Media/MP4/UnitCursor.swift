// SPDX-License-Identifier: Apache-2.0
import Core

/// Walks over the units of a track, singly or many at once, with small windows on the tables. One thread at a time.
final class UnitCursor: UnitWalk {
    private static let windowBytes = 16 * 1024
    /// The most consecutive runs that do not begin later than the run before.
    private static let mostIdleRuns = 1000

    private let tables: SampleTables
    /// The length of the file; units beyond it do not exist.
    private let fileBytes: Int64
    private let sizeWindow: ByteWindow
    private let chunkWindow: ByteWindow
    private let runWindow: ByteWindow
    /// The next unit; its offset counts within its chunk.
    private(set) var place = UnitPlace()
    /// The number of units in the chunk of `place`; -1 before the tables were read for it.
    private var unitsInChunk: Int64 = -1
    /// The first chunk of the next stsc entry, counted from 0.
    private var nextRunChunk: Int64 = .max
    private(set) var isAtEnd = false

    /// - Parameter windowBytes: the window for the table of sizes; the others get a quarter of it.
    init(_ source: any ByteSource, _ tables: SampleTables, windowBytes: Int = UnitCursor.windowBytes) {
        self.tables = tables
        fileBytes = source.byteCount ?? .max
        sizeWindow = ByteWindow(source, bytes: windowBytes)
        chunkWindow = ByteWindow(source, bytes: windowBytes / 4)
        runWindow = ByteWindow(source, bytes: windowBytes / 4)
    }

    var entriesAtOnce: Int64 { 16 }

    func jump(to place: UnitPlace) {
        self.place = place
        unitsInChunk = -1
        isAtEnd = false
    }

    func next() throws(SourceError) -> (offset: Int64, bytes: Int64)? {
        guard try enter() else { return nil }
        let offset = place.offset
        guard try step(1) == 1 else { return nil }
        return (offset, place.offset - offset)
    }

    func skip(_ count: Int64) throws(SourceError) -> Int64 {
        var left = count
        while left > 0, try enter() {
            let span = min(left, unitsInChunk - place.unitInChunk)
            let passed = try step(span)
            left -= passed
            if passed < span { break }
        }
        return count - left
    }

    func settle() throws(SourceError) -> Bool { try enter() }

    /// Moves to the next chunk if this one has no more units. Returns false at the end.
    private func enter() throws(SourceError) -> Bool {
        if isAtEnd { return false }
        if place.unit >= tables.unitCount { return end() }
        if unitsInChunk < 0 {
            let isWithin = place.unitInChunk > 0
            let offset = place.offset
            guard try findRun() else { return end() }
            if isWithin { place.offset = offset } else { guard try beginChunk() else { return end() } }
        }
        while place.unitInChunk >= unitsInChunk {
            // Skip chunks without units together.
            place.chunk = unitsInChunk == 0 ? max(place.chunk + 1, nextRunChunk) : place.chunk + 1
            place.unitInChunk = 0
            guard place.chunk < tables.chunks.count, try findRun() else { return end() }
            if unitsInChunk > 0, try !beginChunk() { return end() }
        }
        return true
    }

    private func end() -> Bool {
        isAtEnd = true
        return false
    }

    private func beginChunk() throws(SourceError) -> Bool {
        let bytes = Int(tables.chunks.entryBits / 8)
        guard place.chunk < tables.chunks.count else { return false }
        let entry = try chunkWindow.bytes(at: tables.chunks.offset(of: place.chunk), count: bytes)
        guard entry.count >= bytes else { return false }
        place.offset = bytes == 8 ? entry.wideNumber(at: 0) : Int64(entry.number(at: 0))
        return true
    }

    /// Finds the stsc entry of the chunk, from the present one on.
    private func findRun() throws(SourceError) -> Bool {
        if unitsInChunk >= 0 && place.chunk < nextRunChunk { return true }
        if unitsInChunk >= 0 { place.run += 1 }
        // Runs begin at ever later chunks.
        var reached = unitsInChunk >= 0 ? nextRunChunk : 0
        var idleRuns = 0
        while place.run < tables.runs.count {
            let hasNext = place.run + 1 < tables.runs.count
            let wanted = hasNext ? 24 : 12
            let entry = try runWindow.bytes(at: tables.runs.offset(of: place.run), count: wanted)
            guard entry.count >= wanted else { return false }
            unitsInChunk = Int64(entry.number(at: 4))
            nextRunChunk = hasNext ? Int64(entry.number(at: 12)) - 1 : .max
            if place.chunk < nextRunChunk { return true }
            idleRuns = nextRunChunk > reached ? 0 : idleRuns + 1
            if idleRuns > UnitCursor.mostIdleRuns { return false }
            reached = max(reached, nextRunChunk)
            place.run += 1
        }
        return false
    }

    /// Skips units of one chunk. Returns the number of complete ones; nothing follows an incomplete one.
    private func step(_ count: Int64) throws(SourceError) -> Int64 {
        let count = min(count, tables.unitCount - place.unit)
        var done: Int64 = 0
        var bytes: Int64 = 0
        while done < count {
            let room = fileBytes - place.offset - bytes
            var part = try sum(from: place.unit + done, count: count - done)
            let isCut = part.bytes > room
            if isCut, tables.sizes == nil {
                let some = max(0, room) / max(1, tables.unitBytes)
                part = (some, some * tables.unitBytes)
            } else if isCut {
                let most = part.count
                part = (0, 0)
                while part.count < most {
                    let one = try sum(from: place.unit + done + part.count, count: 1)
                    if one.count == 0 || part.bytes + one.bytes > room { break }
                    part = (part.count + 1, part.bytes + one.bytes)
                }
            }
            done += part.count
            bytes += part.bytes
            if isCut || part.count == 0 { break }
        }
        if done < count { isAtEnd = true }
        place.unit += done
        place.unitInChunk += done
        place.offset += bytes
        return done
    }

    /// Returns the number and the bytes of some units: of as many as requested, or as are in the window.
    private func sum(from unit: Int64, count: Int64) throws(SourceError) -> (count: Int64, bytes: Int64) {
        guard let sizes = tables.sizes else { return (count, count.multipliedSaturated(by: tables.unitBytes)) }
        let least = max(1, Int(sizes.entryBits / 8))
        let entries = try sizeWindow.bytes(at: sizes.offset(of: unit), count: least)
        if entries.count < least { return (0, 0) }
        switch sizes.entryBits {
        case 32:
            let some = Int(min(count, Int64(entries.count / 4)))
            var bytes: UInt64 = 0
            var at = 0
            while at < some * 4 {
                bytes &+= UInt64(UInt32(bigEndian: entries.loadUnaligned(fromByteOffset: at, as: UInt32.self)))
                at += 4
            }
            return (Int64(some), Int64(bytes))
        case 16: return (1, Int64(entries[0]) << 8 | Int64(entries[1]))
        case 8: return (1, Int64(entries[0]))
        default: return (1, Int64(unit & 1 == 0 ? entries[0] >> 4 : entries[0] & 15))
        }
    }
}
