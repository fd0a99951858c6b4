// SPDX-License-Identifier: Apache-2.0
import Core
import Text

/// The tags of a file: ID3v2 before the audio, APEv2 and ID3v1 behind it for what that leaves out. Frames are read one by one, so that no
/// picture is ever held. Worker thread.
public struct Tags: Sendable {
    public let list: TagList
    /// The key of the picture in the file: the front of the cover, else the first; nil for none.
    public let cover: Cover?
    /// Some may lie past the end of the audio.
    public let chapters: [Chapter]
    /// The gains for its playback.
    public let gains: TagGains

    /// No file carries more tags than this.
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

    /// The tags from collected texts.
    /// - Parameter chapters: if other parts of the file than frames of ID3 tell them.
    init(_ texts: TagTexts, cover: Cover? = nil, chapters: [Chapter] = []) {
        list = texts.list
        gains = texts.gains
        self.cover = texts.cover ?? cover
        self.chapters =
            !texts.chapters.isEmpty ? texts.chapters.chapters : texts.markers.isEmpty ? chapters : texts.markers
    }

    /// A picture stands in the file.
    public var hasArtwork: Bool { cover != nil }

    /// At the end, or before ID3v1.
    private static func takeAPE(_ source: any ByteSource, into texts: inout TagTexts) -> Bool {
        guard let end = source.byteCount, let tag = APETag(source, endingAt: end) ?? APETag(source, endingAt: end - 128)
        else { return false }
        tag.read(into: &texts)
        return true
    }

    /// ID3v1: 128 bytes at the end, "TAG", then title, artist and album of 30 bytes each in Latin-1, the year, a comment, in 1.1 the
    /// track's number in its last byte, and the genre's number.
    /// - Parameter isAlone: there is no other tag. Beside one only the names count: many programs write a genre that the user never chose.
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
