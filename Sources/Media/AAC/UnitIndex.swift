// SPDX-License-Identifier: Apache-2.0
/// The seek index of a stream: the place of every 256th unit. All units of a ten-hour book would need 18 MB. It is made by one walk over
/// the stream, and fits every file with the same audio at any offset.
struct UnitIndex: Equatable {
    static let step: Int64 = 256
    private static let formatVersion: UInt8 = 1

    /// The number of complete units.
    private(set) var unitCount: Int64 = 0
    /// The shape of the MP4's tables; an index of other tables does not fit.
    let chunkCount: Int64
    let runCount: Int64
    /// The entries, `entryCount` of them, each as the difference from the one before, in variable-length numbers. Offsets count from the
    /// first unit.
    private var entries: [UInt8] = []
    private var entryCount: Int64 = 0
    private var last = UnitPlace()
    private var base: Int64 = 0

    init(chunkCount: Int64 = 0, runCount: Int64 = 0) {
        self.chunkCount = chunkCount
        self.runCount = runCount
    }

    /// Adds the place of unit 0, 256, 512 …, in this order, with offsets in the file.
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

    /// Sets the final number of units.
    mutating func finish(unitCount: Int64) { self.unitCount = unitCount }

    /// Returns the last entry at or before a unit, with its offset from the first unit; nil only for an empty index.
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

    /// Returns the stored form: a version, variable-length numbers, the entries, and a checksum.
    func encoded() -> [UInt8] {
        var bytes: [UInt8] = [UnitIndex.formatVersion]
        bytes.reserveCapacity(entries.count + 32)
        for value in [unitCount, chunkCount, runCount, entryCount] {
            bytes.append(number: UInt64(bitPattern: value))
        }
        bytes += entries
        return bytes.sealed()
    }

    /// Returns nil if the bytes are damaged, truncated, of another version, or contradictory.
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
