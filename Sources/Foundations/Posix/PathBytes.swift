// SPDX-License-Identifier: Apache-2.0
import CPosix

/// To the kernel a path is bytes: an old disk has names in Latin-1. Here it is a String, so that it sorts, joins, and fits a database's
/// text. Each byte outside valid UTF-8 becomes one private-use scalar, U+F700 plus the byte. A scalar from U+F700 to U+F7FF in a name is
/// stored in the same way, byte by byte, so every byte string survives unchanged. Such a path may be cut and joined at any ASCII character.
extension String {
    /// Makes a path from bytes of the kernel or a client.
    @inline(never)
    public init(pathBytes bytes: UnsafeRawBufferPointer) {
        guard var next = PathBytes.firstForeign(in: bytes, from: 0) else {
            self = String(decoding: bytes, as: UTF8.self)
            return
        }
        var held: [UInt8] = []
        held.reserveCapacity(bytes.count + 16)
        var at = 0
        while true {
            held.append(contentsOf: bytes[at..<next])
            if next == bytes.count { break }
            // U+F700 plus the byte, in UTF-8.
            held += [PathBytes.first, 0x9C | bytes[next] >> 6, 0x80 | bytes[next] & 0x3F]
            at = next + 1
            next = PathBytes.firstForeign(in: bytes, from: at) ?? bytes.count
        }
        self = String(decoding: held, as: UTF8.self)
    }

    public init(pathBytes bytes: [UInt8]) { self = bytes.withUnsafeBytes { String(pathBytes: $0) } }

    public init(pathBytes bytes: ArraySlice<UInt8>) { self = bytes.withUnsafeBytes { String(pathBytes: $0) } }

    /// Makes a path from a C string.
    public init(path: UnsafePointer<CChar>) {
        self.init(pathBytes: UnsafeRawBufferPointer(start: path, count: strlen(path)))
    }

    /// The bytes of the path on the disk.
    @inline(never)
    public var pathBytes: [UInt8] {
        var held = self
        return held.withUTF8 { PathBytes.bytes(of: UnsafeRawBufferPointer($0)) }
    }

    /// Calls `body` with the path as a C string. A path with a NUL names nothing and becomes empty.
    @inline(never)
    public func withPath<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        var bytes = pathBytes
        if bytes.contains(0) { bytes = [] }
        bytes.append(0)
        return bytes.withUnsafeBytes { body($0.baseAddress!.assumingMemoryBound(to: CChar.self)) }
    }

    /// A file's name for people. Bytes outside UTF-8 are read as Western European, as in most such names.
    @inline(never)
    public var readable: String {
        if !utf8.contains(PathBytes.first) { return self }
        var readable = ""
        for scalar in unicodeScalars {
            readable.unicodeScalars.append(PathBytes.byte(heldAs: scalar).map(PathBytes.guess) ?? scalar)
        }
        return readable
    }
}

enum PathBytes {
    /// The first byte of the scalars that hold bytes, in UTF-8.
    static let first: UInt8 = 0xEF

    static func byte(heldAs scalar: Unicode.Scalar) -> UInt8? {
        (0xF780...0xF7FF).contains(scalar.value) ? UInt8(truncatingIfNeeded: scalar.value) : nil
    }

    static func bytes(of held: UnsafeRawBufferPointer) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(held.count + 1)
        var at = 0
        while at < held.count {
            if held[at] == first && at + 2 < held.count && held[at + 1] & 0xFE == 0x9E {
                bytes.append(held[at + 1] << 6 | held[at + 2] & 0x3F)
                at += 3
            } else {
                bytes.append(held[at])
                at += 1
            }
        }
        return bytes
    }

    /// Returns the index of the first byte that needs a scalar; nil for none.
    static func firstForeign(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        var at = start
        while at < bytes.count {
            let lead = bytes[at]
            if lead < 0x80 {
                at += 1
                continue
            }
            // Table 3-7 of the Unicode standard: the number of further bytes, and the range of the first of them.
            let (count, least, most): (Int, UInt8, UInt8) =
                switch lead {
                case 0xC2...0xDF: (1, 0x80, 0xBF)
                case 0xE0: (2, 0xA0, 0xBF)
                case 0xED: (2, 0x80, 0x9F)
                case 0xE1...0xEF: (2, 0x80, 0xBF)
                case 0xF0: (3, 0x90, 0xBF)
                case 0xF1...0xF3: (3, 0x80, 0xBF)
                case 0xF4: (3, 0x80, 0x8F)
                default: (0, 0, 0)
                }
            if count == 0 || at + count >= bytes.count { return at }
            let second = bytes[at + 1]
            if second < least || second > most { return at }
            for i in 1...count where bytes[at + i] & 0xC0 != 0x80 { return at }
            if lead == first && second & 0xFC == 0x9C { return at }
            at += count + 1
        }
        return nil
    }

    /// Returns a byte's character in Latin-1, or in Windows-1252 for the range unused there.
    static func guess(_ byte: UInt8) -> Unicode.Scalar {
        if byte >= 0xA0 { return Unicode.Scalar(byte) }
        let guesses: InlineArray<32, UInt16> = [
            0x20AC, 0xFFFD, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152,
            0xFFFD,
            0x017D, 0xFFFD, 0xFFFD, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161,
            0x203A,
            0x0153, 0xFFFD, 0x017E, 0x0178,
        ]
        return Unicode.Scalar(guesses[Int(byte & 0x1F)]) ?? "\u{FFFD}"
    }
}
