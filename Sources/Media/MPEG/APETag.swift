// SPDX-License-Identifier: Apache-2.0
import Core
import Text

/// APEv2, introduced by Monkey's Audio and written by MP3Gain: items of a name and a UTF-8 text, with a footer at the end of the file or
/// before ID3v1 (https://wiki.hydrogenaud.io, "APEv2 specification").
struct APETag {
    private static let footerBytes = 32
    private static let mostItems = 256
    private static let mostTextBytes = 16 * 1024

    private let source: any ByteSource
    private let start: Int64
    /// The offset of the footer.
    private let end: Int64

    /// - Parameter fileEnd: the end of the file, or the start of ID3v1.
    init?(_ source: any ByteSource, endingAt fileEnd: Int64) {
        let count = APETag.footerBytes
        guard fileEnd >= Int64(count), let footer = try? source.bytes(at: fileEnd - Int64(count), count: count),
            footer.count == count, footer.has("APETAGEX", at: 0), footer[23] & 0x20 == 0
        else { return nil }
        let stored = Int64(footer.littleEndian32(at: 12))
        guard stored >= Int64(count), stored <= fileEnd else { return nil }
        self.source = source
        start = fileEnd - stored
        end = fileEnd - Int64(count)
    }

    func read(into texts: inout TagTexts) {
        texts.beginFurther()
        var at = start
        for _ in 0..<APETag.mostItems {
            // An item: the text's length, its kind, and the name with a NUL.
            guard end - at > 8, let head = try? source.bytes(at: at, count: Int(min(end - at, 8 + 256))),
                head.count > 8,
                let nameEnd = head[8...].firstIndex(of: 0)
            else { return }
            let length = Int64(head.littleEndian32(at: 0))
            let name = Array(head[8..<nameEnd])
            at += Int64(nameEnd + 1)
            if length > end - at { return }
            // Pictures and addresses have other kinds.
            if head[4] & 6 == 0, length <= Int64(APETag.mostTextBytes),
                let text = try? source.bytes(at: at, count: Int(length))
            {
                for value in text.split(separator: 0) { APETag.take(name, Array(value), into: &texts) }
            }
            at += length
        }
    }

    private static func take(_ name: [UInt8], _ value: [UInt8], into texts: inout TagTexts) {
        let text = TextDecoding.utf8(fromSingleBytes: value, value.indices)
        switch String(decoding: name.map { $0.isLetter ? $0 | 0x20 : $0 }, as: UTF8.self) {
        case "title": texts.add(.title, text)
        case "artist": texts.add(.artist, text)
        case "album": texts.add(.album, text)
        case "album artist", "albumartist": texts.add(.albumArtist, text)
        case "track": texts.add(.track, text)
        case "disc", "media": texts.add(.disc, text)
        case "year": texts.add(.date, text)
        case "genre": texts.add(.genre, text)
        case "comment": texts.add(.comment, text)
        case "publisher", "label": texts.add(.label, text)
        case "composer": texts.take(composer: TagTexts.tidy(text))
        case "grouping": texts.take(grouping: TagTexts.tidy(text))
        default: texts.take(named: name, TagTexts.tidy(text))
        }
    }
}
