// SPDX-License-Identifier: Apache-2.0
/// The content that identifies an Ogg file. Page numbers and checksums read as zeros, since they change on every page when the length of
/// the comments changes.
final class OggContent: ByteSource {
    /// The masked bytes of a page: stream number, page number, checksum.
    private static let masked = 14..<26

    private let source: any ByteSource

    init(_ source: any ByteSource) { self.source = source }

    var byteCount: Int64? { source.byteCount }
    var isSeekable: Bool { source.isSeekable }

    func readyBytes(at offset: Int64, most: Int) -> Int? { source.readyBytes(at: offset, most: most) }

    func available(at offset: Int64, most: Int) -> Int { source.available(at: offset, most: most) }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SourceError) -> Int {
        // Start earlier, where a page header may begin.
        let before = Int(min(offset, Int64(OggContent.masked.upperBound)))
        let wide = UnsafeMutableRawBufferPointer.allocate(byteCount: before + buffer.count + 8, alignment: 16)
        defer { wide.deallocate() }
        let got = try source.read(into: wide, at: offset - Int64(before))
        let mark: UInt32 = 0x5367_674F
        var place = 0
        while place + 5 <= got {
            if wide.loadUnaligned(fromByteOffset: place, as: UInt32.self) == mark.littleEndian, wide[place + 4] == 0 {
                for at in OggContent.masked where place + at < got { wide[place + at] = 0 }
            }
            place += 1
        }
        let count = max(0, min(got - before, buffer.count))
        if count > 0 { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: wide[before..<before + count])) }
        return count
    }
}
