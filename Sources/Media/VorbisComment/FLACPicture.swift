// SPDX-License-Identifier: Apache-2.0
/// A picture in a FLAC block, which Vorbis and Opus store in base64: its kind, its type, a description, its size, its bytes.
struct FLACPicture {
    private static let pieceBytes = 16 * 1024
    private static let mostTextBytes = 1024

    let isFrontCover: Bool
    let mime: String
    let cover: Cover
    /// The bytes; nil unless requested.
    let bytes: [UInt8]?
    /// The offset of the picture's first byte within the block.
    let offset: Int
    let byteCount: Int

    /// Returns nil without a picture, or if it is only a link.
    /// - Parameter isVerbatim: true skips the bytes between the first and the last ones.
    init?(_ block: any CommentBytes, keepsBytes: Bool = false, isVerbatim: Bool = false) throws(MediaError) {
        guard let kind = try FLACPicture.number(block), let mimeCount = try FLACPicture.number(block),
            mimeCount <= FLACPicture.mostTextBytes
        else { return nil }
        let said = try block.take(mimeCount)
        guard said.count == mimeCount, !said.has("-->", at: 0), let textCount = try FLACPicture.number(block) else {
            return nil
        }
        guard textCount <= EmbeddedPicture.mostBytes else { return nil }
        try block.skip(textCount)
        let measures = try block.take(16)
        guard measures.count == 16, let count = try FLACPicture.number(block), count > 0,
            count <= EmbeddedPicture.mostBytes
        else { return nil }
        isFrontCover = kind == 3
        offset = 32 + mimeCount + textCount
        byteCount = count
        var first: [UInt8] = []
        var last: [UInt8] = []
        var all: [UInt8] = []
        var left = count
        while left > 0 {
            if isVerbatim, !keepsBytes, first.count >= Cover.sampleBytes, left > Cover.sampleBytes {
                try block.skip(left - Cover.sampleBytes)
                left = Cover.sampleBytes
            }
            let most = isVerbatim && !keepsBytes ? Cover.sampleBytes : FLACPicture.pieceBytes
            let piece = try block.take(min(left, most))
            if piece.isEmpty { return nil }
            left -= piece.count
            if first.count < Cover.sampleBytes { first += piece.prefix(Cover.sampleBytes - first.count) }
            last = piece.count >= Cover.sampleBytes ? piece : Array((last + piece).suffix(Cover.sampleBytes))
            if keepsBytes { all += piece }
        }
        cover = Cover(byteCount: Int64(count), first: first, last: Array(last.suffix(Cover.sampleBytes)))
        bytes = keepsBytes ? all : nil
        mime = Picture.mime(said: said, of: first)
    }

    private static func number(_ block: any CommentBytes) throws(MediaError) -> Int? {
        let four = try block.take(4)
        return four.count == 4 ? Int(clamping: four.bigEndian32(at: 0)) : nil
    }
}
