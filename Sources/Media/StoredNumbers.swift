// SPDX-License-Identifier: Apache-2.0
/// Reads variable-length numbers in a row. A long book has tens of thousands.
struct StoredNumbers {
    private let bytes: UnsafeRawBufferPointer.SubSequence
    private var at: Int

    init(_ bytes: UnsafeRawBufferPointer.SubSequence) {
        self.bytes = bytes
        at = bytes.startIndex
    }

    var bytesLeft: Int { bytes.endIndex - at }

    /// Returns nil at the end, and for an overflow.
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

    /// Returns the next number; nil for one over a limit, too.
    mutating func next(_ limit: Int64) -> Int64? {
        guard let value: UInt64 = next(), value <= UInt64(limit) else { return nil }
        return Int64(value)
    }

}

extension [UInt8] {
    /// Returns the bytes with a checksum appended.
    func sealed() -> [UInt8] {
        let sum = self[...].checksum
        return self + [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: sum >> $0) }
    }

    /// Returns the length before the checksum; nil for damaged or truncated bytes, or another version.
    /// - Parameter version: the expected first byte.
    func unsealedCount(version: UInt8) -> Int? {
        let end = count - 4
        guard end > 1, self[0] == version, self[..<end].checksum == littleEndian32(at: end) else { return nil }
        return end
    }

    /// Appends a number in seven bits a byte, the lowest first, with the top bit set on all but the last.
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
    /// The 32-bit FNV-1a hash.
    fileprivate var checksum: UInt32 { reduce(0x811C_9DC5) { ($0 ^ UInt32($1)) &* 0x0100_0193 } }
}
