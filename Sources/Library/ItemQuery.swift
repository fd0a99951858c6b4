import Posix
import SQLite

/// Which items to list, and in which order.
public struct ItemQuery: Sendable {
    public enum Order: Sendable {
        case path, title, artist, album, added, modified
    }

    /// Only what is in this folder (its whole path); nil for everything.
    public var folder: String?
    /// At any depth below the folder.
    public var isRecursive = true
    public var filter: ItemFilter?
    public var order = Order.path
    public var isDescending = false
    /// What `ItemFilter.Column.file` leaves out at the start of a path, with the "/" behind it.
    public var root = ""

    public init(
        folder: String? = nil, isRecursive: Bool = true, filter: ItemFilter? = nil, order: Order = .path,
        isDescending: Bool = false, root: String = ""
    ) {
        self.folder = folder
        self.isRecursive = isRecursive
        self.filter = filter
        self.order = order
        self.isDescending = isDescending
        self.root = root
    }
}

/// A condition on items. The database evaluates it.
public indirect enum ItemFilter: Sendable {
    public enum Column: Sendable, CaseIterable {
        case title, artist, album
        /// The file's path, without the query's root.
        case file
        /// Any of title, artist and album.
        case any
        /// A tag that no item has: as the empty text.
        case absent
    }

    public enum Comparison: Sendable, CaseIterable {
        case equals, begins, contains
    }

    case and([ItemFilter])
    case not(ItemFilter)
    /// With `foldsCase` upper and lower case are the same.
    case match(Column, Comparison, String, foldsCase: Bool)
    /// The file or folder of this whole path, or below it; "" for everything.
    case base(String)
    /// Seconds since 1970.
    case modifiedSince(Int64)
    case addedSince(Int64)
}

/// A filter as an expression of SQL, with the values of its parameters in order.
struct FilterExpression {
    private(set) var sql = ""
    private(set) var values: [Value] = []
    private let root: String

    init(_ filter: ItemFilter, root: String) {
        self.root = root
        append(filter)
    }

    private mutating func append(_ filter: ItemFilter) {
        switch filter {
        case .and(let terms): append(terms[...])
        case .not(.not(let term)): append(term)
        case .not(let term):
            sql += "NOT ("
            append(term)
            sql += ")"
        case .match(let column, let comparison, let text, let foldsCase):
            append(column, comparison, text, foldsCase)
        case .base(let path):
            if path.isEmpty {
                sql += "1"
                return
            }
            let prefix = Folders.prefix(path)
            sql += "(path = ? OR substr(path, 1, ?) = ?)"
            values += [.text(path), .integer(prefix.unicodeScalars.count), .text(prefix)]
        case .modifiedSince(let seconds): append("fileModified >= ?", .integer(seconds))
        case .addedSince(let seconds): append("added >= ?", .integer(seconds))
        }
    }

    /// By halves, since SQLite bounds how deep an expression is.
    private mutating func append(_ terms: ArraySlice<ItemFilter>) {
        guard let first = terms.first else {
            sql += "1"
            return
        }
        if terms.count == 1 { return append(first) }
        let middle = (terms.startIndex + terms.endIndex) / 2
        sql += "("
        append(terms[..<middle])
        sql += " AND "
        append(terms[middle...])
        sql += ")"
    }

    private mutating func append(_ text: String, _ value: Value) {
        sql += text
        values.append(value)
    }

    private mutating func append(
        _ column: ItemFilter.Column, _ comparison: ItemFilter.Comparison, _ text: String, _ foldsCase: Bool
    ) {
        switch column {
        case .title: append("title", comparison, text, foldsCase)
        case .artist: append("artist", comparison, text, foldsCase)
        case .album: append("album", comparison, text, foldsCase)
        case .file:
            let left = root.isEmpty ? 0 : Folders.prefix(root).unicodeScalars.count
            append(left == 0 ? "path" : "substr(path, \(left + 1))", comparison, text, foldsCase)
        case .any:
            sql += "("
            append("title", comparison, text, foldsCase)
            sql += " OR "
            append("artist", comparison, text, foldsCase)
            sql += " OR "
            append("album", comparison, text, foldsCase)
            sql += ")"
        case .absent: sql += text.isEmpty ? "1" : "0"
        }
    }

    private mutating func append(
        _ expression: String, _ comparison: ItemFilter.Comparison, _ text: String, _ foldsCase: Bool
    ) {
        let bytes = Array((foldsCase ? text.lowerCase : text).utf8)
        if bytes.isEmpty && comparison != .equals {
            sql += "1"
            return
        }
        if foldsCase {
            let match: TextMatch =
                switch comparison {
                case .equals: .same
                case .begins: .begins
                case .contains: .contains
                }
            let function = match.function.withUTF8Buffer { String(decoding: $0, as: UTF8.self) }
            return append(function + "(\(expression), ?)", .blob(bytes))
        }
        switch comparison {
        case .equals: append("\(expression) = ?", .text(text))
        // Of an empty blob both functions give NULL.
        case .begins:
            append("ifnull(substr(CAST(\(expression) AS BLOB), 1, \(bytes.count)) = ?, 0)", .blob(bytes))
        case .contains: append("ifnull(instr(CAST(\(expression) AS BLOB), ?), 0)", .blob(bytes))
        }
    }
}

extension ItemFilter {
    /// The artist or album that all matches have, if the filter says so: what an index finds.
    func exact(_ column: Column) -> String? {
        switch self {
        case .match(let own, .equals, let text, false): own.isSame(column) ? text : nil
        case .and(let terms): terms.lazy.compactMap { $0.exact(column) }.first
        default: nil
        }
    }
}

extension ItemFilter.Column {
    fileprivate func isSame(_ other: ItemFilter.Column) -> Bool {
        switch (self, other) {
        case (.artist, .artist), (.album, .album), (.title, .title): true
        default: false
        }
    }
}
