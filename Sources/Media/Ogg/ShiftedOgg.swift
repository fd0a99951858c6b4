// SPDX-License-Identifier: Apache-2.0
import Core

/// An Ogg file with its frame counts raised. A part that was cut out of a longer stream may begin below zero, which libopusfile refuses.
final class ShiftedOgg: ByteSource {
    private let source: any ByteSource
    /// The first page to change.
    private let first: OggPage
    private let frames: Int64

    /// - Parameter frames: the number to add on each page of the stream, from `first` on.
    init(_ source: any ByteSource, from first: OggPage, by frames: Int64) {
        self.source = source
        self.first = first
        self.frames = frames
    }

    var byteCount: Int64? { source.byteCount }
    var isSeekable: Bool { source.isSeekable }

    func readyBytes(at offset: Int64, most: Int) -> Int? { source.readyBytes(at: offset, most: most) }

    func available(at offset: Int64, most: Int) -> Int { source.available(at: offset, most: most) }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SourceError) -> Int {
        let count = try source.read(into: buffer, at: offset)
        // Include the bytes before and after, where a page header may begin or end.
        let start = max(0, offset - Int64(OggPage.mostHeadBytes))
        let before = Int(offset - start)
        let most = source.available(at: start, most: before + count + OggPage.mostHeadBytes)
        var wide: [UInt8] = []
        do throws(MediaError) { wide = try readBytes(source, at: start, count: most) } catch {
            if case .source(let cause) = error { throw cause }
        }
        for place in 0..<max(0, min(wide.count, before + count)) where wide[place] == 0x4F {
            guard let page = OggPage(wide, at: place, offset: start), page.serial == first.serial, page.granule != -1,
                page.offset >= first.offset
            else { continue }
            let shifted = page.shifted(by: frames, wide, at: place)
            for (at, byte) in shifted.enumerated() {
                let to = place + OggPage.granulePlace + at - before
                if to >= 0 && to < count { buffer[to] = byte }
            }
        }
        return count
    }
}

extension OggPage {
    static let granulePlace = 6

    /// Returns the header bytes from the granule to the checksum, with the count raised. The new checksum is right if the page's own is.
    fileprivate func shifted(by frames: Int64, _ bytes: [UInt8], at place: Int) -> [UInt8] {
        let new = UInt64(bitPattern: granule.addingSaturated(frames))
        var head = Array(bytes[(place + OggPage.granulePlace)..<(place + OggPage.sumPlace.upperBound)])
        // Checksums are additive: compute the checksum of the change.
        var sum: UInt32 = 0
        for i in 0..<8 {
            let byte = UInt8(truncatingIfNeeded: new >> (8 * UInt64(i)))
            sum = OggPage.sum(sum, byte ^ head[i])
            head[i] = byte
        }
        for _ in 0..<(headBytes + bodyBytes - OggPage.granulePlace - 8) { sum = OggPage.sum(sum, 0) }
        for i in 0..<4 { head[head.count - 4 + i] ^= UInt8(truncatingIfNeeded: sum >> (8 * UInt32(i))) }
        return head
    }
}
