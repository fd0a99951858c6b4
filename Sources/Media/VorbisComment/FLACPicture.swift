// SPDX-License-Identifier: Apache-2.0
/// A picture as FLAC's block has it, which Vorbis and Opus carry in base64, too: its kind, its type, a description, measures, bytes.
struct FLACPicture {
    private static let pieceBytes = 16 * 1024
    private static let mostTextBytes = 1024

    let isFrontCover: Bool
    let mime: String
    let cover: Cover
    /// Nil unless they were asked for.
    let bytes: [UInt8]?
    /// Of the first of the picture's own, counted from the block's.
    let offset: Int
    let byteCount: Int

    /// Nil where it holds no picture, or only says where one would be.
    /// - Parameter isVerbatim: true skips the bytes between its first and its last ones.
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
