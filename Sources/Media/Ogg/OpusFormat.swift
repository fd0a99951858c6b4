/// Ogg Opus, decoded by libopusfile.
final class OpusFormat: MediaFormat {
    var decoderName: String { "opus" }
    var suffixes: [String] { ["opus"] }
    var mimeTypes: [String] { ["audio/opus"] }

    func begins(_ head: MediaHead) -> Bool { OggStream(head)?.codec == .opus }

    func probe(_ head: MediaHead) throws(MediaError) -> MediaProbe {
        guard let stream = OggStream(head) else { throw .noAudio }
        return try OggFile(head, stream).probe(head)
    }

    func open(_ head: MediaHead, _ table: SeekTable?) throws(MediaError) -> any AudioDecoding {
        try OpusDecoding(head)
    }

    func picture(_ head: MediaHead) -> EmbeddedPicturePlace? { OggFile.picture(head) }

    func seekTableWalk(_ head: MediaHead) throws(MediaError) -> (any SeekTableMaking)? {
        if try probe(head).durationMilliseconds != nil { return nil }
        return FrameCounting(try OpusDecoding(head))
    }
}
