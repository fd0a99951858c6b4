// SPDX-License-Identifier: Apache-2.0
/// Reads numbers of variable length, one after the other. A long book has tens of thousands.
struct StoredNumbers {
    private let bytes: UnsafeRawBufferPointer.SubSequence
    private var at: Int

    init(_ bytes: UnsafeRawBufferPointer.SubSequence) {
        self.bytes = bytes
        at = bytes.startIndex
    }

    var bytesLeft: Int { bytes.endIndex - at }

    /// Nil behind the last, and where one does not fit.
    @inline(__always)
    mutating func next() -> UInt64? {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while at < bytes.endIndex, shift < 64 {
            let byte = bytes[at]
            at += 1
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
        return nil
    }

    /// Nil for a number over a limit, too.
    mutating func next(_ limit: Int64) -> Int64? {
        guard let value: UInt64 = next(), value <= UInt64(limit) else { return nil }
        return Int64(value)
    }

}

extension [UInt8] {
    /// With a checksum behind them.
    func sealed() -> [UInt8] {
        let sum = self[...].checksum
        return self + [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: sum >> $0) }
    }

    /// The number at the time of the seal; nil where they are damaged, cut or of another version.
    /// - Parameter version: their first byte.
    func unsealedCount(version: UInt8) -> Int? {
        let end = count - 4
        guard end > 1, self[0] == version, self[..<end].checksum == littleEndian32(at: end) else { return nil }
        return end
    }

    /// Seven bits a byte, the lowest first, the top bit set on all but the last.
    mutating func append(number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(truncatingIfNeeded: rest))
    }
}

extension ArraySlice<UInt8> {
    /// FNV-1a, 32 bits.
    fileprivate var checksum: UInt32 { reduce(0x811C_9DC5) { ($0 ^ UInt32($1)) &* 0x0100_0193 } }
}
