// SPDX-License-Identifier: Apache-2.0
import Core
import Posix
import Text

/// Texts, links and times in the forms of talking books.
enum BookText {
    /// Returns a text on one line, with single spaces between words.
    static func oneLine(_ text: [UInt8], most: Int) -> [UInt8] {
        var line: [UInt8] = []
        for byte in text {
            if byte > 0x20 && byte != 0x7F {
                line.append(byte)
            } else if let last = line.last, last != 0x20 {
                line.append(0x20)
            }
            // One byte more marks the text as too long.
            if line.count > most { break }
        }
        return TextDecoding.tidied(line, most: most)
    }

    /// Returns an element's or attribute's name without its prefix, in lower case. Names that are too long are irrelevant.
    static func local(_ name: UnsafeBufferPointer<UInt8>) -> String {
        let start = name.lastIndex(of: UInt8(ascii: ":")).map { $0 + 1 } ?? 0
        return String(decoding: name[start...].prefix(16).map { $0.lowerCase }, as: UTF8.self)
    }

    /// Returns the milliseconds of "npt=12.5s", "0:01:02.5", "1.5min" or "300ms"; nil for anything else.
    static func milliseconds(_ text: [UInt8]) -> Int? {
        var rest = text[...].drop { $0.isSpace }
        if rest.starts(with: "npt=".utf8) { rest = rest.dropFirst(4) }
        while let last = rest.last, last.isSpace { rest.removeLast() }
        var unit: [UInt8] = []
        while let last = rest.last, last.isLetter {
            unit.insert(last.lowerCase, at: 0)
            rest.removeLast()
            if unit.count > 4 { return nil }
        }
        // The milliseconds in a second, a minute or an hour. Fractions count exactly.
        let factor: Int
        switch String(decoding: unit, as: UTF8.self) {
        case "", "s": factor = 1
        case "ms":
            guard let whole = Int64(digits: rest.prefix { $0.isDigit }, most: 12) else { return nil }
            return Int(clamping: min(whole, Int64(mostMilliseconds)))
        case "min": factor = 60
        case "h": factor = 3600
        default: return nil
        }
        guard let time = Chapter.milliseconds(Array(rest)) else { return nil }
        return min(time.multipliedSaturated(by: factor), mostMilliseconds)
    }

    /// Returns the skippable parts named by an attribute: tests of DAISY 2.02, custom tests of DAISY 3, types of EPUB.
    /// - Parameter tests: the raw values of the book's own names.
    static func skippableParts(_ words: [UInt8], _ tests: [String: Int] = [:]) -> SkippableParts {
        var parts: SkippableParts = []
        for word in words.prefix(256).split(whereSeparator: { $0 <= 0x20 || $0 == UInt8(ascii: "+") }) {
            let name = String(decoding: word.map { $0.lowerCase }, as: UTF8.self)
            parts.formUnion(tests[name].map { SkippableParts(rawValue: UInt8(truncatingIfNeeded: $0)) } ?? part(name))
        }
        return parts
    }

    private static func part(_ name: String) -> SkippableParts {
        switch name {
        case "pagenumber-on", "pagenum", "page_number", "pagebreak", "page-normal", "page-front", "page-special":
            .pageNumbers
        case "footnote-on", "note", "noteref", "annotation", "annot", "annoref", "note_reference", "footnote",
            "footnotes", "endnote", "endnotes", "rearnote", "rearnotes":
            .notes
        case "prodnote-on", "prodnote", "optional_producer_note", "optional-prodnote": .producerNotes
        case "sidebar-on", "sidebar", "optional_sidebar": .sidebars
        default: []
        }
    }

    /// The longest audio: 500 hours.
    private static let mostMilliseconds = 1_800_000_000
}

/// The target of a link: the last part of its path, and the fragment after "#". A book is in one folder.
struct BookLink {
    /// The name as written; comparisons ignore case.
    let file: String
    let id: String

    private static let mostBytes = 1024

    init(file: String, id: String) {
        self.file = file
        self.id = id
    }

    /// Returns nil if the link leads to nothing in the book.
    init?(_ text: [UInt8]?) {
        guard let text, text.count <= BookLink.mostBytes else { return nil }
        let mark = text.firstIndex(of: UInt8(ascii: "#"))
        let path = TextDecoding.percentDecoded(text[..<(mark ?? text.count)])
        if path.contains(0) || path.contains(UInt8(ascii: "?")) { return nil }
        // An escaped zero byte was in the name.
        if path.indices.dropLast(2).contains(where: { path[$0..<$0 + 3].elementsEqual("%00".utf8) }) { return nil }
        let slash = path.lastIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
        file = String(decoding: path[(slash.map { $0 + 1 } ?? 0)...], as: UTF8.self)
        id = String(decoding: mark.map { text[($0 + 1)...] } ?? [], as: UTF8.self)
        if file.isEmpty && id.isEmpty { return nil }
    }
}

/// A heading or a page, and its place in a SMIL file.
struct BookMark {
    /// The level, 1 to 6; 0 for a page.
    let level: Int
    let title: [UInt8]
    let link: BookLink
}

/// The content of a book's index: headings, pages, and the SMIL files in reading order.
struct BookIndex {
    static let mostMarks = 20_000
    static let mostFiles = 5000
    private static let mostTitleBytes = 512
    /// The limit of all titles and links together.
    private static let mostBytes = 4 << 20

    var facts = TalkingBookFacts()
    private(set) var marks: [BookMark] = []
    /// The names of the SMIL files as written.
    private(set) var spine: [String] = []
    /// The index of each name. (A book's names all use one kind of dictionary, since each kind costs kilobytes of code.)
    private var known: [String: Int] = [:]
    private var bytes = 0
    /// True if the book is encrypted.
    var isEncrypted = false
    /// For an EPUB, the place in the spine of the SMIL file of each text, by the text's name in lower case.
    private var overlays: [String: Int] = [:]
    /// The name of the cover picture; "" for none.
    var cover = ""
    /// The skippable parts (raw values) of each custom test (`bookStruct`), by its name in lower case.
    private(set) var tests: [String: Int] = [:]
    private static let mostTests = 64
    /// The skippable parts (raw values) of SMIL elements according to the index, by "file#id", the file in lower case.
    private(set) var marked: [String: Int] = [:]

    /// True for an EPUB with media overlays: its links lead into texts, not into SMIL files.
    var isOfTexts: Bool { !overlays.isEmpty }

    mutating func add(_ level: Int, _ title: [UInt8], _ link: BookLink) {
        var link = link
        if isOfTexts {
            guard let place = overlays[link.file.lowerCase] else { return }
            link = BookLink(file: spine[place], id: link.id)
        }
        let line = BookText.oneLine(title, most: BookIndex.mostTitleBytes)
        bytes += line.count + link.file.utf8.count + link.id.utf8.count
        guard marks.count < BookIndex.mostMarks, bytes < BookIndex.mostBytes else { return }
        marks.append(BookMark(level: level, title: line, link: link))
    }

    mutating func addTest(_ name: [UInt8]?, _ structure: [UInt8]?) {
        guard let name, let structure, name.count <= 64, tests.count < BookIndex.mostTests else { return }
        tests[String(decoding: name.map { $0.lowerCase }, as: UTF8.self)] = Int(
            BookText.skippableParts(structure).rawValue)
    }

    mutating func mark(_ link: BookLink, _ parts: SkippableParts) {
        if link.id.isEmpty || marked.count == BookIndex.mostMarks { return }
        marked[BookIndex.key(link.file, link.id), default: 0] |= Int(parts.rawValue)
    }

    static func key(_ file: String, _ id: String) -> String { file.lowerCase + "#" + id }

    /// - Parameter file: a SMIL file; its first mention counts.
    mutating func addToSpine(_ file: String) {
        let key = file.lowerCase
        guard spine.count < BookIndex.mostFiles, known[key] == nil else { return }
        known[key] = spine.count
        spine.append(file)
    }

    /// - Parameters:
    ///   - text: a text, in reading order.
    ///   - smil: the SMIL file that reads it.
    mutating func addToSpine(_ smil: String, reading text: String) {
        addToSpine(smil)
        if let place = known[smil.lowerCase] { overlays[text.lowerCase] = place }
    }
}
