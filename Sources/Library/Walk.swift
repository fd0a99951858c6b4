// SPDX-License-Identifier: Apache-2.0
import Model
import Posix
import SQLite

/// Walks the index of an order that has one: path, time of adding or time of the last change.
struct Walk {
    private let query: ItemQuery
    /// True if the visitor looks at the tags, which lie in another table.
    private let readsTags: Bool
    private let columns: [String]
    private var range = ""
    private var rangeValues: [Value] = []
    /// The key of the folder, if the query is for its direct items only.
    private var folderKey: [UInt8]?
    /// The common beginning of the paths.
    private var prefix: [UInt8] = []
    private var start: [UInt8] = []

    /// - Parameters:
    ///   - query: ordered by path if its order is a tag.
    ///   - readsTags: false gives rows without tags, in a quarter of the time.
    init(_ query: ItemQuery, readsTags: Bool = true) {
        self.query = query
        self.readsTags = readsTags
        columns =
            switch query.order {
            case .added: ["added"]
            case .modified: ["fileModified"]
            case .path, .tag: ["pathKey", "path"]
            }
        if let folder = query.folder {
            let keys = Folders.keys(below: folder)
            prefix = Array(folder.folderPrefix.utf8)
            start = keys.start
            range = " AND pathKey < ?"
            rangeValues = [.blob(keys.end)]
            if !query.isRecursive && isByPath { folderKey = start }
        } else if isByPath, let base = query.filter?.commonBase() {
            start = naturalKey(base)
            range = " AND pathKey < ?"
            rangeValues = [.blob(Folders.keys(below: base).end)]
        }
    }

    private var isByPath: Bool { columns.count == 2 }

    /// True if every item on the way is wanted.
    var isPlain: Bool { query.isRecursive }

    /// True if the walk is descending. In a tag's order only the tag itself descends.
    private var isDescending: Bool { if case .tag = query.order { false } else { query.isDescending } }

    /// Visits the items behind `keys` that are in the folder, for no more than `budget` rows.
    /// - Parameter visit: returns whether to go on.
    /// - Returns: the next cursor; nil at the end.
    func go(
        on cursor: [Value]?, _ budget: inout Int, _ database: Database, _ visit: (Statement) -> Bool
    ) throws(SQLiteError) -> [Value]? {
        var keys = cursor
        skipping: while true {
            let rows = try prepared(database, after: keys)
            defer { rows.reset() }
            while try rows.step() {
                budget -= 1
                var goesOn = true
                if isInFolder(rows) {
                    goesOn = visit(rows)
                } else if let below = behindFolder(rows.bytes(ItemRow.Column.pathKey)) {
                    // Skips the rest of a folder at once.
                    try check(below, isAfter: keys)
                    keys = below
                    if budget <= 0 { return below }
                    continue skipping
                }
                if !goesOn || budget <= 0 {
                    let last = self.keys(rows)
                    try check(last, isAfter: keys)
                    return last
                }
            }
            return nil
        }
    }

    /// Returns whether a row is in the folder. Keys are not unique ("a/" and "A/" share one): the index finds the range, the path decides.
    private func isInFolder(_ row: Statement) -> Bool {
        if prefix.isEmpty { return true }
        let path = row.rawBytes(ItemRow.Column.path)
        return path.isBelow(prefix) && (query.isRecursive || !path.isDeeper(prefix))
    }

    private func prepared(_ database: Database, after keys: [Value]?) throws(SQLiteError) -> Statement {
        let order = columns + ["id"]
        let direction = isDescending ? " DESC" : ""
        let source = readsTags ? "\(ItemRow.columns) FROM \(ItemRow.tables)" : "\(ItemRow.columnsWithoutTags) FROM item"
        var sql = "SELECT \(source) WHERE isPresent = 1" + range
        var values = rangeValues
        if let keys {
            let placeholders = [String](repeating: "?", count: keys.count).joined(separator: ", ")
            sql += " AND (\(order.joined(separator: ", "))) \(isDescending ? "<" : ">") (\(placeholders))"
            values += keys
        }
        // A second lower bound would only keep SQLite from using the nearer one.
        let isBounded = isByPath && keys != nil && !isDescending
        if !start.isEmpty && !isBounded {
            sql += " AND pathKey >= ?"
            values.append(.blob(start))
        }
        sql += " ORDER BY " + order.map { $0 + direction }.joined(separator: ", ")
        return try database.composed(sql, values)
    }

    /// Returns the cursor's columns of a row.
    private func keys(_ row: Statement) -> [Value] {
        var keys: [Value] = []
        switch query.order {
        case .added: keys = [.integer(row.integer(ItemRow.Column.added))]
        case .modified: keys = [.integer(row.integer(ItemRow.Column.modified))]
        case .path, .tag: keys = [.blob(row.bytes(ItemRow.Column.pathKey)), .text(row.text(ItemRow.Column.path))]
        }
        keys.append(.integer(row.integer(ItemRow.Column.id)))
        return keys
    }

    /// Throws if the index is out of order on a damaged page, so that the walk does not go in circles.
    private func check(_ keys: [Value], isAfter cursor: [Value]?) throws(SQLiteError) {
        guard let cursor else { return }
        let isInOrder = isDescending ? Value.isAscending(keys, cursor) : Value.isAscending(cursor, keys)
        if !isInOrder { throw SQLiteError.indexOutOfOrder }
    }

    /// Returns a cursor behind the subfolder of a key; nil if the key is in the wanted folder itself.
    private func behindFolder(_ key: [UInt8]) -> [Value]? {
        guard let folderKey, !isDescending, key.count > folderKey.count,
            let slash = key[folderKey.count...].firstIndex(of: 1)
        else { return nil }
        return [.blob(Array(key[..<slash]) + [2]), .text(""), .integer(Int64.min)]
    }
}

extension Value {
    /// Returns whether the first list of texts, blobs and numbers stands before the other in an index.
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
