import CMpg123
import MPEG
import Posix

/// What a file says of itself: ID3v2.2 to 2.4, and ID3v1 for what they leave open. Text is UTF-8 whatever it was stored in
/// (libmpg123's converters), of one line and at most 1,000 bytes; pictures and lyrics are only pointed to, so that a
/// file with a picture of 5 MB costs a few KiB.
public struct Tags: Sendable {
    /// A picture inside the file.
    public struct Picture: Equatable, Sendable {
        /// As the tag has it, "image/jpeg" mostly.
        public var mimeType: String
        /// ID3v2's number: 3 is the front cover, 0 anything.
        public var kind: UInt8
        /// Length; a little too high where `offset` is nil.
        public var byteCount: Int
        /// Where its bytes lie in the file; nil where they are not stored one by one (unsynchronisation).
        public var offset: Int64?
    }

    /// Empty where the file has none; so are the three that follow.
    public var title = ""
    public var artist = ""
    public var album = ""
    public var comment = ""
    /// The front cover, or else the first picture.
    public var picture: Picture?
    /// The file holds SYLT frames.
    public var hasSynchronisedLyrics = false
    /// The file holds USLT frames.
    public var hasLyrics = false

    private static let textBytes = 1000
    /// A picture's head, before its bytes, is this long at most.
    private static let pictureHeadBytes = 1024

    public init() {}

    /// Reads them on the feed thread, a few KiB at most.
    public init(path: String) throws(PosixError) {
        let file = try AudioFile(path: path)
        let audio = AudioExtent(fileBytes: file.status.bytes, read: file.read)
        self.init(file, audio)
        if let failure = file.failure { throw failure }
    }

    init(_ file: AudioFile, _ audio: AudioExtent) {
        file.forEachTag(around: audio) { tag in
            while let frame = tag.next() { take(frame, &tag) }
        }
        takeID3v1(file.bytes(at: file.status.bytes - 128, count: 128))
    }

    private mutating func take(_ frame: ID3v2Frames.Frame, _ tag: inout ID3v2Frames) {
        switch frame.id {
        case "TIT2": if title.isEmpty { title = Tags.text(tag.body(limit: 65_536)) }
        case "TPE1": if artist.isEmpty { artist = Tags.text(tag.body(limit: 65_536)) }
        case "TALB": if album.isEmpty { album = Tags.text(tag.body(limit: 65_536)) }
        case "COMM":
            let (description, text) = Tags.describedText(tag.body(limit: 65_536))
            // Those with a description are mostly for programs to read.
            if comment.isEmpty && description.isEmpty { comment = text }
        case "APIC", "PIC":
            if picture?.kind != 3, let found = Tags.picture(frame, head: tag.body(limit: Tags.pictureHeadBytes)),
                picture == nil || found.kind == 3
            {
                picture = found
            }
        case "SYLT": hasSynchronisedLyrics = true
        case "USLT": hasLyrics = true
        default: break
        }
    }

    private mutating func takeID3v1(_ bytes: [UInt8]) {
        guard bytes.count == 128, bytes.starts(with: [0x54, 0x41, 0x47]) else { return }
        func field(_ from: Int, _ length: Int) -> String {
            Tags.line(Tags.guessed(bytes[from..<from + length].prefix { $0 != 0 }))
        }
        if title.isEmpty { title = field(3, 30) }
        if artist.isEmpty { artist = field(33, 30) }
        if album.isEmpty { album = field(63, 30) }
        // In ID3v1.1 the last two bytes of the comment are a zero and the track's number.
        if comment.isEmpty { comment = field(97, bytes[125] == 0 ? 28 : 30) }
    }

    // MARK: Text

    /// The body of a text frame: its encoding, then one or several texts with zeros between.
    static func text(_ body: [UInt8]) -> String {
        guard let encoding = body.first else { return "" }
        return line(utf8(body.dropFirst(), encoding))
    }

    /// The body of a COMM frame: encoding, language, description, text.
    static func describedText(_ body: [UInt8]) -> (description: String, text: String) {
        guard body.count > 4 else { return ("", "") }
        let rest = body[4...]
        guard let end = terminator(rest, body[0]) else { return ("", line(utf8(rest, body[0]))) }
        let text = rest[min(end + width(body[0]), rest.endIndex)...]
        return (line(utf8(rest[..<end], body[0])), line(utf8(text, body[0])))
    }

    /// Bytes that a character takes at least in one of ID3v2's encodings.
    private static func width(_ encoding: UInt8) -> Int { encoding == 1 || encoding == 2 ? 2 : 1 }

    /// Where a text ends: its zero, or aligned pair of zeros.
    private static func terminator(_ bytes: ArraySlice<UInt8>, _ encoding: UInt8) -> Int? {
        if width(encoding) == 1 { return bytes.firstIndex(of: 0) }
        var at = bytes.startIndex
        while at + 1 < bytes.endIndex {
            if bytes[at] == 0 && bytes[at + 1] == 0 { return at }
            at += 2
        }
        return nil
    }

    /// Texts in one of ID3v2's four encodings, in UTF-8, zeros between them as they came.
    private static func utf8(_ bytes: ArraySlice<UInt8>, _ encoding: UInt8) -> [UInt8] {
        if encoding == 0 {
            // Declared Latin-1, which taggers take lightly: UTF-8 where it is that, else Windows-1252, which holds Latin-1.
            return Array(bytes.split(separator: 0).map { guessed($0) }.joined(separator: [0]))
        }
        guard !bytes.isEmpty else { return [] }
        let source = Array(bytes)
        return converted { ns_mpg123_store_id3_text(&$0, encoding, source, source.count) }
    }

    private static func guessed(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let source = Array(bytes) + [0]
        var text = converted { ns_mpg123_store_guessed_text(&$0, source, source.count) }
        if text.last == 0 { text.removeLast() }
        return text
    }

    private static func converted(_ convert: (inout mpg123_string) -> Int32) -> [UInt8] {
        var string = mpg123_string()
        mpg123_init_string(&string)
        defer { mpg123_free_string(&string) }
        guard convert(&string) == 1, let text = string.p else { return [] }
        return Array(UnsafeRawBufferPointer(start: text, count: Int(string.fill)))
    }

    /// One line for people: several texts are joined by commas, control characters and outer blanks go, and what is too long.
    private static func line(_ utf8: [UInt8]) -> String {
        var line: [UInt8] = []
        var isAfterText = false
        for byte in utf8 {
            if byte == 0 {
                isAfterText = !line.isEmpty
                continue
            }
            if isAfterText { line.append(contentsOf: [0x2C, 0x20]) }
            isAfterText = false
            let isBlank = byte <= 0x20 || byte == 0x7F
            if !isBlank || !line.isEmpty { line.append(isBlank ? 0x20 : byte) }
        }
        if line.count > textBytes {
            var end = textBytes
            while end > 0 && line[end] & 0xC0 == 0x80 { end -= 1 }
            line.removeLast(line.count - end)
        }
        while line.last == 0x20 { line.removeLast() }
        return String(decoding: line, as: UTF8.self)
    }

    // MARK: Pictures

    /// APIC: encoding, MIME type, kind, description, picture. In 2.2 three characters stand for the MIME type.
    static func picture(_ frame: ID3v2Frames.Frame, head: [UInt8]) -> Picture? {
        guard let encoding = head.first else { return nil }
        var mimeType: String
        var at: Int
        if frame.id == "PIC" {
            guard head.count > 5 else { return nil }
            mimeType = "image/" + String(decoding: head[1..<4].map { $0 | 0x20 }, as: UTF8.self)
            if mimeType == "image/jpg" { mimeType = "image/jpeg" }
            at = 4
        } else {
            guard let end = head[1...].firstIndex(of: 0) else { return nil }
            mimeType = line(Array(head[1..<end]))
            at = end + 1
        }
        // "-->" stands for a link to a picture somewhere else.
        guard at < head.count, mimeType != "-->", mimeType != "image/-->" else { return nil }
        let kind = head[at]
        guard let end = terminator(head[(at + 1)...], encoding) else { return nil }
        at = end + width(encoding)
        guard at < frame.bodyBytes else { return nil }
        return Picture(
            mimeType: mimeType, kind: kind, byteCount: frame.bodyBytes - at,
            offset: frame.bodyOffset.map { $0 + Int64(at) })
    }
}
