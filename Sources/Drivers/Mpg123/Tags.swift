import CMpg123
import MPEG

/// What the tags of a file say: ID3v2 before the audio, ID3v1 behind it for what that leaves out. Frames are read one by one, so that no
/// picture is ever held; libmpg123 turns their four text encodings into UTF-8. Feed thread.
public struct Tags: Sendable {
    public private(set) var title = ""
    public private(set) var artist = ""
    public private(set) var album = ""
    /// A picture stands in the file.
    public private(set) var hasArtwork = false
    /// Bodies of SYLT frames (id3.org, "ID3v2.3.0" §4.10), unsynchronisation undone.
    public private(set) var synchronisedLyrics: [[UInt8]] = []
    /// Text of the first USLT frame.
    public private(set) var lyrics = ""

    public typealias Read = (_ offset: Int64, _ buffer: UnsafeMutableRawBufferPointer) -> Int

    /// More than this of a title is no title.
    private static let textLimit = 4096
    /// Words and times of the longest book.
    private static let lyricsLimit = 4 << 20
    private static let tagLimit = 8

    /// - Parameters:
    ///   - withLyrics: whether to read lyrics, which are long.
    ///   - read: fills the buffer from an offset of the file; returns how many bytes it could.
    public init(fileBytes: Int64, withLyrics: Bool, read: @escaping Read) {
        var offset: Int64 = 0
        for _ in 0..<Tags.tagLimit {
            guard var frames = ID3v2Frames(at: offset, fileEnd: fileBytes, read: read) else { break }
            offset += frames.tagBytes
            take(&frames, withLyrics: withLyrics)
        }
        if title.isEmpty || artist.isEmpty || album.isEmpty { takeVersion1(fileBytes: fileBytes, read) }
    }

    private mutating func take(_ frames: inout ID3v2Frames, withLyrics: Bool) {
        while let frame = frames.next() {
            switch frame.id {
            case "TIT2": Tags.fill(&title, from: &frames)
            case "TPE1": Tags.fill(&artist, from: &frames)
            case "TALB": Tags.fill(&album, from: &frames)
            case "APIC", "PIC": hasArtwork = true
            case "SYLT" where withLyrics, "SLT" where withLyrics:
                synchronisedLyrics.append(frames.body(limit: Tags.lyricsLimit))
            case "USLT" where withLyrics && lyrics.isEmpty:
                lyrics = Tags.unsynchronised(frames.body(limit: Tags.lyricsLimit))
            default: break
            }
        }
    }

    /// The first text frame of a kind counts; where it holds several texts, the first of them.
    private static func fill(_ field: inout String, from frames: inout ID3v2Frames) {
        guard field.isEmpty else { return }
        let body = frames.body(limit: textLimit)
        guard let encoding = body.first else { return }
        field = tidy(utf8(body.dropFirst(), encoding: encoding))
    }

    /// A USLT body: encoding, language, a description that ends with a zero, the text.
    private static func unsynchronised(_ body: [UInt8]) -> String {
        guard body.count > 4 else { return "" }
        let isWide = body[0] == 1 || body[0] == 2
        var at = 4
        while at < body.count {
            if isWide {
                if at + 1 < body.count && body[at] == 0 && body[at + 1] == 0 { break }
                at += 2
            } else {
                if body[at] == 0 { break }
                at += 1
            }
        }
        return utf8(body.dropFirst(at + (isWide ? 2 : 1)), encoding: body[0])
    }

    /// ID3v1: 128 bytes at the end, "TAG", then title, artist and album of 30 bytes each in Latin-1.
    private mutating func takeVersion1(fileBytes: Int64, _ read: Read) {
        guard fileBytes >= 128 else { return }
        var tag = [UInt8](repeating: 0, count: 128)
        let count = tag.withUnsafeMutableBytes { read(fileBytes - 128, $0) }
        guard count == 128, tag[0] == 0x54, tag[1] == 0x41, tag[2] == 0x47 else { return }
        func text(_ at: Int) -> String { Tags.tidy(Tags.utf8(tag[at..<at + 30], encoding: 0)) }
        if title.isEmpty { title = text(3) }
        if artist.isEmpty { artist = text(33) }
        if album.isEmpty { album = text(63) }
    }

    /// Text in one of the encodings of ID3v2 (0 Latin-1, 1 UTF-16 with a byte order mark, 2 UTF-16 big-endian, 3 UTF-8).
    private static func utf8(_ bytes: ArraySlice<UInt8>, encoding: UInt8) -> String {
        if bytes.isEmpty || encoding > 3 { return "" }
        var text = mpg123_string()
        mpg123_init_string(&text)
        defer { mpg123_free_string(&text) }
        // Latin-1 that ends at its first zero, or at the end.
        let source = encoding == 0 ? bytes.prefix { $0 != 0 } + [0] : bytes
        let stored = source.withUnsafeBufferPointer {
            encoding == 0
                ? ns_mpg123_store_loose_latin1(&text, $0.baseAddress, $0.count)
                : ns_mpg123_store_id3_text(&text, encoding, $0.baseAddress, $0.count)
        }
        guard stored != 0, let characters = text.p, text.fill > 0 else { return "" }
        return String(
            decoding: UnsafeRawBufferPointer(start: characters, count: text.fill).prefix { $0 != 0 }, as: UTF8.self)
    }

    /// Without control characters, and without white space at either end.
    private static func tidy(_ text: String) -> String {
        var bytes = text.utf8.map { $0 < 0x20 || $0 == 0x7F ? 0x20 : $0 }[...]
        while bytes.first == 0x20 { bytes.removeFirst() }
        while bytes.last == 0x20 { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }
}
