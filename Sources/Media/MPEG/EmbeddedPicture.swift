// SPDX-License-Identifier: Apache-2.0
import Text

/// A picture in an ID3v2 tag, as far as it was looked at: the head of its frame (APIC, in 2.2 PIC), which says what it is.
struct EmbeddedPicture {
    /// Larger ones are none that a speaker shows.
    static let mostBytes = 16 << 20
    /// Encoding, MIME type, what it shows and a description.
    private static let headBytes = 1024
    private static let pieceBytes = 16 * 1024

    let mime: String
    /// It shows the front of the cover (type 3).
    let isFrontCover: Bool
    /// The picture's first bytes, which came along with the head.
    private(set) var first: [UInt8]

    /// Reads the head of the frame that came last; nil where it holds no picture, or only says where one would be.
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
        // The description ends with a NUL that must be there.
        _ = reader.text()
        guard reader.position <= head.count, reader.position < head.count || frames.bodyLeft > 0 else { return nil }
        first = Array(head[reader.position...])
        mime = Picture.mime(said: kind, of: first)
    }

    /// Computes the picture's key. Reads its last bytes, and all of it only where zeros were put into the tag.
    /// - Parameter isVerbatim: its bytes stand in the file as they are.
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
