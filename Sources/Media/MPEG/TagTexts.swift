// SPDX-License-Identifier: Apache-2.0
import Core
import Text

/// Collects the texts of ID3v2 frames, and orders them. The mapping of frames to tags, and their order, follow MPD 0.23 and its libid3tag
/// (src/tag/Id3Scan.cxx; measured); audiobooks' own tags follow their taggers (`BookTags`).
///
/// The size is limited: a few pages of text of each frame, and more texts than any person would write.
struct TagTexts {
    private struct Value {
        let tag: Tag
        let text: String
    }

    /// The largest part of a frame to read.
    private static let frameLimit = 16 * 1024
    /// The largest part of a TXXX frame, which may contain a list of chapters.
    private static let ownFrameLimit = 64 * 1024
    /// The longest text of a tag.
    private static let textLimit = 4096
    private static let valueLimit = 256
    private static let totalLimit = 32 * 1024

    private var values: [Value] = []
    private var totalBytes = 0
    /// The tags found in earlier ID3v2 tags: of two such tags in a file the first counts.
    private var settled: UInt64 = 0
    private var dates = TagDates()
    private var book = BookTags()
    private(set) var gains = TagGains()
    private(set) var chapters = ID3Chapters()
    /// The chapters in a tagger's own format.
    private(set) var markers: [Chapter] = []
    /// The front cover, else the first picture.
    private(set) var cover: Cover?
    private var hasFrontCover = false

    // MARK: Frames

    mutating func take(_ frames: inout ID3v2Frames) {
        beginFurther()
        let isOld = frames.version < 4
        while let frame = frames.next() {
            switch frame.id {
            case "TIT2": take(.title, from: &frames)
            case "TPE1": take(.artist, from: &frames)
            case "TALB": take(.album, from: &frames)
            case "TPE2": take(.albumArtist, from: &frames)
            case "TRCK": take(.track, from: &frames)
            case "TPOS": take(.disc, from: &frames)
            case "TSOP": take(.artistSort, from: &frames)
            case "TSOA": take(.albumSort, from: &frames)
            case "TSO2": take(.albumArtistSort, from: &frames)
            case "TPE3": take(.conductor, from: &frames)
            case "TPE4": take(.performer, from: &frames)
            case "TPUB": take(.label, from: &frames)
            case "TLAN": take(.language, from: &frames)
            case "TDRC": take(.date, from: &frames)
            case "TDOR": take(.originalDate, from: &frames)
            case "TCON":
                for text in TagTexts.texts(of: &frames) { take(genre: text, isOld: isOld) }
            case "TCOM":
                for text in TagTexts.texts(of: &frames) { take(composer: text) }
            case "TIT1":
                for text in TagTexts.texts(of: &frames) { take(grouping: text) }
            case "GRP1": for text in TagTexts.texts(of: &frames) { book.take(grouping: text, isSeries: true) }
            case "MVNM": for text in TagTexts.texts(of: &frames) { book.take(movement: text) }
            case "MVIN": for text in TagTexts.texts(of: &frames) { book.take(movementNumber: text) }
            case "TYER", "TDAT", "TIME", "TORY", "TDRL":
                if let text = TagTexts.texts(of: &frames).first { dates.take(frame.id, text) }
            case "COMM": takeComment(&frames)
            case "TXXX": takeOwn(&frames)
            case "RVA2": gains.take(relativeVolume: frames.body(limit: 256))
            case "UFID": takeIdentifier(&frames)
            case "CHAP": chapters.take(chapter: &frames)
            case "CTOC": chapters.take(table: &frames)
            case "APIC", "PIC": takePicture(&frames, isVerbatim: frame.bodyOffset != nil)
            default: break
            }
        }
    }

    /// Begins another tag of the same file, which adds only what the earlier ones left out.
    mutating func beginFurther() {
        settled = 0
        for value in values { settled |= 1 << UInt64(value.tag.rawValue) }
    }

    private mutating func take(_ tag: Tag, from frames: inout ID3v2Frames) {
        for text in TagTexts.texts(of: &frames) { add(tag, text) }
    }

    private mutating func take(genre text: [UInt8], isOld: Bool) {
        if isOld {
            for name in GenreNames.names(bracketed: text) { add(.genre, Array(name.utf8)) }
        } else {
            add(.genre, GenreNames.name(text).map { Array($0.utf8) } ?? text)
        }
    }

    /// Takes a comment frame: a language, a description, and the comment.
    private mutating func takeComment(_ frames: inout ID3v2Frames) {
        guard var reader = TagTexts.reader(of: &frames) else { return }
        reader.position = 4
        let name = reader.text()
        let text = TagTexts.tidy(reader.rest())
        // iTunes stores its gain here.
        _ = gains.take(named: name, text)
        add(.comment, text)
    }

    /// Takes a TXXX frame: the tagger's name, and the text.
    private mutating func takeOwn(_ frames: inout ID3v2Frames) {
        guard var reader = ID3TextReader(frames.body(limit: TagTexts.ownFrameLimit)) else { return }
        reader.position = 1
        let name = reader.text()
        if name.has("OverDrive MediaMarkers", at: 0) {
            if markers.isEmpty { markers = MediaMarkers.chapters(reader.text()) }
            return
        }
        if let tag = TagTexts.tag(named: name) { return add(tag, TagTexts.tidy(reader.text())) }
        if TagGains.isName(name) {
            _ = gains.take(named: name, TagTexts.tidy(reader.text()))
            return
        }
        guard let field = BookTags.field(named: name) else { return }
        while let text = reader.next() { take(field, TagTexts.tidy(text)) }
    }

    /// Returns the tag of a name, as MusicBrainz Picard writes and MPD reads it.
    private static func tag(named name: [UInt8]) -> Tag? {
        if name.has("ALBUMARTISTSORT", at: 0) && name.count == 15 { return .albumArtistSort }
        guard name.has("MusicBrainz ", at: 0) else { return nil }
        switch String(decoding: name[12...], as: UTF8.self) {
        case "Artist Id": return .musicBrainzArtist
        case "Album Id": return .musicBrainzAlbum
        case "Album Artist Id": return .musicBrainzAlbumArtist
        case "Track Id": return .musicBrainzTrack
        case "Release Track Id": return .musicBrainzReleaseTrack
        case "Work Id": return .musicBrainzWork
        default: return nil
        }
    }

    /// Takes a UFID frame: its owner, and the identifier.
    private mutating func takeIdentifier(_ frames: inout ID3v2Frames) {
        let body = frames.body(limit: 256)
        let owner: StaticString = "http://musicbrainz.org\0"
        guard body.has(owner, at: 0) else { return }
        let id = Array(body[owner.utf8CodeUnitCount...])
        add(.musicBrainzTrack, TagTexts.tidy(TextDecoding.utf8(fromSingleBytes: id, id.indices)))
    }

    private mutating func takePicture(_ frames: inout ID3v2Frames, isVerbatim: Bool) {
        if hasFrontCover { return }
        guard let picture = EmbeddedPicture(&frames), cover == nil || picture.isFrontCover,
            let cover = picture.cover(&frames, isVerbatim: isVerbatim)
        else { return }
        self.cover = cover
        hasFrontCover = picture.isFrontCover
    }

    // MARK: Other formats

    mutating func take(_ field: BookTags.Field, _ text: [UInt8]) {
        if field == .language { add(.language, text) } else { book.take(field, text) }
    }

    /// Takes a composer; in a book without a better tag, the narrator.
    mutating func take(composer text: [UInt8]) {
        add(.composer, text)
        book.take(composer: text)
    }

    mutating func take(grouping text: [UInt8]) {
        add(.grouping, text)
        book.take(grouping: text, isSeries: false)
    }

    /// Takes a text with a tagger's own name; unknown names are ignored.
    mutating func take(named name: [UInt8], _ text: [UInt8]) {
        if let tag = TagTexts.tag(named: name) {
            add(tag, text)
        } else if gains.take(named: name, text) {
        } else if let field = BookTags.field(named: name) {
            take(field, text)
        }
    }

    // MARK: Texts

    private static func reader(of frames: inout ID3v2Frames) -> ID3TextReader? {
        ID3TextReader(frames.body(limit: frameLimit))
    }

    /// Returns the texts of a text frame: one, or several that end with a NUL.
    private static func texts(of frames: inout ID3v2Frames) -> [[UInt8]] {
        guard var reader = reader(of: &frames) else { return [] }
        reader.position = 1
        var texts: [[UInt8]] = []
        while texts.count < valueLimit, let text = reader.next() { texts.append(tidy(text)) }
        return texts
    }

    static func tidy(_ text: [UInt8]) -> [UInt8] { TextDecoding.tidied(text, most: textLimit) }

    // MARK: What was found

    func lacks(_ tag: Tag) -> Bool { !values.contains { $0.tag == tag } }

    mutating func add(_ tag: Tag, _ text: [UInt8]) {
        let text = tag == .track || tag == .disc ? TagTexts.number(text) : TagTexts.tidy(text)
        guard !text.isEmpty, settled >> UInt64(tag.rawValue) & 1 == 0, values.count < TagTexts.valueLimit,
            totalBytes + text.count <= TagTexts.totalLimit
        else { return }
        totalBytes += text.count
        values.append(Value(tag: tag, text: String(decoding: text, as: UTF8.self)))
    }

    /// Returns the first number of "03/12".
    private static func number(_ text: [UInt8]) -> [UInt8] {
        let digits = text.drop { $0 == 0x20 || $0 == 0x30 }.prefix { $0.isDigit }
        return Array(digits.prefix(9))
    }

    /// The order of MPD's tags, followed by the other tags.
    private static var order: [Tag] {
        [
            .artist, .albumArtist, .artistSort, .albumSort, .albumArtistSort, .title, .album, .track, .date,
            .originalDate, .genre, .composer, .composerSort, .conductor, .performer, .work, .movementNumber, .ensemble,
            .location, .grouping, .comment, .disc, .label,
            .musicBrainzArtist, .musicBrainzAlbum, .musicBrainzAlbumArtist, .musicBrainzTrack,
            .musicBrainzReleaseTrack, .musicBrainzWork, .narrator, .series, .seriesPart, .language,
        ]
    }

    var list: TagList {
        var all = self
        all.settled = 0
        if let date = dates.date, lacks(.date) { all.add(.date, date) }
        if let date = dates.originalDate, lacks(.originalDate) { all.add(.originalDate, date) }
        for (tag, text) in book.values { all.add(tag, text) }
        var list = TagList()
        for tag in TagTexts.order {
            for value in all.values where value.tag == tag { list.append(tag, value.text) }
        }
        return list
    }
}

extension ID3TextReader {
    /// Returns the next text; nil at the end of the frame.
    mutating func next() -> [UInt8]? { isAtEnd ? nil : text() }
}
