// SPDX-License-Identifier: Apache-2.0
import Core

/// The facts in an Ogg stream's first packets, and in its last page.
struct OggFile {
    private static let mostFLACBlocks = 256

    let stream: OggStream
    private(set) var rate = 48_000
    private(set) var channels = 2
    /// The number of frames; nil if only the decoding library can tell: for a chain, or a stream cut out of a longer one.
    private(set) var frameCount: Int64?
    private(set) var comments: VorbisComments?
    /// The offset of the first page with sound.
    private(set) var audioStart: Int64
    private(set) var flac: FLACStreamInfo?
    /// Opus: the first page, if its frames begin below zero, and the number of frames below zero.
    private(set) var belowZero: (page: OggPage, frames: Int64)?

    /// Opus: the frames before the sound. Vorbis: the frames of the longest packet.
    private var number: Int64 = 0

    /// - Parameter keeps: the comments to keep whole.
    init(_ head: MediaHead, _ stream: OggStream, keeps: VorbisComments.Parts = []) throws(MediaError) {
        self.stream = stream
        audioStart = stream.page.offset
        let packets = OggPackets(head.source, stream.page)
        guard try packets.next() else { throw .noAudio }
        switch stream.codec {
        case .vorbis: try beginVorbis(packets, keeps)
        case .opus: try beginOpus(packets, keeps)
        case .flac: try beginFLAC(packets, keeps)
        }
        guard channels > 0, PCMLayout.rates.contains(rate), try packets.next() else { throw .noAudio }
        audioStart = packets.page.offset
        guard stream.codec != .flac else { return }
        guard let last = try OggPage.last(head.source), stream.isAlone(last) else { return }
        frameCount = try count(head.source, packets.page, last)
    }

    private mutating func beginVorbis(_ packets: OggPackets, _ keeps: VorbisComments.Parts) throws(MediaError) {
        let head = try packets.take(30)
        guard head.count == 30 else { throw .noAudio }
        channels = Int(head[11])
        rate = Int(clamping: head.littleEndian32(at: 12))
        number = 1 << Int64(head[28] >> 4)
        guard try packets.next() else { throw .noAudio }
        if try packets.take(7).has("\u{3}vorbis", at: 0) {
            comments = try VorbisComments(packets, keeps: keeps)
        }
        guard try packets.next() else { throw .noAudio }
    }

    private mutating func beginOpus(_ packets: OggPackets, _ keeps: VorbisComments.Parts) throws(MediaError) {
        let head = try packets.take(19)
        // Only the upper half of the version must be known.
        guard head.count == 19, head[8] & 0xF0 == 0 else { throw .noAudio }
        channels = Int(head[9])
        number = Int64(head.littleEndian16(at: 10))
        guard try packets.next() else { throw .noAudio }
        if try packets.take(8).has("OpusTags", at: 0) {
            comments = try VorbisComments(packets, keeps: keeps)
        }
    }

    private mutating func beginFLAC(_ packets: OggPackets, _ keeps: VorbisComments.Parts) throws(MediaError) {
        let head = try packets.take(17 + FLACStreamInfo.byteCount)
        guard head.count == 17 + FLACStreamInfo.byteCount, head.has("fLaC", at: 9),
            let info = FLACStreamInfo(Array(head[17...]))
        else { throw .noAudio }
        flac = info
        rate = info.rate
        channels = info.channels
        frameCount = info.frameCount
        var isLast = head[13] & 0x80 != 0
        var found: FLACPicture?
        for _ in 0..<OggFile.mostFLACBlocks where !isLast {
            guard try packets.next() else { throw .noAudio }
            let block = try packets.take(4)
            guard block.count == 4 else { throw .noAudio }
            isLast = block[0] & 0x80 != 0
            switch block[0] & 0x7F {
            case 4: if comments == nil { comments = try VorbisComments(packets, keeps: keeps) }
            case 6:
                if found?.isFrontCover != true,
                    let picture = try FLACPicture(packets, keepsBytes: keeps.contains(.picture), isVerbatim: true),
                    found == nil || picture.isFrontCover
                {
                    found = picture
                }
            default: break
            }
        }
        if let found { comments?.take(found) }
    }

    /// Returns the number of frames by the last page; nil if the first page does not begin at the first frame.
    private mutating func count(
        _ source: any ByteSource, _ first: OggPage, _ last: OggPage
    ) throws(MediaError) -> Int64? {
        guard first.granule != -1 || first.offset == last.offset, try first.isIntact(source) else { return nil }
        switch stream.codec {
        case .vorbis:
            guard first.granule <= Int64(first.endedPackets) * number else { return nil }
            return max(0, last.granule)
        case .opus:
            let frames = try OpusPacket.frames(of: first, source)
            // A single page may have a cut end.
            let start = first.offset == last.offset ? 0 : first.granule.subtractingSaturated(frames)
            if start < 0 { belowZero = (first, Int64(0).subtractingSaturated(start)) }
            let begin = start.addingSaturated(number)
            return max(0, last.granule.subtractingSaturated(begin))
        case .flac: return nil
        }
    }

    var tags: Tags { comments?.tags ?? Tags(TagTexts()) }

    func probe(_ head: MediaHead) -> MediaProbe {
        MediaProbe(
            audio: AudioExtent(start: audioStart, end: max(audioStart, head.source.byteCount ?? .max)),
            frameCount: frameCount, sampleRate: rate, channels: channels, tags: tags,
            content: OggContent(head.source))
    }

    /// Returns the picture of a file with a known codec.
    static func picture(_ head: MediaHead) -> EmbeddedPicturePlace? {
        guard let stream = OggStream(head), let file = try? OggFile(head, stream, keeps: .picture),
            let found = file.comments?.picture, let bytes = found.bytes
        else { return nil }
        return .held(Picture(mime: found.mime, bytes: bytes))
    }
}
