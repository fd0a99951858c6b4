// SPDX-License-Identifier: Apache-2.0
import Core
import Text

/// The comments of FLAC, Vorbis and Opus (https://xiph.org/vorbis/doc/v-comment.html): NAME=text in UTF-8, with names in any case, repeated
/// for several values; FLAC's pictures in base64; chapters as CHAPTER001 and CHAPTER001NAME.
struct VorbisComments {
    private static let mostComments: UInt32 = 20_000
    /// The longest text; a longer one is ignored, a longer picture skipped.
    private static let mostTextBytes = 16 * 1024
    private static let mostNameBytes = 64

    /// The wanted parts beside the tags.
    struct Parts: OptionSet {
        let rawValue: UInt8
        static let picture = Parts(rawValue: 1)
        static let all = Parts(rawValue: 2)
    }

    /// The limit of all texts together.
    private static let mostBytes = 64 * 1024

    private(set) var texts = TagTexts()
    /// The unchanged comments, if wanted.
    private(set) var all: [MediaComment] = []
    private var allBytes = 0
    private var chapters = VorbisChapters()
    /// The front cover, else the first picture.
    private(set) var picture: FLACPicture?

    init(_ bytes: any CommentBytes, keeps: Parts = []) throws(MediaError) {
        guard let vendor = try VorbisComments.number(bytes) else { return }
        try bytes.skip(Int(clamping: vendor))
        guard let count = try VorbisComments.number(bytes) else { return }
        for _ in 0..<min(count, VorbisComments.mostComments) {
            guard let length = try VorbisComments.number(bytes) else { return }
            var left = Int(clamping: length)
            let head = try bytes.take(min(left, VorbisComments.mostNameBytes))
            left -= head.count
            if head.isEmpty && length > 0 { return }
            guard let equals = head.firstIndex(of: UInt8(ascii: "=")) else {
                try bytes.skip(left)
                continue
            }
            let name = head[..<equals].map { $0 >= 0x61 && $0 <= 0x7A ? $0 - 0x20 : $0 }
            let first = Array(head[(equals + 1)...])
            if String(decoding: name, as: UTF8.self) == "METADATA_BLOCK_PICTURE" {
                let base64 = Base64Bytes(first, bytes, left)
                if let found = try FLACPicture(base64, keepsBytes: keeps.contains(.picture)) { take(found) }
                try base64.finish()
                continue
            }
            guard left <= VorbisComments.mostTextBytes - first.count else {
                try bytes.skip(left)
                continue
            }
            let text = first + (try bytes.take(left))
            if keeps.contains(.all) { keep(head[..<equals], text) }
            take(name, text)
        }
    }

    private mutating func keep(_ name: ArraySlice<UInt8>, _ text: [UInt8]) {
        allBytes += name.count + text.count
        if allBytes > VorbisComments.mostBytes { return }
        let tidied = TextDecoding.tidied(
            TextDecoding.utf8(fromSingleBytes: text, text.indices), most: VorbisComments.mostTextBytes)
        all.append(
            MediaComment(name: String(decoding: name, as: UTF8.self), text: String(decoding: tidied, as: UTF8.self)))
    }

    mutating func take(_ found: FLACPicture) {
        if picture == nil || (found.isFrontCover && picture?.isFrontCover == false) { picture = found }
    }

    private static func number(_ bytes: any CommentBytes) throws(MediaError) -> UInt32? {
        let four = try bytes.take(4)
        return four.count == 4 ? four.littleEndian32(at: 0) : nil
    }

    private mutating func take(_ name: [UInt8], _ text: [UInt8]) {
        if chapters.take(name, text) { return }
        // Bytes outside UTF-8 are decoded as old programs wrote them.
        let text = TextDecoding.utf8(fromSingleBytes: text, text.indices)
        switch VorbisComments.tag(named: name) {
        case .composer?: texts.take(composer: TagTexts.tidy(text))
        case .grouping?: texts.take(grouping: TagTexts.tidy(text))
        case let tag?: texts.add(tag, text)
        case nil: texts.take(named: name, TagTexts.tidy(text))
        }
    }

    /// Returns the tag of a name, as in MPD (src/lib/xiph/XiphTags.cxx) and in taggers.
    private static func tag(named name: [UInt8]) -> Tag? {
        switch String(decoding: name, as: UTF8.self) {
        case "TITLE": .title
        case "ARTIST": .artist
        case "ALBUM": .album
        case "ALBUMARTIST", "ALBUM ARTIST": .albumArtist
        case "ARTISTSORT": .artistSort
        case "ALBUMSORT": .albumSort
        case "ALBUMARTISTSORT": .albumArtistSort
        case "TRACKNUMBER", "TRACK": .track
        case "DISCNUMBER", "DISC": .disc
        case "DATE", "YEAR": .date
        case "ORIGINALDATE": .originalDate
        case "GENRE": .genre
        case "COMPOSER": .composer
        case "CONDUCTOR": .conductor
        case "PERFORMER": .performer
        case "WORK": .work
        case "MOVEMENTNUMBER": .movementNumber
        case "ENSEMBLE": .ensemble
        case "LOCATION": .location
        case "COMPOSERSORT": .composerSort
        case "GROUPING": .grouping
        case "COMMENT", "DESCRIPTION": .comment
        case "LABEL", "ORGANIZATION", "PUBLISHER": .label
        case "MUSICBRAINZ_ARTISTID": .musicBrainzArtist
        case "MUSICBRAINZ_ALBUMID": .musicBrainzAlbum
        case "MUSICBRAINZ_ALBUMARTISTID": .musicBrainzAlbumArtist
        case "MUSICBRAINZ_TRACKID": .musicBrainzTrack
        case "MUSICBRAINZ_RELEASETRACKID": .musicBrainzReleaseTrack
        case "MUSICBRAINZ_WORKID": .musicBrainzWork
        default: nil
        }
    }

    var tags: Tags { Tags(texts, cover: picture?.cover, chapters: chapters.list) }
}
