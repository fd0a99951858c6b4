/// FLAC in an Ogg stream, decoded by libFLAC.
final class OggFLACFormat: MediaFormat {
    var decoderName: String { "oggflac" }
    var suffixes: [String] { ["oga", "ogg"] }
    var mimeTypes: [String] { ["audio/ogg", "audio/x-flac+ogg"] }

    func begins(_ head: MediaHead) -> Bool { OggStream(head)?.codec == .flac }

    func probe(_ head: MediaHead) throws(MediaError) -> MediaProbe {
        guard let stream = OggStream(head) else { throw .noAudio }
        return try OggFile(head, stream).probe(head)
    }

    func open(_ head: MediaHead, _ table: SeekTable?) throws(MediaError) -> any AudioDecoding {
        guard let stream = OggStream(head), let info = try OggFile(head, stream).flac else { throw .noAudio }
        return try FLACDecoding(head, info, isOgg: true)
    }

    func picture(_ head: MediaHead) -> EmbeddedPicturePlace? { OggFile.picture(head) }

    func seekTableWalk(_ head: MediaHead) throws(MediaError) -> (any SeekTableMaking)? {
        if try probe(head).durationMilliseconds != nil { return nil }
        return FrameCounting(try open(head, nil))
    }
}
