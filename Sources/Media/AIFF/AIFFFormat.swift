/// AIFF and AIFF-C with uncompressed samples: NONE and twos (big-endian), sowt (little-endian), in24, in32, fl32 and fl64.
final class AIFFFormat: MediaFormat {
    var decoderName: String { "aiff" }
    var suffixes: [String] { ["aif", "aiff", "aifc"] }
    var mimeTypes: [String] { ["audio/aiff", "audio/x-aiff"] }

    func begins(_ head: MediaHead) -> Bool {
        head.bytes.has("FORM", at: 0) && (head.bytes.has("AIFF", at: 8) || head.bytes.has("AIFC", at: 8))
    }

    func probe(_ head: MediaHead) throws(MediaError) -> MediaProbe {
        let file = try AIFFFile(head)
        let layout = try file.layout()
        return MediaProbe(
            audio: layout.extent, frameCount: layout.frameCount, sampleRate: layout.rate, channels: layout.channels,
            tags: try file.tags(head))
    }

    func open(_ head: MediaHead, _ table: SeekTable?) throws(MediaError) -> any AudioDecoding {
        try PCMDecoding(head.source, try AIFFFile(head).layout())
    }

    func picture(_ head: MediaHead) -> EmbeddedPicturePlace? {
        guard let tag = (try? AIFFFile(head))?.id3 else { return nil }
        return .id3(at: tag.start)
    }

    func seekTableWalk(_ head: MediaHead) throws(MediaError) -> (any SeekTableMaking)? { nil }
}
