// SPDX-License-Identifier: Apache-2.0
import Core
import Text

/// The tags of a file: ID3v2 before the audio, then APEv2 and ID3v1 behind it for missing tags. Frames are read one by one, so that a
/// picture is never in memory. Worker thread.
public struct Tags: Sendable {
    public let list: TagList
    /// The key of the embedded picture: the front cover, else the first; nil for none.
    public let cover: Cover?
    /// The chapters; some may lie beyond the end of the audio.
    public let chapters: [Chapter]
    /// The gains for its playback.
    public let gains: TagGains

    /// The most tags of a file.
    private static let tagLimit = 8

    public init(of source: any ByteSource) {
        var texts = TagTexts()
        var offset: Int64 = 0
        for _ in 0..<Tags.tagLimit {
            guard var frames = ID3v2Frames(source, at: offset) else { break }
            offset += frames.tagBytes
            texts.take(&frames)
        }
        let hasAPE = Tags.takeAPE(source, into: &texts)
        if offset == 0 || texts.lacks(.title) || texts.lacks(.artist) || texts.lacks(.album) {
            Tags.takeVersion1(source, isAlone: offset == 0 && !hasAPE, into: &texts)
        }
        self.init(texts)
    }

    /// Makes the tags from collected texts.
    /// - Parameter chapters: the chapters, if other parts of the file than ID3 frames contain them.
    init(_ texts: TagTexts, cover: Cover? = nil, chapters: [Chapter] = []) {
        list = texts.list
        gains = texts.gains
        self.cover = texts.cover ?? cover
        self.chapters =
            !texts.chapters.isEmpty ? texts.chapters.chapters : texts.markers.isEmpty ? chapters : texts.markers
    }

    /// True if the file contains a picture.
    public var hasArtwork: Bool { cover != nil }

    /// Reads APEv2 at the end, or before ID3v1. Returns true if there is one.
    private static func takeAPE(_ source: any ByteSource, into texts: inout TagTexts) -> Bool {
        guard let end = source.byteCount, let tag = APETag(source, endingAt: end) ?? APETag(source, endingAt: end - 128)
        else { return false }
        tag.read(into: &texts)
        return true
    }

    /// Reads ID3v1, 128 bytes at the end: "TAG", then title, artist and album of 30 bytes each in Latin-1, the year, a comment with the
    /// track number in its last byte (1.1), and the genre number.
    /// - Parameter isAlone: true without any other tag. Beside one only the names count: many programs write a genre that the user never
    ///   chose.
    private static func takeVersion1(_ source: any ByteSource, isAlone: Bool, into texts: inout TagTexts) {
        guard let end = source.byteCount, end >= 128, let tag = try? source.bytes(at: end - 128, count: 128),
            tag.count == 128, tag.has("TAG", at: 0)
        else { return }
        func text(_ at: Int, _ most: Int) -> [UInt8] {
            let end = tag[at..<at + most].firstIndex(of: 0) ?? at + most
            return TextDecoding.utf8(fromSingleBytes: tag, at..<end)
        }
        for (kind, at) in [(Tag.title, 3), (.artist, 33), (.album, 63)] where texts.lacks(kind) {
            texts.add(kind, text(at, 30))
        }
        if !isAlone { return }
        texts.add(.date, text(93, 4))
        let hasTrack = tag[125] == 0 && tag[126] != 0
        texts.add(.comment, text(97, hasTrack ? 28 : 30))
        if hasTrack { texts.add(.track, Array("\(tag[126])".utf8)) }
        // 255: none was chosen.
        if tag[127] < 255 { texts.add(.genre, Array((GenreNames.name(Int(tag[127])) ?? "\(tag[127])").utf8)) }
    }
}
