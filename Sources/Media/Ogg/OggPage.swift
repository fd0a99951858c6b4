// SPDX-License-Identifier: Apache-2.0
/// The header of a page of an Ogg stream (RFC 3533).
struct OggPage {
    static let mostHeadBytes = 27 + 255

    let offset: Int64
    let flags: UInt8
    /// The position of the last packet that ends in the page, in its codec's units; -1 if none ends.
    let granule: Int64
    let serial: UInt32
    /// The lengths of the segments.
    let segments: [UInt8]

    var isContinued: Bool { flags & 1 != 0 }
    var isFirst: Bool { flags & 2 != 0 }
    var headBytes: Int { 27 + segments.count }
    var bodyBytes: Int { segments.reduce(0) { $0 + Int($1) } }
    var bodyStart: Int64 { offset + Int64(headBytes) }
    var end: Int64 { bodyStart + Int64(bodyBytes) }
    /// The number of packets that end in the page.
    var endedPackets: Int { segments.reduce(0) { $0 + ($1 < 255 ? 1 : 0) } }

    /// Returns nil if no page begins at this place, or its header is truncated.
    /// - Parameter offset: the file offset of the bytes.
    init?(_ bytes: [UInt8], at place: Int, offset: Int64) {
        guard place >= 0, bytes.count >= place + 27, bytes.has("OggS", at: place), bytes[place + 4] == 0 else {
            return nil
        }
        let count = Int(bytes[place + 26])
        guard bytes.count >= place + 27 + count else { return nil }
        self.offset = offset + Int64(place)
        flags = bytes[place + 5]
        granule = Int64(bitPattern: bytes.littleEndian64(at: place + 6))
        serial = bytes.littleEndian32(at: place + 14)
        segments = Array(bytes[(place + 27)..<(place + 27 + count)])
    }

    static func read(_ source: any ByteSource, at offset: Int64) throws(MediaError) -> OggPage? {
        OggPage(try readBytes(source, at: offset, count: mostHeadBytes), at: 0, offset: offset)
    }

    /// Returns true if the whole page is present and intact. Decoders skip other pages, and their numbers mean nothing.
    func isIntact(_ source: any ByteSource) throws(MediaError) -> Bool {
        let bytes = try readBytes(source, at: offset, count: headBytes + bodyBytes)
        guard bytes.count == headBytes + bodyBytes else { return false }
        var sum: UInt32 = 0
        for at in bytes.indices { sum = OggPage.sum(sum, OggPage.sumPlace.contains(at) ? 0 : bytes[at]) }
        return sum == bytes.littleEndian32(at: OggPage.sumPlace.lowerBound)
    }

    /// The place of the checksum.
    static var sumPlace: Range<Int> { 22..<26 }

    /// Returns the checksum extended by one byte.
    static func sum(_ sum: UInt32, _ byte: UInt8) -> UInt32 {
        var sum = sum ^ UInt32(byte) << 24
        for _ in 0..<8 { sum = sum << 1 ^ (sum >> 31) &* 0x04C1_1DB7 }
        return sum
    }

    /// Returns the last page on which a packet ends; nil if there is none in the last 256 KB.
    static func last(_ source: any ByteSource) throws(MediaError) -> OggPage? {
        guard let end = source.byteCount else { return nil }
        var upTo = end
        let step: Int64 = 64 * 1024
        // False matches and damage are rare; a file with more of them is hostile.
        var attempts = 8
        while upTo > 0, upTo > end - 4 * step {
            let from = max(0, upTo - step)
            // A page may begin before the limit and extend beyond it.
            let bytes = try readBytes(source, at: from, count: Int(min(end, upTo + Int64(mostHeadBytes)) - from))
            for place in stride(from: min(bytes.count, Int(upTo - from)) - 1, through: 0, by: -1)
            where bytes[place] == 0x4F {
                if let page = OggPage(bytes, at: place, offset: from), page.granule != -1, page.end <= end {
                    if try page.isIntact(source) { return page }
                    attempts -= 1
                    if attempts == 0 { return nil }
                }
            }
            upTo = from
        }
        return nil
    }
}
