// SPDX-License-Identifier: Apache-2.0
/// AAC as a sequence of frames (ADTS), decoded by libfaad2: the format of radio stations, and of .aac files.
final class ADTSFormat: MediaFormat {
    /// The number of frames in a row that prove an ADTS stream.
    private static let believedFrames = 4

    var decoderName: String { "faad" }
    var suffixes: [String] { ["aac", "adts"] }
    var mimeTypes: [String] { ["audio/aac", "audio/aacp", "audio/x-aac"] }

    /// The frames must start at the very beginning, since their two-byte mark is common in any data.
    func begins(_ head: MediaHead) -> Bool {
        guard head.bytes.count >= ADTSHeader.leastBytes, head.bytes[0] == 0xFF, head.bytes[1] & 0xF6 == 0xF0 else {
            return false
        }
        let extent = AudioExtent(start: head.start, end: head.source.byteCount ?? .max)
        let frames = ADTSFrames(head.source, extent)
        for count in 0..<ADTSFormat.believedFrames {
            let before = frames.place.offset
            guard let unit = try? frames.next() else { return count > 1 }
            if unit.offset - before > 9 { return false }
        }
        return true
    }

    func probe(_ head: MediaHead) throws(MediaError) -> MediaProbe {
        let (extent, header) = try look(head)
        let config = header.config
        return MediaProbe(
            audio: extent, durationMilliseconds: nil, sampleRate: config.heardRate, channels: config.heardChannels,
            tags: Tags(of: head.source))
    }

    func open(_ head: MediaHead, _ table: SeekTable?) throws(MediaError) -> any AudioDecoding {
        let (extent, header) = try look(head)
        let index = table.flatMap { UnitIndex(encoded: $0.own) }
        return try AACDecoding(ADTSFormat.units(head.source, extent, header, index))
    }

    func picture(_ head: MediaHead) -> EmbeddedPicturePlace? { head.tag.map { .id3(at: $0) } }

    func seekTableWalk(_ head: MediaHead) throws(MediaError) -> (any SeekTableMaking)? {
        let (extent, header) = try look(head)
        return ADTSFormat.indexing(head.source, extent, header)
    }

    static func units(
        _ source: any ByteSource, _ extent: AudioExtent, _ header: ADTSHeader, _ index: UnitIndex?
    ) throws(MediaError) -> Units {
        let frames = ADTSFrames(source, extent)
        return try Units(frames, frames.window, header.config, HeardSpan(), index) {
            indexing(source, extent, header)
        }
    }

    /// The whole stream is audible: ADTS does not tell the encoder's padding.
    private static func indexing(
        _ source: any ByteSource, _ extent: AudioExtent, _ header: ADTSHeader
    ) -> UnitIndexing {
        UnitIndexing(ADTSFrames(source, extent), header.config, HeardSpan())
    }

    /// Finds the frames, and returns the header of the first.
    private func look(_ head: MediaHead) throws(MediaError) -> (AudioExtent, ADTSHeader) {
        let extent = AudioExtent(of: head.source)
        let frames = ADTSFrames(head.source, extent)
        do throws(SourceError) { _ = try frames.next() } catch { throw .source(error) }
        guard let header = frames.first else { throw .noAudio }
        if header.units > 1 { throw .unsupported("AAC with several units in a frame") }
        if let refusal = header.config.refusal { throw .unsupported(refusal) }
        return (extent, header)
    }
}
