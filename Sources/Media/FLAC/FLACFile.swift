// SPDX-License-Identifier: Apache-2.0
/// The part of a FLAC file before its audio.
struct FLACFile {
    private static let mostBlocks = 256

    let info: FLACStreamInfo
    private(set) var comments: VorbisComments?
    /// The front cover, else the first picture, and the place of its bytes.
    private(set) var picture: (head: FLACPicture, at: Int64)?
    /// The offset of the first frame.
    private(set) var audioStart: Int64

    init(_ head: MediaHead, keeps: VorbisComments.Parts = []) throws(MediaError) {
        let source = head.source
        var at = head.start + 4
        var info: FLACStreamInfo?
        for _ in 0..<FLACFile.mostBlocks {
            let header = try readBytes(source, at: at, count: 4)
            guard header.count == 4 else { break }
            let count = Int64(header.bigEndian32(at: 0) & 0xFF_FFFF)
            let start = at + 4
            let block = FileBytes(source, from: start, byteCount: count)
            switch header[0] & 0x7F {
            case 0: if info == nil { info = FLACStreamInfo(try block.take(FLACStreamInfo.byteCount)) }
            case 4: if comments == nil { comments = try VorbisComments(block, keeps: keeps) }
            case 6:
                if picture?.head.isFrontCover != true, let found = try FLACPicture(block, isVerbatim: true),
                    picture == nil || found.isFrontCover
                {
                    picture = (found, start + Int64(found.offset))
                }
            default: break
            }
            // No overflow: 24 bits added to a file offset.
            at = start + count
            if header[0] & 0x80 != 0 { break }
        }
        guard let info, at < source.byteCount ?? .max else { throw .noAudio }
        self.info = info
        audioStart = at
    }

    var tags: Tags {
        var comments = comments
        if let picture { comments?.take(picture.head) }
        return comments?.tags ?? Tags(TagTexts(), cover: picture?.head.cover)
    }
}
