import Posix

/// What `find`, `search` and their kin look for: MPD's filter expressions, and the older pairs of tag and text.
/// protocol.rst, "Filters".
struct SongFilter {
    private enum Subject {
        case tag(Tag)
        /// A tag that no item here has.
        case absent
        case any
        case file
    }

    private enum Operation {
        case equals, contains, startsWith
    }

    private indirect enum Term {
        case compare(Subject, Operation, Needle, isNegated: Bool)
        /// In this folder or below.
        case base(String)
        case modifiedSince(Int64)
        case not(Term)
        case all([Term])
    }

    private struct Needle {
        let bytes: [UInt8]
        let foldsCase: Bool

        init(_ text: String, foldsCase: Bool) {
            bytes = Array((foldsCase ? text.lowerCase : text).utf8)
            self.foldsCase = foldsCase
        }
    }

    private var term: Term
    /// The tag to sort by, if asked for.
    private(set) var sortTag: Tag?
    private(set) var isSortDescending = false
    /// Which of the matches to tell.
    private(set) var window = 0..<Argument.maximum

    /// Reads the arguments of a command.
    /// - Parameter isSearch: compare as `search` does: parts, upper and lower case the same.
    init(_ arguments: ArraySlice<String>, isSearch: Bool) throws(ConsoleError) {
        var terms: [Term] = []
        var rest = arguments
        while let first = rest.popFirst() {
            if first.utf8.first == UInt8(ascii: "(") {
                var parser = Parser(first, foldsCase: isSearch)
                terms.append(try parser.whole())
                continue
            }
            guard let value = rest.popFirst() else {
                throw ConsoleError(.argument, "Text expected after \(Argument.shortened(first))")
            }
            switch first.lowerCase {
            case "window":
                window = try Argument.range(value)
            case "sort":
                isSortDescending = value.utf8.first == UInt8(ascii: "-")
                let name = isSortDescending ? value.dropping(bytes: 1) : value
                guard let tag = Tag(name: name) else { throw Argument.wrong(value, "Unknown sort tag") }
                sortTag = tag
            case "group":
                throw ConsoleError(.argument, "group is not available")
            case "base":
                terms.append(.base(value))
            case "modified-since":
                terms.append(.modifiedSince(Int64(try Argument.integer(value))))
            default:
                guard let subject = SongFilter.subject(first) else {
                    throw Argument.wrong(first, "Unknown filter type")
                }
                let needle = Needle(value, foldsCase: isSearch)
                terms.append(.compare(subject, isSearch ? .contains : .equals, needle, isNegated: false))
            }
        }
        term = .all(terms)
    }

    func matches(_ song: SongDescription) -> Bool { SongFilter.matches(term, song) }

    /// Sorted and cut as asked for.
    func arrange(_ songs: [SongDescription]) -> [SongDescription] {
        guard let sortTag else { return Array(songs[window.clamped(to: 0..<songs.count)]) }
        // The songs' places, in order so far. The standard library's sort is a tenth of this module's code, for a rare wish.
        var places: [Int] = []
        for (place, song) in songs.enumerated() {
            let key = song[sortTag] ?? ""
            let rank = SongFilter.rank(in: places.count) { other in
                let otherKey = songs[places[other]][sortTag] ?? ""
                return isSortDescending ? otherKey < key : key < otherKey
            }
            places.insert(place, at: rank)
        }
        return places[window.clamped(to: 0..<songs.count)].map { songs[$0] }
    }

    /// Where among `count` things in order the first stands that is to come after a new one.
    static func rank(in count: Int, isAfter: (Int) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if isAfter(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    private static func subject(_ name: String) -> Subject? {
        if let tag = Tag(name: name) { return .tag(tag) }
        switch name.lowerCase {
        case "any": return .any
        case "file", "filename": return .file
        default: return Tag.isKnown(name) ? .absent : nil
        }
    }

    private static func matches(_ term: Term, _ song: SongDescription) -> Bool {
        switch term {
        case .compare(let subject, let operation, let needle, let isNegated):
            return matches(subject, operation, needle, song) != isNegated
        case .base(let folder):
            return folder.isEmpty || song.uri == folder
                || (song.uri.utf8.starts(with: folder.utf8)
                    && song.uri.utf8.dropFirst(folder.utf8.count).first == UInt8(ascii: "/"))
        case .modifiedSince(let seconds):
            return (song.modifiedSeconds ?? 0) >= seconds
        case .not(let term):
            return !matches(term, song)
        case .all(let terms):
            for term in terms where !matches(term, song) { return false }
            return true
        }
    }

    private static func matches(
        _ subject: Subject, _ operation: Operation, _ needle: Needle, _ song: SongDescription
    ) -> Bool {
        switch subject {
        case .tag(let tag): matches(song[tag], operation, needle)
        case .absent: matches(nil, operation, needle)
        case .file: matches(song.uri, operation, needle)
        case .any: Tag.allCases.contains { matches(song[$0], operation, needle) }
        }
    }

    /// No text at all is as the empty text.
    private static func matches(_ value: String?, _ operation: Operation, _ needle: Needle) -> Bool {
        let text = value ?? ""
        let hay = Array((needle.foldsCase ? text.lowerCase : text).utf8)
        switch operation {
        case .equals: return hay == needle.bytes
        case .startsWith: return hay.starts(with: needle.bytes)
        case .contains:
            if needle.bytes.isEmpty { return true }
            var start = 0
            while start + needle.bytes.count <= hay.count {
                if hay[start...].starts(with: needle.bytes) { return true }
                start += 1
            }
            return false
        }
    }

    // MARK: Expressions

    private struct Parser {
        private static let maximumDepth = 16
        private let text: String
        private var rest: ArraySlice<UInt8>
        private let foldsCase: Bool

        init(_ text: String, foldsCase: Bool) {
            self.text = text
            rest = Array(text.utf8)[...]
            self.foldsCase = foldsCase
        }

        mutating func whole() throws(ConsoleError) -> Term {
            let term = try expression(depth: 0)
            if !rest.isEmpty { throw wrong("Unparsed garbage after expression") }
            return term
        }

        private mutating func expression(depth: Int) throws(ConsoleError) -> Term {
            if depth > Parser.maximumDepth { throw wrong("Expression too deep") }
            try expect("(")
            if take("!") {
                let term = try expression(depth: depth + 1)
                try expect(")")
                return .not(term)
            }
            if rest.first == UInt8(ascii: "(") {
                var terms = [try expression(depth: depth + 1)]
                while !take(")") {
                    if word() != "AND" { throw wrong("'AND' expected") }
                    terms.append(try expression(depth: depth + 1))
                }
                return .all(terms)
            }
            let term = try comparison()
            try expect(")")
            return term
        }

        private mutating func comparison() throws(ConsoleError) -> Term {
            let name = word()
            if name == "base" { return .base(try string()) }
            if name == "modified-since" { return .modifiedSince(Int64(try Argument.integer(try string()))) }
            guard let subject = SongFilter.subject(name) else { throw Argument.wrong(name, "Unknown filter type") }
            let operation = word()
            let value = Needle(try string(), foldsCase: foldsCase)
            switch operation {
            case "==": return .compare(subject, .equals, value, isNegated: false)
            case "!=": return .compare(subject, .equals, value, isNegated: true)
            case "contains": return .compare(subject, .contains, value, isNegated: false)
            case "!contains": return .compare(subject, .contains, value, isNegated: true)
            case "starts_with": return .compare(subject, .startsWith, value, isNegated: false)
            case "!starts_with": return .compare(subject, .startsWith, value, isNegated: true)
            default: throw Argument.wrong(operation, "Unknown filter operator")
            }
        }

        private mutating func string() throws(ConsoleError) -> String {
            guard let mark = rest.first, mark == .quote || mark == UInt8(ascii: "'") else {
                throw wrong("Quoted string expected")
            }
            rest.removeFirst()
            var bytes: [UInt8] = []
            while let byte = rest.popFirst() {
                if byte == mark {
                    skipSpace()
                    return String(decoding: bytes, as: UTF8.self)
                }
                if byte != .backslash {
                    bytes.append(byte)
                } else if let next = rest.popFirst() {
                    bytes.append(next)
                }
            }
            throw wrong("Closing quote not found")
        }

        private mutating func word() -> String {
            let word = rest.prefix { !$0.isBlank && $0 != UInt8(ascii: "(") && $0 != UInt8(ascii: ")") && $0 != .quote }
            rest = rest[word.endIndex...]
            skipSpace()
            return String(decoding: word, as: UTF8.self)
        }

        private mutating func take(_ character: Unicode.Scalar) -> Bool {
            guard rest.first == UInt8(ascii: character) else { return false }
            rest.removeFirst()
            skipSpace()
            return true
        }

        private mutating func expect(_ character: Unicode.Scalar) throws(ConsoleError) {
            if !take(character) { throw wrong("'" + String(Character(character)) + "' expected") }
        }

        private mutating func skipSpace() { rest = rest.drop { $0.isBlank } }

        private func wrong(_ what: String) -> ConsoleError { Argument.wrong(text, what) }
    }
}
