// SPDX-License-Identifier: Apache-2.0
/// M4A, M4B and other MP4 files with AAC in them, decoded by libfaad2.
final class MP4Format: MediaFormat {
    var decoderName: String { "faad" }
    var suffixes: [String] { ["m4a", "m4b", "mp4"] }
    var mimeTypes: [String] { ["audio/mp4", "audio/m4a", "audio/x-m4b"] }

    func begins(_ head: MediaHead) -> Bool { head.start == 0 && MP4Movie.isOne(head.bytes) }

    func probe(_ head: MediaHead) throws(MediaError) -> MediaProbe {
        let movie = try MP4Movie(head.source)
        let tags = MP4Tags(movie)
        let heard = movie.heardSpan(tags.gaplessCounts).samples(
            unitCount: movie.sound.tables.unitCount, unitSamples: Int64(movie.config.unitSamples),
            rate: Int64(movie.config.coreRate))
        let isWhole: Bool
        let extent: AudioExtent
        do throws(SourceError) {
            extent = try movie.audioExtent()
            isWhole = try movie.isWhole()
        } catch { throw .source(error) }
        return MediaProbe(
            audio: extent,
            durationMilliseconds: isWhole
                ? MediaProbe.milliseconds(frames: heard.heard, rate: movie.config.coreRate) : nil,
            sampleRate: movie.config.heardRate, channels: movie.config.heardChannels,
            tags: Tags(tags.texts, cover: tags.cover, chapters: MP4Chapters.read(movie, tags.chapterList)))
    }

    func open(_ head: MediaHead, _ table: SeekTable?) throws(MediaError) -> any AudioDecoding {
        let movie = try MP4Movie(head.source)
        let index = table.flatMap { UnitIndex(encoded: $0.own) }
        return try AACDecoding(movie.units(index))
    }

    func picture(_ head: MediaHead) -> EmbeddedPicturePlace? {
        guard let movie = try? MP4Movie(head.source), let picture = MP4Tags(movie).picture else { return nil }
        return .stored(at: picture.offset, byteCount: picture.byteCount, mime: picture.mime)
    }

    func seekTableWalk(_ head: MediaHead) throws(MediaError) -> (any SeekTableMaking)? {
        try MP4Movie(head.source).indexing()
    }
}
