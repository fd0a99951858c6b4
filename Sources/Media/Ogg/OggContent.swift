// SPDX-License-Identifier: Apache-2.0
/// An Ogg file by which its audio is known: numbers and checksums of pages are zeros, since they change with every page that new
/// comments take more or less.
final class OggContent: ByteSource {
    /// From the stream's number on: that, the page's number, its checksum.
    private static let masked = 14..<26

    private let source: any ByteSource

    init(_ source: any ByteSource) { self.source = source }

    var byteCount: Int64? { source.byteCount }
    var isSeekable: Bool { source.isSeekable }

    func readyBytes(at offset: Int64, most: Int) -> Int? { source.readyBytes(at: offset, most: most) }

    func available(at offset: Int64, most: Int) -> Int { source.available(at: offset, most: most) }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SourceError) -> Int {
        // With what stands before it, where the head of a page may begin.
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
