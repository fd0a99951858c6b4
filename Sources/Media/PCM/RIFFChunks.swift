// SPDX-License-Identifier: Apache-2.0
/// The chunks of a RIFF file (WAV) or an IFF file (AIFF): names, places and lengths. Its memory is bounded for any file.
struct RIFFChunks {
    struct Chunk: Equatable {
        /// Four letters, as a big-endian number.
        let id: UInt32
        /// The offset of its first byte after name and length.
        let start: Int64
        /// The length, limited by the end of the file.
        var byteCount: Int64
    }

    /// The most chunks; no program writes more, and a file of tiny ones is not read to its end.
    private static let mostChunks = 256

    private let source: any ByteSource
    private let isBigEndian: Bool
    private let fileEnd: Int64
    private var at: Int64
    private var count = 0
    /// The length of `data` in RF64's own chunk, for more than 32 bits.
    var longDataBytes: Int64?

    static var data: UInt32 { 0x6461_7461 }

    /// - Parameters:
    ///   - offset: the offset of the first chunk.
    ///   - end: the end of the last chunk; nil for the end of the source.
    init(_ source: any ByteSource, from offset: Int64, to end: Int64? = nil, isBigEndian: Bool) {
        self.source = source
        self.isBigEndian = isBigEndian
        at = offset
        fileEnd = end ?? source.byteCount ?? .max
    }

    /// Returns the next chunk; nil at the end.
    mutating func next() throws(MediaError) -> Chunk? {
        guard count < RIFFChunks.mostChunks, at < fileEnd - 8 else { return nil }
        count += 1
        let head = try readBytes(source, at: at, count: 8)
        guard head.count == 8 else { return nil }
        let id = head.bigEndian32(at: 0)
        let said = isBigEndian ? head.bigEndian32(at: 4) : head.littleEndian32(at: 4)
        var bytes = Int64(said)
        if id == RIFFChunks.data {
            // A file written to a pipe has no known length: the chunk extends to the end.
            if said == .max { bytes = longDataBytes ?? .max }
            if said == 0 && !isBigEndian { bytes = .max }
        }
        let start = at + 8
        let chunk = Chunk(id: id, start: start, byteCount: min(bytes, fileEnd - start))
        // Chunks begin at even places.
        at = bytes >= fileEnd - start ? fileEnd : start + bytes + bytes % 2
        return chunk
    }
}

extension [UInt8] {
    /// Returns four bytes as a big-endian number. `offset + 4` must not lie past the end; the same holds for the others.
    func bigEndian32(at offset: Int) -> UInt32 {
        UInt32(self[offset]) << 24 | UInt32(self[offset + 1]) << 16 | UInt32(self[offset + 2]) << 8
            | UInt32(self[offset + 3])
    }

    func littleEndian32(at offset: Int) -> UInt32 { bigEndian32(at: offset).byteSwapped }

    func littleEndian16(at offset: Int) -> Int { Int(self[offset]) | Int(self[offset + 1]) << 8 }

    func bigEndian16(at offset: Int) -> Int { Int(self[offset]) << 8 | Int(self[offset + 1]) }

    func littleEndian64(at offset: Int) -> UInt64 {
        UInt64(littleEndian32(at: offset)) | UInt64(littleEndian32(at: offset + 4)) << 32
    }
}
