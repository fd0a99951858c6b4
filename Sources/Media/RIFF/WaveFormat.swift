/// WAV: RIFF, RF64 and BW64, with PCM of 8 to 32 bits or floating point. One that holds MPEG audio is played as that.
final class WaveFormat: MediaFormat {
    var decoderName: String { "wav" }
    var suffixes: [String] { ["wav", "wave"] }
    var mimeTypes: [String] { ["audio/wav", "audio/x-wav"] }

    func begins(_ head: MediaHead) -> Bool {
        guard WaveFormat.isWave(head.bytes) else { return false }
        // The seldom one whose `fmt ` does not stand first is looked into; it is WAV if it cannot be read.
        guard let encoding = try? WaveFile(head).encoding else { return true }
        return encoding != .mpeg
    }

    private static func isWave(_ head: [UInt8]) -> Bool {
        (head.has("RIFF", at: 0) || head.has("RF64", at: 0) || head.has("BW64", at: 0)) && head.has("WAVE", at: 8)
    }

    func probe(_ head: MediaHead) throws(MediaError) -> MediaProbe {
        let file = try WaveFile(head)
        let layout = try file.layout()
        return MediaProbe(
            audio: layout.extent, frameCount: layout.frameCount, sampleRate: layout.rate, channels: layout.channels,
            tags: file.tags(head))
    }

    func open(_ head: MediaHead, _ table: SeekTable?) throws(MediaError) -> any AudioDecoding {
        try PCMDecoding(head.source, try WaveFile(head).layout())
    }

    func picture(_ head: MediaHead) -> EmbeddedPicturePlace? {
        guard let tag = (try? WaveFile(head))?.id3 else { return nil }
        return .id3(at: tag.start)
    }

    func seekTableWalk(_ head: MediaHead) throws(MediaError) -> (any SeekTableMaking)? { nil }
}
