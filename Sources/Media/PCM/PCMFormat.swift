// SPDX-License-Identifier: Apache-2.0
/// Uncompressed samples. WAV: RIFF, RF64 and BW64, with PCM of 8 to 32 bits or floating point. A WAV with MPEG audio is played as MPEG.
/// AIFF and AIFF-C: NONE and twos (big-endian), sowt (little-endian), in24, in32, fl32 and fl64.
final class PCMFormat: MediaFormat {
    private let isWave: Bool

    init(isWave: Bool) { self.isWave = isWave }

    var decoderName: String { isWave ? "wav" : "aiff" }
    var suffixes: [String] { isWave ? ["wav", "wave"] : ["aif", "aiff", "aifc"] }
    var mimeTypes: [String] { isWave ? ["audio/wav", "audio/x-wav"] : ["audio/aiff", "audio/x-aiff"] }

    func begins(_ head: MediaHead) -> Bool {
        if !isWave { return PCMFile.isAIFF(head.bytes) }
        guard PCMFile.isWave(head.bytes) else { return false }
        // A chunk before `fmt ` needs a closer look; an unreadable file counts as WAV.
        guard let encoding = try? PCMFile(head).encoding else { return true }
        return encoding != .mpeg
    }

    func probe(_ head: MediaHead) throws(MediaError) -> MediaProbe {
        let file = try PCMFile(head)
        let layout = try file.layout()
        return MediaProbe(
            audio: layout.extent, frameCount: layout.frameCount, sampleRate: layout.rate, channels: layout.channels,
            tags: try file.tags(head))
    }

    func open(_ head: MediaHead, _ table: SeekTable?) throws(MediaError) -> any AudioDecoding {
        try PCMDecoding(head.source, try PCMFile(head).layout())
    }

    func picture(_ head: MediaHead) -> EmbeddedPicturePlace? {
        (try? PCMFile(head))?.id3.map { .id3(at: $0.start) }
    }

    func seekTableWalk(_ head: MediaHead) throws(MediaError) -> (any SeekTableMaking)? { nil }
}
