// SPDX-License-Identifier: Apache-2.0
/// Places to begin at in a stream of units: one entry for each 256, since one for each would be 18 MB for a book of ten hours. Made by
/// going through the stream once, and good for every file that holds the same audio, wherever it lies in it.
struct UnitIndex: Equatable {
    static let step: Int64 = 256
    private static let formatVersion: UInt8 = 1

    /// Whole units.
    private(set) var unitCount: Int64 = 0
    /// The shape of an MP4's own tables; an index made of others does not fit.
    let chunkCount: Int64
    let runCount: Int64
    /// Each entry by its distance from the one before, in numbers of variable length; as many as `entryCount`. Offsets count from the first
    /// unit.
    private var entries: [UInt8] = []
    private var entryCount: Int64 = 0
    private var last = UnitPlace()
    private var base: Int64 = 0

    init(chunkCount: Int64 = 0, runCount: Int64 = 0) {
        self.chunkCount = chunkCount
        self.runCount = runCount
    }

    /// Adds the place of unit 0, 256, 512 …, in this order, with offsets as they are in the file.
    mutating func add(_ place: UnitPlace) {
        if entryCount == 0 { base = place.offset }
        let offset = place.offset - base
        let change = offset &- last.offset
        entries.append(number: UInt64(bitPattern: change &<< 1 ^ change &>> 63))
        entries.append(number: UInt64(bitPattern: place.chunk &- last.chunk))
        entries.append(number: UInt64(bitPattern: place.unitInChunk))
        entries.append(number: UInt64(bitPattern: place.run &- last.run))
        last = place
        last.offset = offset
        entryCount += 1
        unitCount = max(unitCount, place.unit)
    }

    /// So many units are there.
    mutating func finish(unitCount: Int64) { self.unitCount = unitCount }

    /// The last entry at or before a unit, its offset counted from the first unit; nil only where there is none at all.
    func place(before unit: Int64) -> UnitPlace? {
        let wanted = min(max(0, unit) / UnitIndex.step, entryCount - 1)
        if wanted < 0 { return nil }
        return entries.withUnsafeBytes { bytes in
            var numbers = StoredNumbers(bytes[...])
            var place = UnitPlace()
            for entry in 0...wanted {
                guard let offset = numbers.next(), let chunk = numbers.next(), let within = numbers.next(),
                    let run = numbers.next()
                else { return nil }
                place.unit = entry * UnitIndex.step
                place.offset &+= Int64(bitPattern: offset >> 1) ^ -Int64(bitPattern: offset & 1)
                place.chunk &+= Int64(bitPattern: chunk)
                place.unitInChunk = Int64(bitPattern: within)
                place.run &+= Int64(bitPattern: run)
            }
            return place
        }
    }

    // MARK: Storage

    /// As bytes to be stored: a version, numbers of variable length, the entries, and a checksum.
    func encoded() -> [UInt8] {
        var bytes: [UInt8] = [UnitIndex.formatVersion]
        bytes.reserveCapacity(entries.count + 32)
        for value in [unitCount, chunkCount, runCount, entryCount] {
            bytes.append(number: UInt64(bitPattern: value))
        }
        bytes += entries
        return bytes.sealed()
    }

    /// Nil where the bytes are damaged, cut, of another version or contradict themselves.
    init?(encoded bytes: [UInt8]) {
        guard let end = bytes.unsealedCount(version: UnitIndex.formatVersion) else { return nil }
        var values: [Int64] = []
        let left = bytes.withUnsafeBytes { all in
            var numbers = StoredNumbers(all[1..<end])
            while values.count < 4, let value = numbers.next(1 << 48) { values.append(value) }
            return numbers.bytesLeft
        }
        guard values.count == 4, values[0] > 0, values[3] == (values[0] + UnitIndex.step - 1) / UnitIndex.step,
            Int64(left) >= values[3] * 4
        else { return nil }
        unitCount = values[0]
        chunkCount = values[1]
        runCount = values[2]
        entryCount = values[3]
        entries = Array(bytes[(end - left)..<end])
        guard place(before: .max) != nil else { return nil }
    }
}
