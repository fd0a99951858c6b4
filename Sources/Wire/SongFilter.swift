// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Posix

/// The query of `find`, `search` and their kin: MPD's filter expressions and the older pairs of tag and text, with their options.
/// protocol.rst, "Filters".
package struct SongFilter {
    package let query: ItemQuery
    /// The window of the matches to list.
    package private(set) var window = 0..<Argument.maximum
    /// The position in the queue for the matches, in the client's text, since it may count from the current song.
    package private(set) var position: String?

    /// Parses the arguments of a command.
    /// - Parameters:
    ///   - isSearch: true to compare as `search` does: parts of texts, ignoring case.
    ///   - takesPosition: true if `position` may come last.
    package init(_ arguments: ArraySlice<String>, isSearch: Bool, takesPosition: Bool = false) throws(ConsoleError) {
        var rest = arguments
        // From the end, as MPD does: before them the same words are the names of tags.
        if takesPosition { position = SongFilter.take("position", &rest) }
        if let value = SongFilter.take("window", &rest) { window = try Argument.range(value) }
        var order = ItemQuery.Order.path
        var isDescending = false
        if let value = SongFilter.take("sort", &rest) {
            isDescending = value.utf8.first == UInt8(ascii: "-")
            order = try SongFilter.order(isDescending ? value.dropping(bytes: 1) : value)
        }
        query = ItemQuery(
            filter: try SongFilter.condition(rest, isSearch: isSearch), order: order, isDescending: isDescending)
    }

    /// Removes a word and its value from the end of the arguments, and returns the value.
    package static func take(_ word: String, _ arguments: inout ArraySlice<String>) -> String? {
        guard arguments.count >= 2, arguments[arguments.endIndex - 2] == word else { return nil }
        defer { arguments.removeLast(2) }
        return arguments.last
    }

    private static func order(_ name: String) throws(ConsoleError) -> ItemQuery.Order {
        if let tag = Tag(name: name) { return .tag(tag) }
        switch name.lowerCase {
        case "last-modified": return .modified
        case "added": return .added
        default: throw Argument.wrong(name, "Unknown sort tag")
        }
    }

    /// Parses expressions and pairs, which must all hold.
    package static func condition(_ arguments: ArraySlice<String>, isSearch: Bool) throws(ConsoleError) -> ItemFilter {
        var terms: [ItemFilter] = []
        var rest = arguments
        if rest.isEmpty { throw wrongNumber }
        while let first = rest.popFirst() {
            if first.utf8.first == UInt8(ascii: "(") {
                var parser = FilterExpression(first, foldsCase: isSearch)
                terms.append(try parser.whole())
            } else {
                guard let value = rest.popFirst() else { throw wrongNumber }
                terms.append(try pair(first, value, isSearch: isSearch))
            }
        }
        return terms.count == 1 ? terms[0] : .and(terms)
    }

    private static let wrongNumber = ConsoleError(.argument, "Incorrect number of filter arguments")

    private static func pair(_ name: String, _ value: String, isSearch: Bool) throws(ConsoleError) -> ItemFilter {
        if let subject = ItemFilter.Column(name: name) {
            return .match(subject, isSearch ? .contains : .equals, value, foldsCase: isSearch)
        }
        switch name.lowerCase {
        case "base":
            if value.isEmpty || !SongNames.isBelow(value) { throw ConsoleError(.argument, "Bad URI") }
            return .base(value)
        case "modified-since": return .modifiedSince(try Argument.time(value))
        case "said": return .said(value)
        case "added-since": return .addedSince(try Argument.time(value))
        default: throw Argument.wrong(name, "Unknown filter type")
        }
    }
}

extension ItemFilter.Column {
    /// - Parameter name: the name of a tag, or of a similar property.
    package init?(name: String) {
        if let tag = Tag(name: name) {
            self = .tag(tag)
            return
        }
        switch name.lowerCase {
        case "any": self = .any
        case "file", "filename": self = .file
        default: return nil
        }
    }
}
