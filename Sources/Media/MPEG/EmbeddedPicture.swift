// SPDX-License-Identifier: Apache-2.0
import Text

/// A picture in an ID3v2 tag, with the head of its frame (APIC, or PIC in 2.2), which describes it.
struct EmbeddedPicture {
    /// The largest picture to show.
    static let mostBytes = 16 << 20
    /// Enough for encoding, MIME type, kind and description.
    private static let headBytes = 1024
    private static let pieceBytes = 16 * 1024

    let mime: String
    /// True for the front cover (type 3).
    let isFrontCover: Bool
    /// The picture's first bytes, which were read with the head.
    private(set) var first: [UInt8]

    /// Reads the head of the present frame; nil without a picture, or if it is only a link.
    init?(_ frames: inout ID3v2Frames) {
        if frames.bodyLeft > EmbeddedPicture.mostBytes + EmbeddedPicture.headBytes { return nil }
        let head = frames.body(limit: EmbeddedPicture.headBytes)
        guard var reader = ID3TextReader(head) else { return nil }
        let kind: [UInt8]
        if frames.version == 2 {
            guard head.count > 5 else { return nil }
            kind = Array(head[1..<4])
            reader.position = 4
        } else {
            guard let end = head.dropFirst().firstIndex(of: 0), end + 1 < head.count else { return nil }
            kind = Array(head[1..<end])
            reader.position = end + 1
        }
        if kind.has("-->", at: 0) { return nil }
        isFrontCover = head[reader.position] == 3
        reader.position += 1
        // The description must end with a NUL.
        _ = reader.text()
        guard reader.position <= head.count, reader.position < head.count || frames.bodyLeft > 0 else { return nil }
        first = Array(head[reader.position...])
        mime = Picture.mime(said: kind, of: first)
    }

    /// Computes the picture's key. Reads only its last bytes, or all of it if the tag is unsynchronized.
    /// - Parameter isVerbatim: true if the file contains its bytes unchanged.
    func cover(_ frames: inout ID3v2Frames, isVerbatim: Bool) -> Cover? {
        var first = self.first
        var last = self.first
        var count = Int64(first.count)
        while frames.bodyLeft > 0 {
            if isVerbatim, first.count >= Cover.sampleBytes, frames.bodyLeft > Cover.sampleBytes {
                count += Int64(frames.bodyLeft - Cover.sampleBytes)
                frames.skipBody(frames.bodyLeft - Cover.sampleBytes)
                last = []
            }
            let wanted = max(0, Cover.sampleBytes - first.count)
            let piece = frames.body(limit: isVerbatim && wanted > 0 ? wanted : EmbeddedPicture.pieceBytes)
            if piece.isEmpty && frames.bodyLeft == 0 { break }
            count += Int64(piece.count)
            first += piece.prefix(wanted)
            last = Array((last + piece).suffix(Cover.sampleBytes))
        }
        return count > 0
            ? Cover(byteCount: count, first: Array(first.prefix(Cover.sampleBytes)), last: last) : nil
    }
}
