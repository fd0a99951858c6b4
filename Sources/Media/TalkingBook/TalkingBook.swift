// SPDX-License-Identifier: Apache-2.0
import Core
import Posix

/// A talking book in a folder or an archive: DAISY 2.02 by its `ncc.html`, DAISY 3 (ANSI/NISO Z39.86) and EPUB 3 with media overlays by its
/// package, an `.opf` file. It has the book's facts, and its audio files in reading order.
public struct TalkingBook: Sendable {
    public struct Part: Sendable {
        /// The file's name in the folder.
        public let name: String
        /// The first heading that begins in the file, or the one that continues there.
        public internal(set) var title = ""
        public internal(set) var chapters: [Chapter] = []
        /// The pages of the printed book with their start; a page's title is its number.
        public internal(set) var pages: [Chapter] = []

        init(name: String) { self.name = name }
    }

    public internal(set) var parts: [Part] = []
    public internal(set) var facts = TalkingBookFacts()
    /// The path of the cover; nil if the book names none, or it does not exist.
    public internal(set) var cover: String?
    /// The reason why it cannot be played; nil if it can.
    public internal(set) var protection: String?

    /// Returns the file that makes a folder a talking book: `ncc.html` before a package. Nil for other folders.
    /// - Parameter names: the names in the folder, in any order.
    public static func index(in names: some Sequence<String>) -> String? {
        var best: String?
        for name in names where isIndex(name) {
            let isNCC = name.pathExtension == "html"
            if isNCC { return name }
            if best == nil || name.utf8.lexicographicallyPrecedes(best!.utf8) { best = name }
        }
        return best
    }

    public static func isIndex(_ name: String) -> Bool {
        name.pathExtension == "opf" || name.utf8.count == 8 && name.lowerCase.utf8.elementsEqual("ncc.html".utf8)
    }

    /// Returns true for the files, other than audio, that a talking book is read from.
    public static func isPiece(_ name: String) -> Bool {
        switch name.pathExtension {
        case "smil", "ncx", "opf", "xml": true
        case "html": isIndex(name)
        default: false
        }
    }

    /// Returns true for a talking book's index, and for possible files of its text.
    public static func isText(_ name: String) -> Bool {
        name.pathExtension == "xml" || name.pathExtension == "html" || isIndex(name)
    }

    /// Returns the index of a file in the reading order; nil if it is not part of the book.
    public func place(of name: String) -> Int? { parts.firstIndex { $0.name.utf8.elementsEqual(name.utf8) } }

    /// Returns a file's tags: the book's facts, then the file's own tags for the rest.
    public func tags(of place: Int, own: TagList) -> TagList {
        var tags = TagList()
        tags.append(.title, parts[place].title)
        tags.append(.album, facts.title)
        for author in facts.authors {
            tags.append(.artist, author)
            tags.append(.albumArtist, author)
        }
        for narrator in facts.narrators { tags.append(.narrator, narrator) }
        tags.append(.language, facts.language)
        tags.append(.label, facts.publisher)
        tags.append(.date, facts.date)
        tags.append(.track, "\(place + 1)")
        let said = tags
        for (tag, value) in own.all where said[tag] == nil && tag != .disc { tags.append(tag, value) }
        return tags
    }
}

/// A talking book's facts (`dc:`, `ncc:`, `dtb:`): the first of each, and all authors and narrators.
public struct TalkingBookFacts: Sendable {
    private static let mostNames = 16
    private static let mostBytes = 512

    public private(set) var title = ""
    public private(set) var authors: [String] = []
    public private(set) var narrators: [String] = []
    public private(set) var language = ""
    public private(set) var publisher = ""
    public private(set) var date = ""
    /// True for one volume of several; its index names the files of other volumes, too.
    public private(set) var isOneOfSeveral = false

    /// - Parameters:
    ///   - name: the name of a meta or an element, such as `dc:Title` or `ncc:narrator`.
    ///   - value: the value in UTF-8.
    mutating func take(_ name: [UInt8], _ value: [UInt8]) {
        let text = String(decoding: BookText.oneLine(value, most: TalkingBookFacts.mostBytes), as: UTF8.self)
        if text.isEmpty { return }
        switch String(decoding: name.prefix(32).map { $0.lowerCase }, as: UTF8.self) {
        case "dc:title": if title.isEmpty { title = text }
        case "dc:creator": TalkingBookFacts.add(text, &authors)
        case "ncc:narrator", "dtb:narrator", "media:narrator": TalkingBookFacts.add(text, &narrators)
        case "dc:language": if language.isEmpty { language = text }
        case "dc:publisher": if publisher.isEmpty { publisher = text }
        case "dc:date": if date.isEmpty { date = text }
        // "2 of 3".
        case "ncc:setinfo": isOneOfSeveral = !text.utf8.elementsEqual("1 of 1".utf8)
        default: break
        }
    }

    /// Takes a title that replaces a missing one of the metas.
    mutating func take(otherTitle value: [UInt8]) { take(Array("dc:title".utf8), value) }

    private static func add(_ name: String, _ names: inout [String]) {
        if names.count < mostNames && !names.contains(where: { $0.utf8.elementsEqual(name.utf8) }) {
            names.append(name)
        }
    }
}
