import Posix
import SQLite

/// Where a page ended.
public struct ItemCursor: Sendable {
    /// The values that the order goes by, of the last item that was looked at; its id comes last.
    fileprivate let keys: [Value]
}

/// Part of what a query lists. It may be short, or empty, and others follow all the same: only `next` tells.
public struct ItemPage: Sendable {
    public var items: [Item] = []
    /// nil after the last page.
    public var next: ItemCursor?
}

/// Different texts of a tag.
public struct ValuePage: Sendable {
    /// Of each: the tags that they are grouped by, then the tag itself.
    public var rows: [[String]] = []
    /// Pass it as `after`; nil after the last page.
    public var next: [String]?
}

extension ItemQuery.Order {
    /// An index has these columns, so that a page costs its own rows.
    fileprivate var columns: [String] {
        switch self {
        case .path: ["pathKey", "path"]
        case .title: ["title"]
        case .artist: ["artist", "pathKey"]
        case .album: ["album", "pathKey"]
        case .added: ["added"]
        case .modified: ["fileModified"]
        }
    }
}

/// Listings, in pages that cost what is in them and look at a bounded number of items, so that none holds up the control thread.
extension Library {
    /// So many items a page looks at, matching or not: with a text that is looked for in each, some 2 million instructions.
    static let mostExamined = 256

    /// The items that match, a page of them.
    public func items(_ query: ItemQuery = ItemQuery(), after cursor: ItemCursor? = nil, limit: Int = .max) -> ItemPage
    {
        let page = itemIDs(query, after: cursor, limit: limit)
        return ItemPage(items: items(page.ids), next: page.next)
    }

    /// All items that match, page by page: for small answers, and tests.
    public func allItems(_ query: ItemQuery = ItemQuery()) -> [Item] {
        var items: [Item] = []
        var cursor: ItemCursor?
        repeat {
            let page = self.items(query, after: cursor, limit: 256)
            items += page.items
            cursor = page.next
        } while cursor != nil
        return items
    }

    /// How many items match and how long they are together, in portions: of the rows from the cursor on.
    public func count(
        _ query: ItemQuery, after cursor: ItemCursor? = nil
    ) -> (items: Int, durationMilliseconds: Int64, next: ItemCursor?) {
        var milliseconds: Int64 = 0
        let page = walk(query, after: cursor, limit: .max, most: Library.mostExamined) { milliseconds += $0 }
        return (page.ids.count, milliseconds, page.next)
    }

    /// The ids alone of what `items` lists.
    func itemIDs(
        _ query: ItemQuery, after cursor: ItemCursor?, limit: Int
    ) -> (ids: [Item.ID], next: ItemCursor?) {
        let isPlain = query.filter == nil && query.isRecursive
        return walk(query, after: cursor, limit: limit, most: isPlain ? .max : Library.mostExamined) { _ in }
    }

    /// Goes along the index of the order, and looks at so many items at most.
    private func walk(
        _ query: ItemQuery, after cursor: ItemCursor?, limit: Int, most: Int, _ visit: (Int64) -> Void
    ) -> (ids: [Item.ID], next: ItemCursor?) {
        guard limit > 0 else { return ([], nil) }
        let statement = Walk(query)
        return read(else: ([], nil)) { (database) throws(SQLiteError) in
            var ids: [Item.ID] = []
            var examined = 0
            var keys = cursor?.keys
            let keyColumn = Walk.firstKey
            skipping: while true {
                let rows = try statement.prepared(database, after: keys)
                defer { rows.reset() }
                while try rows.step() {
                    examined += 1
                    if rows.integer(Walk.Column.matches) != 0 {
                        ids.append(rows.integer(Walk.Column.id))
                        visit(max(0, rows.integer(Walk.Column.duration)))
                    } else if let below = statement.behindFolder(rows.bytes(keyColumn)) {
                        // Over the rest of a folder at once.
                        try statement.check(below, isAfter: keys)
                        keys = below
                        if examined >= most { return (ids, ItemCursor(keys: below)) }
                        continue skipping
                    }
                    if ids.count >= limit || examined >= most {
                        let last = statement.keys(rows)
                        try statement.check(last, isAfter: keys)
                        return (ids, ItemCursor(keys: last))
                    }
                }
                return (ids, nil)
            }
        }
    }

    /// The different texts of a tag, sorted by byte value, each once for each combination of the tags that they are grouped by.
    public func values(
        of column: ItemFilter.Column, groupedBy groups: [ItemFilter.Column] = [], filter: ItemFilter? = nil,
        root: String = "", after cursor: [String]? = nil, limit: Int = .max
    ) -> ValuePage {
        guard limit > 0 else { return ValuePage() }
        let columns = (groups + [column]).map { $0.expression }
        let list = columns.joined(separator: ", ")
        var sql = "SELECT "
        var values: [Value] = []
        if let filter {
            let expression = FilterExpression(filter, root: root)
            sql += expression.sql
            values = expression.values
        } else {
            sql += "1"
        }
        sql += ", \(list) FROM item WHERE isPresent = 1"
        for (name, text) in [("artist", filter?.exact(.artist)), ("album", filter?.exact(.album))] {
            guard let text else { continue }
            sql += " AND \(name) = ?"
            values.append(.text(text))
        }
        let placeholders = [String](repeating: "?", count: columns.count).joined(separator: ", ")
        return read(else: ValuePage()) { (database) throws(SQLiteError) in
            var page = ValuePage()
            var examined = 0
            var after = cursor
            seeking: while true {
                let rows = try database.composed(
                    sql + (after == nil ? "" : " AND (\(list)) > (\(placeholders))") + " ORDER BY \(list)",
                    values + (after ?? []).map { .text($0) })
                defer { rows.reset() }
                var last: [String]?
                var repeats = 0
                while try rows.step() {
                    examined += 1
                    let row = (0..<columns.count).map { rows.text(Int32($0) + 1) }
                    if row != last {
                        if let before = last ?? after,
                            !Value.isAscending(before.map { .text($0) }, row.map { .text($0) })
                        {
                            throw SQLiteError.indexOutOfOrder
                        }
                        if page.rows.count >= limit || (examined > Library.mostExamined && last != nil) {
                            page.next = last ?? after
                            return page
                        }
                        last = row
                        repeats = 0
                    } else {
                        repeats += 1
                    }
                    guard rows.integer(0) != 0, page.rows.last != row else {
                        // Many of the same that is known already: on to the next with one step of the index.
                        if repeats >= 32 && page.rows.last == row {
                            after = row
                            continue seeking
                        }
                        continue
                    }
                    page.rows.append(row)
                }
                return page
            }
        }
    }
}

extension ItemFilter.Column {
    fileprivate var expression: String {
        switch self {
        case .title: "title"
        case .artist: "artist"
        case .album: "album"
        case .file: "path"
        case .any, .absent: "''"
        }
    }
}

/// The statement that goes along an index.
private struct Walk {
    enum Column: Int32 { case id, duration, matches }
    /// The first of the order's columns.
    static let firstKey: Int32 = 3

    private let query: ItemQuery
    private let columns: [String]
    private var matches = "1"
    private var matchValues: [Value] = []
    private var range = ""
    /// Left to itself SQLite goes along the index of the order, through all other artists.
    private var index = ""
    private var rangeValues: [Value] = []
    /// Of the folder whose direct items alone are wanted.
    private var folderKey: [UInt8]?
    private let start: [UInt8]

    init(_ query: ItemQuery) {
        self.query = query
        columns = query.order.columns
        var terms: [String] = []
        var start: [UInt8] = []
        if let folder = query.folder {
            let keys = Folders.keys(below: folder)
            let prefix = Folders.prefix(folder)
            start = keys.start
            range = " AND pathKey < ?"
            rangeValues = [.blob(keys.end)]
            // Keys are no names ("a/" and "A/" share one): the index finds the range, the path decides.
            terms.append("substr(path, 1, ?) = ?")
            matchValues += [.integer(prefix.unicodeScalars.count), .text(prefix)]
            if !query.isRecursive {
                terms.append("instr(substr(path, ?), '/') = 0")
                matchValues.append(.integer(prefix.unicodeScalars.count + 1))
                if case .path = query.order { folderKey = start }
            }
        }
        self.start = start
        if let filter = query.filter {
            let expression = FilterExpression(filter, root: query.root)
            terms.append("(" + expression.sql + ")")
            matchValues += expression.values
            for (name, text) in [("artist", filter.exact(.artist)), ("album", filter.exact(.album))] {
                guard let text else { continue }
                range += " AND \(name) = ?"
                rangeValues.append(.text(text))
                if case .path = query.order {
                    index = name == "artist" ? " INDEXED BY itemArtist" : " INDEXED BY itemAlbum"
                }
            }
        }
        if !terms.isEmpty { matches = terms.joined(separator: " AND ") }
    }

    func prepared(_ database: Database, after keys: [Value]?) throws(SQLiteError) -> Statement {
        let order = columns + ["id"]
        let direction = query.isDescending ? " DESC" : ""
        var sql =
            "SELECT id, duration, \(matches), \(columns.joined(separator: ", ")) FROM item\(index) WHERE isPresent = 1"
            + range
        var values = matchValues + rangeValues
        if let keys {
            let placeholders = [String](repeating: "?", count: keys.count).joined(separator: ", ")
            sql += " AND (\(order.joined(separator: ", "))) \(query.isDescending ? "<" : ">") (\(placeholders))"
            values += keys
        }
        // A second bound from below would only keep SQLite from taking the nearer one.
        let isBounded: Bool = if case .path = query.order { keys != nil && !query.isDescending } else { false }
        if !start.isEmpty && !isBounded {
            sql += " AND pathKey >= ?"
            values.append(.blob(start))
        }
        sql += " ORDER BY " + order.map { $0 + direction }.joined(separator: ", ")
        return try database.composed(sql, values)
    }

    /// What the cursor has of a row.
    func keys(_ row: Statement) -> [Value] {
        var keys: [Value] = []
        for (index, name) in columns.enumerated() {
            let column = Walk.firstKey + Int32(index)
            switch name {
            case "pathKey": keys.append(.blob(row.bytes(column)))
            case "added", "fileModified": keys.append(.integer(row.integer(column)))
            default: keys.append(.text(row.text(column)))
            }
        }
        keys.append(.integer(row.integer(Column.id)))
        return keys
    }

    /// An index that a damaged page has out of order must not send anybody round in circles.
    func check(_ keys: [Value], isAfter cursor: [Value]?) throws(SQLiteError) {
        guard let cursor else { return }
        let isInOrder =
            query.isDescending ? Value.isAscending(keys, cursor) : Value.isAscending(cursor, keys)
        if !isInOrder { throw SQLiteError.indexOutOfOrder }
    }

    /// If a key is of something in a folder below the one whose direct items are wanted: a cursor behind that folder.
    func behindFolder(_ key: [UInt8]) -> [Value]? {
        guard let folderKey, !query.isDescending, key.count > folderKey.count,
            let slash = key[folderKey.count...].firstIndex(of: 1)
        else { return nil }
        return [.blob(Array(key[..<slash]) + [2]), .text(""), .integer(Int64.min)]
    }
}

extension Value {
    /// Whether the one list of texts, blobs and numbers stands before the other in an index.
    fileprivate static func isAscending(_ left: [Value], _ right: [Value]) -> Bool {
        for (left, right) in zip(left, right) {
            switch (left, right) {
            case (.integer(let left), .integer(let right)): if left != right { return left < right }
            case (.text(let left), .text(let right)):
                if !left.utf8.elementsEqual(right.utf8) { return left.utf8.lexicographicallyPrecedes(right.utf8) }
            case (.blob(let left), .blob(let right)): if left != right { return left.lexicographicallyPrecedes(right) }
            default: return true
            }
        }
        return false
    }
}

extension SQLiteError {
    static var indexOutOfOrder: SQLiteError { SQLiteError(damage: "an index is out of order") }
}
