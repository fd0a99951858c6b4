/// Ogg Vorbis, decoded by libvorbisfile.
final class VorbisFormat: MediaFormat {
    var decoderName: String { "vorbis" }
    var suffixes: [String] { ["ogg", "oga"] }
    var mimeTypes: [String] { ["audio/ogg", "audio/vorbis"] }

    func begins(_ head: MediaHead) -> Bool { OggStream(head)?.codec == .vorbis }

    func probe(_ head: MediaHead) throws(MediaError) -> MediaProbe {
        guard let stream = OggStream(head) else { throw .noAudio }
        return try OggFile(head, stream).probe(head)
    }

    func open(_ head: MediaHead, _ table: SeekTable?) throws(MediaError) -> any AudioDecoding {
        try VorbisDecoding(head)
    }

    func picture(_ head: MediaHead) -> EmbeddedPicturePlace? { OggFile.picture(head) }

    func seekTableWalk(_ head: MediaHead) throws(MediaError) -> (any SeekTableMaking)? {
        if try probe(head).durationMilliseconds != nil { return nil }
        return FrameCounting(try VorbisDecoding(head))
    }
}
