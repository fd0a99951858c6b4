// SPDX-License-Identifier: Apache-2.0
import Core
import Text

/// The tags of an MP4 (ilst), as iTunes and audiobook taggers write them. Texts are read one by one; of a picture only both ends are read.
struct MP4Tags {
    struct PicturePlace {
        let offset: Int64
        let byteCount: Int64
        let mime: String
    }

    private static let mostTextBytes: Int64 = 16 * 1024
    private static let mostValues = 32

    private(set) var texts = TagTexts()
    private(set) var cover: Cover?
    private(set) var picture: PicturePlace?
    /// The text of iTunSMPB: iTunes' exact counts of the audible samples.
    private(set) var gaplessCounts: [UInt8]?
    /// Nero's list of chapters (chpl).
    private(set) var chapterList: Box?
    /// The description, which serves as a comment if there is none better.
    private var description: [UInt8]?
    private let window: ByteWindow
    private let isForGapless: Bool

    /// Unreadable tags count as missing.
    init(_ movie: MP4Movie) { self.init(movie, isForGapless: false) }

    fileprivate init(_ movie: MP4Movie, isForGapless: Bool) {
        window = movie.window
        self.isForGapless = isForGapless
        guard let data = movie.userData else { return }
        if data.isNamed("meta") {
            try? take(meta: data)
        } else {
            var boxes = BoxWalk(window, in: data)
            while let box = try? boxes.next() {
                if box.isNamed("meta") { try? take(meta: box) }
                if box.isNamed("chpl") && chapterList == nil { chapterList = box }
            }
        }
        if let description, texts.lacks(.comment) { texts.add(.comment, description) }
    }

    /// In QuickTime the boxes start at once, in MP4 after four bytes.
    private mutating func take(meta: Box) throws(SourceError) {
        let head = try window.bytes(at: meta.start, count: Int(min(8, meta.byteCount)))
        let isQuickTime = head.count >= 8 && head.number(at: 4) == Box.kind("hdlr")
        var boxes = BoxWalk(window, in: meta, skipping: isQuickTime ? 0 : 4)
        guard let list = try boxes.next("ilst") else { return }
        var items = BoxWalk(window, in: list)
        while let item = try items.next() {
            if item.isNamed("----") {
                try take(own: item)
            } else if !isForGapless {
                try take(item)
            }
        }
    }

    private mutating func take(_ item: Box) throws(SourceError) {
        switch item.kind {
        case 0xA96E_616D: try take(.title, item)  // ©nam
        case 0xA941_5254: try take(.artist, item)  // ©ART
        case Box.kind("aART"): try take(.albumArtist, item)
        case 0xA961_6C62: try take(.album, item)  // ©alb
        case 0xA964_6179: try take(.date, item)  // ©day
        case 0xA967_656E: try take(.genre, item)  // ©gen
        case 0xA963_6D74: try take(.comment, item)  // ©cmt
        case 0xA970_7562, 0xA96C_6162: try take(.label, item)  // ©pub, ©lab
        case 0xA963_6F6E: try take(.conductor, item)  // ©con
        case Box.kind("soar"): try take(.artistSort, item)
        case Box.kind("soal"): try take(.albumSort, item)
        case Box.kind("soaa"): try take(.albumArtistSort, item)
        case 0xA977_7274:  // ©wrt
            for text in try values(item) { texts.take(composer: text) }
        case 0xA967_7270:  // ©grp
            for text in try values(item) { texts.take(grouping: text) }
        case 0xA96E_7274: for text in try values(item) { texts.take(.narrator, text) }  // ©nrt
        case 0xA96D_766E: for text in try values(item) { texts.take(.movement, text) }  // ©mvn
        case 0xA96D_7669: try take(number: item) { $0.take(.movementNumber, $1) }  // ©mvi
        case Box.kind("gnre"):
            // The number of ID3v1, counted from 1.
            if let bytes = try first(item), bytes.count >= 2, let name = GenreNames.name(Int(bytes[1]) - 1) {
                texts.add(.genre, Array(name.utf8))
            }
        case Box.kind("trkn"): try take(pair: .track, item)
        case Box.kind("disk"): try take(pair: .disc, item)
        case Box.kind("desc"), Box.kind("ldes"): if let text = try values(item).first { description = text }
        case Box.kind("covr"): try take(picture: item)
        default: break
        }
    }

    // MARK: Values

    private mutating func take(_ tag: Tag, _ item: Box) throws(SourceError) {
        for text in try values(item) { texts.add(tag, text) }
    }

    /// Reads a number and a total of two bytes each, after two unused bytes.
    private mutating func take(pair tag: Tag, _ item: Box) throws(SourceError) {
        guard let bytes = try first(item), bytes.count >= 4 else { return }
        let number = Int(bytes[2]) << 8 | Int(bytes[3])
        if number > 0 { texts.add(tag, Array("\(number)".utf8)) }
    }

    private mutating func take(number item: Box, _ body: (inout TagTexts, [UInt8]) -> Void) throws(SourceError) {
        guard let bytes = try first(item), !bytes.isEmpty, bytes.count <= 4 else { return }
        let number = bytes.reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
        body(&texts, Array("\(number)".utf8))
    }

    /// Returns the values of an item. Each is a data box: its kind, a country and a language, and the content.
    private func data(_ item: Box, _ most: Int64) throws(SourceError) -> [(kind: UInt32, bytes: [UInt8])] {
        var boxes = BoxWalk(window, in: item)
        var all: [(kind: UInt32, bytes: [UInt8])] = []
        while all.count < MP4Tags.mostValues, let box = try boxes.next("data") {
            let bytes = try window.copy(at: box.start, count: Int(min(box.byteCount, most + 8)))
            if bytes.count < 8 { break }
            let kind = UInt32(bytes[1]) << 16 | UInt32(bytes[2]) << 8 | UInt32(bytes[3])
            all.append((kind, Array(bytes[8...])))
        }
        return all
    }

    private func first(_ item: Box) throws(SourceError) -> [UInt8]? { try data(item, 16).first?.bytes }

    private func values(_ item: Box) throws(SourceError) -> [[UInt8]] {
        var texts: [[UInt8]] = []
        for (kind, bytes) in try data(item, MP4Tags.mostTextBytes) {
            let text =
                kind == 2
                ? TextDecoding.utf16(bytes, bytes.indices, littleEndian: false)
                : TextDecoding.utf8(fromSingleBytes: bytes, bytes.indices)
            texts.append(TagTexts.tidy(text))
        }
        return texts
    }

    /// Reads a free-form item ("com.apple.iTunes", "NARRATOR").
    private mutating func take(own item: Box) throws(SourceError) {
        var boxes = BoxWalk(window, in: item)
        guard let box = try boxes.next("name"), box.byteCount > 4 else { return }
        let name = Array(try window.copy(at: box.start, count: Int(min(box.byteCount, 64))).dropFirst(4))
        if name.has("iTunSMPB", at: 0) && name.count == 8 {
            if gaplessCounts == nil { gaplessCounts = try values(item).first }
        } else if !isForGapless {
            for text in try values(item) { texts.take(named: name, text) }
        }
    }

    /// Reads the pictures; the first is the front cover.
    private mutating func take(picture item: Box) throws(SourceError) {
        var boxes = BoxWalk(window, in: item)
        guard picture == nil, let box = try boxes.next("data") else { return }
        let count = box.byteCount - 8
        guard count > 0, count <= Int64(EmbeddedPicture.mostBytes) else { return }
        let sample = Int(min(count, Int64(Cover.sampleBytes)))
        let first = try window.copy(at: box.start + 8, count: sample)
        let last = try window.copy(at: box.end - Int64(sample), count: sample)
        guard first.count == sample, last.count == sample else { return }
        // The stated type is often wrong; the first bytes tell it.
        picture = PicturePlace(offset: box.start + 8, byteCount: count, mime: Picture.mime(of: first))
        cover = Cover(byteCount: count, first: first, last: last)
    }
}

extension MP4Movie {
    /// Returns the text of iTunSMPB; nil without one.
    func gaplessCounts() throws(SourceError) -> [UInt8]? { MP4Tags(self, isForGapless: true).gaplessCounts }
}
