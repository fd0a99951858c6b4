// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Posix
import Text

/// MPD's filter expressions: `((artist == 'x') AND (!(title contains "y")))`.
package struct FilterExpression {
    private static let maximumDepth = 16
    private var rest: ArraySlice<UInt8>
    private let foldsCase: Bool

    package init(_ text: String, foldsCase: Bool) {
        rest = Array(text.utf8)[...]
        self.foldsCase = foldsCase
    }

    package mutating func whole() throws(ConsoleError) -> ItemFilter {
        let term = try expression(depth: 0)
        if !rest.isEmpty { throw ConsoleError(.argument, "Unparsed garbage after expression") }
        return term
    }

    private mutating func expression(depth: Int) throws(ConsoleError) -> ItemFilter {
        if depth > FilterExpression.maximumDepth { throw ConsoleError(.argument, "Expression too deep") }
        try expect("(")
        if rest.first == UInt8(ascii: "(") {
            var terms = [try expression(depth: depth + 1)]
            while !take(")") {
                if try word() != "AND" { throw ConsoleError(.argument, "'AND' expected") }
                terms.append(try expression(depth: depth + 1))
            }
            return terms.count == 1 ? terms[0] : .and(terms)
        }
        if take("!") {
            let term = try expression(depth: depth + 1)
            try expect(")")
            return .not(term)
        }
        let term = try comparison()
        try expect(")")
        return term
    }

    private mutating func comparison() throws(ConsoleError) -> ItemFilter {
        let name = try word()
        if let subject = ItemFilter.Column(name: name) { return try comparison(of: subject) }
        switch name.lowerCase {
        case "base": return .base(try quoted())
        case "said": return .said(try quoted())
        case "modified-since": return .modifiedSince(try Argument.time(try quoted()))
        case "added-since": return .addedSince(try Argument.time(try quoted()))
        case "audioformat":
            let isMask = take("=~")
            if !isMask && !take("==") { throw ConsoleError(.argument, "'==' or '=~' expected") }
            return try FilterExpression.format(try quoted(), isMask: isMask)
        default: throw ConsoleError(.argument, "Unknown filter type: " + Argument.shortened(name))
        }
    }

    private mutating func comparison(of subject: ItemFilter.Column) throws(ConsoleError) -> ItemFilter {
        for (word, comparison) in [("contains ", ItemFilter.Comparison.contains), ("starts_with ", .begins)] {
            if take(word) { return .match(subject, comparison, try quoted(), foldsCase: foldsCase) }
            if take("!" + word) { return .not(.match(subject, comparison, try quoted(), foldsCase: foldsCase)) }
        }
        if take("==") { return .match(subject, .equals, try quoted(), foldsCase: foldsCase) }
        if take("!=") { return .not(.match(subject, .equals, try quoted(), foldsCase: foldsCase)) }
        if take("=~") { return .pattern(subject, try pattern()) }
        if take("!~") { return .not(.pattern(subject, try pattern())) }
        throw ConsoleError(.argument, "'==' or '!=' expected")
    }

    private mutating func pattern() throws(ConsoleError) -> TextPattern {
        let text = try quoted()
        do throws(TextPattern.Malformed) { return try TextPattern(text, foldsCase: foldsCase) } catch {
            throw ConsoleError(.argument, "Error in regex: " + error.message)
        }
    }

    /// Parses RATE:BITS:CHANNELS. With `isMask` each of them may be a star.
    private static func format(_ text: String, isMask: Bool) throws(ConsoleError) -> ItemFilter {
        let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        var pattern = "^"
        for (index, part) in parts.prefix(3).enumerated() {
            let isStar = isMask && part.elementsEqual([UInt8(ascii: "*")])
            let isNumber = !part.isEmpty && part.count < 8 && part.allSatisfy { $0.isDigit }
            // MPD has words for other sample formats than plain numbers: no file here has those.
            let isWord = index == 1 && (part.elementsEqual("f".utf8) || part.elementsEqual("dsd".utf8))
            if !isStar && !isNumber && !isWord {
                let names = ["sample rate", "sample format", "channel count"]
                throw ConsoleError(.argument, "Failed to parse the " + names[min(index, 2)])
            }
            pattern += (index == 0 ? "" : ":") + (isStar ? "[^:]*" : String(decoding: Array(part), as: UTF8.self))
        }
        switch parts.count {
        case 3: break
        case 1: throw ConsoleError(.argument, "Sample format missing")
        case 2: throw ConsoleError(.argument, "Channel count missing")
        default: throw ConsoleError(.argument, "Extra data after channel count")
        }
        if !isMask { return .match(.tag(.format), .equals, text, foldsCase: false) }
        do throws(TextPattern.Malformed) {
            return .pattern(.tag(.format), try TextPattern(pattern + "$", foldsCase: false))
        } catch { throw ConsoleError(.argument, error.message) }
    }

    private mutating func quoted() throws(ConsoleError) -> String {
        guard let mark = rest.first, mark == .quote || mark == UInt8(ascii: "'") else {
            throw ConsoleError(.argument, "Quoted string expected")
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
        throw ConsoleError(.argument, "Closing quote not found")
    }

    private mutating func word() throws(ConsoleError) -> String {
        let word = rest.prefix { $0.isLetter || $0.isDigit || $0 == .underscore || $0 == UInt8(ascii: "-") }
        if word.isEmpty { throw ConsoleError(.argument, "Word expected") }
        rest = rest[word.endIndex...]
        skipSpace()
        return String(decoding: word, as: UTF8.self)
    }

    /// Takes this text and the space behind it, if it comes next, ignoring case.
    private mutating func take(_ text: String) -> Bool {
        guard rest.starts(with: text.utf8, by: { $0 == $1 || ($0.isLetter && $0 | 0x20 == $1) }) else { return false }
        rest = rest.dropFirst(text.utf8.count)
        skipSpace()
        return true
    }

    private mutating func expect(_ text: String) throws(ConsoleError) {
        if !take(text) { throw ConsoleError(.argument, "'" + text + "' expected") }
    }

    private mutating func skipSpace() { rest = rest.drop { $0.isBlank } }
}
