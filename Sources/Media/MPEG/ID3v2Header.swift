// SPDX-License-Identifier: Apache-2.0
/// The ten bytes at the start of an ID3v2 tag, or at its end ("3DI").
public struct ID3v2Header {
    /// The version: 2, 3, 4, or any other.
    let version: UInt8
    let flags: UInt8
    /// The length without header and footer.
    let bodyBytes: Int64

    var isUnsynchronised: Bool { flags & 0x80 != 0 }
    var hasFooter: Bool { version >= 4 && flags & 0x10 != 0 }

    /// The length of the whole tag. Like libmpg123, it obeys the footer's flag in every version.
    public var tagBytes: Int64 { 10 + bodyBytes + (flags & 0x10 != 0 ? 10 : 0) }

    /// Returns nil if `bytes` do not begin with a header.
    public init?(_ bytes: some RandomAccessCollection<UInt8>) { self.init(bytes, mark: (0x49, 0x44, 0x33)) }

    init?(footer bytes: some RandomAccessCollection<UInt8>) { self.init(bytes, mark: (0x33, 0x44, 0x49)) }

    private init?<Bytes: RandomAccessCollection<UInt8>>(_ bytes: Bytes, mark: (UInt8, UInt8, UInt8)) {
        guard bytes.count >= 10 else { return nil }
        func byte(_ offset: Int) -> UInt8 { bytes[bytes.index(bytes.startIndex, offsetBy: offset)] }
        guard byte(0) == mark.0, byte(1) == mark.1, byte(2) == mark.2, byte(3) != 0xFF, byte(4) != 0xFF else {
            return nil
        }
        guard byte(6) | byte(7) | byte(8) | byte(9) < 0x80 else { return nil }
        version = byte(3)
        flags = byte(5)
        bodyBytes = Int64(byte(6)) << 21 | Int64(byte(7)) << 14 | Int64(byte(8)) << 7 | Int64(byte(9))
    }
}
