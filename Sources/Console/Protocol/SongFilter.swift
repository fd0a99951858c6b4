import Core
import Posix

/// What `find`, `search` and their kin look for: MPD's filter expressions, and the older pairs of tag and text.
/// protocol.rst, "Filters".
struct SongFilter {
    private(set) var query: SongQuery
    /// Which of the matches to tell.
    private(set) var window = 0..<Argument.maximum

    /// Reads the arguments of a command.
    /// - Parameter isSearch: compare as `search` does: parts, upper and lower case the same.
    init(_ arguments: ArraySlice<String>, isSearch: Bool) throws(ConsoleError) {
        var terms: [SongCondition] = []
        query = SongQuery(.all([]))
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
                query.isDescending = value.utf8.first == UInt8(ascii: "-")
                let name = query.isDescending ? value.dropping(bytes: 1) : value
                guard let tag = Tag(name: name) else { throw Argument.wrong(value, "Unknown sort tag") }
                query.order = tag
            case "group":
                throw ConsoleError(.argument, "group is not available")
            case "base":
                terms.append(.base(value))
            case "modified-since":
                terms.append(.modifiedSince(Int64(try Argument.integer(value))))
            default:
                let term = SongFilter.comparison(first, isSearch ? .contains : .equals, value, foldsCase: isSearch)
                guard let term else { throw Argument.wrong(first, "Unknown filter type") }
                terms.append(term)
            }
        }
        query.condition = .all(terms)
    }

    /// - Parameter name: of a tag of MPD's, or one of its pseudo tags.
    private static func comparison(
        _ name: String, _ comparison: SongCondition.Comparison, _ text: String, foldsCase: Bool
    ) -> SongCondition? {
        if let tag = Tag(name: name) { return .compare(.tag(tag), comparison, text, foldsCase: foldsCase) }
        switch name.lowerCase {
        case "any": return .compare(.any, comparison, text, foldsCase: foldsCase)
        case "file", "filename": return .compare(.file, comparison, text, foldsCase: foldsCase)
        default: return nil
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

        mutating func whole() throws(ConsoleError) -> SongCondition {
            let term = try expression(depth: 0)
            if !rest.isEmpty { throw wrong("Unparsed garbage after expression") }
            return term
        }

        private mutating func expression(depth: Int) throws(ConsoleError) -> SongCondition {
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

        private mutating func comparison() throws(ConsoleError) -> SongCondition {
            let name = word()
            if name == "base" { return .base(try string()) }
            if name == "modified-since" { return .modifiedSince(Int64(try Argument.integer(try string()))) }
            if Tag(name: name) == nil && name.lowerCase != "any" && name.lowerCase != "file"
                && name.lowerCase != "filename"
            {
                throw Argument.wrong(name, "Unknown filter type")
            }
            let operation = word()
            let text = try string()
            let isNegated = operation.utf8.first == UInt8(ascii: "!")
            let comparison: SongCondition.Comparison =
                switch operation {
                case "==", "!=": .equals
                case "contains", "!contains": .contains
                case "starts_with", "!starts_with": .startsWith
                default: throw Argument.wrong(operation, "Unknown filter operator")
                }
            guard let term = SongFilter.comparison(name, comparison, text, foldsCase: foldsCase) else {
                throw Argument.wrong(name, "Unknown filter type")
            }
            return isNegated ? .not(term) : term
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
