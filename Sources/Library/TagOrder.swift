// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import SQLite

/// The items with one text of a tag, found by the index of tags and sorted once all are found: so few that they can be.
final class Gathering {
    /// The limit of gathered items.
    static let mostItems = 1024

    private struct Found {
        var id: Item.ID
        var number: Int64 = 0
        var text: [UInt8] = []
        var pathKey: [UInt8] = []
        var path: [UInt8] = []
    }

    private let value: Int64
    private var last: Item.ID = 0
    private var found: [Found] = []
    private var sorted: [Item.ID]?
    private var told = 0

    /// - Parameter value: the row of the text.
    init(_ value: Int64) { self.value = value }

    /// Returns whether few enough items have a text.
    static func suits(_ value: Int64, _ database: Database) throws(SQLiteError) -> Bool {
        try database.cached(
            "SELECT count(*) FROM (SELECT 1 FROM itemTag WHERE value = ? LIMIT ?)", .integer(value),
            .integer(mostItems + 1)
        ).first { $0.integer(0) <= Int64(mostItems) } ?? false
    }

    /// Adds the next items to a page.
    /// - Returns: true at the end.
    func go(
        on page: inout Page, _ query: ItemQuery, _ match: ItemMatch?, _ database: Database
    ) throws(SQLiteError) -> Bool {
        try go(on: &page, query, database) { match?.holds($0) ?? true }
    }

    func go(
        on page: inout Page, _ query: ItemQuery, _ database: Database, _ holds: (ItemRow) -> Bool
    ) throws(SQLiteError) -> Bool {
        if sorted == nil {
            let isOver = try TagIndex.visit(value, after: &last, &page.budget, database) { row in
                let item = ItemRow(row)
                if query.contains(item.path) && holds(item) { found.append(Gathering.found(row, item, query.order)) }
            }
            if !isOver { return false }
            sort(query)
        }
        guard let sorted else { return true }
        while told < sorted.count && page.ids.count < page.limit {
            page.ids.append(sorted[told])
            told += 1
        }
        return told == sorted.count
    }

    private static func found(_ row: Statement, _ item: ItemRow, _ order: ItemQuery.Order) -> Found {
        var found = Found(id: row.integer(ItemRow.Column.id))
        switch order {
        case .added: found.number = item.added
        case .modified: found.number = item.modified
        case .path, .tag:
            if case .tag(let tag) = order {
                let text = TagIndex.firstText(of: tag, item.tags)
                if TagIndex.isNumber(tag) { found.number = TagIndex.number(text) } else { found.text = Array(text) }
            }
            found.pathKey = row.bytes(ItemRow.Column.pathKey)
            found.path = Array(item.path)
        }
        return found
    }

    private func sort(_ query: ItemQuery) {
        let isByTag: Bool = if case .tag = query.order { true } else { false }
        let isDescending = query.isDescending
        found.sort { left, right in
            if left.number != right.number { return (left.number < right.number) != isDescending }
            if left.text != right.text { return left.text.lexicographicallyPrecedes(right.text) != isDescending }
            let goesDown = isDescending && !isByTag
            if left.pathKey != right.pathKey {
                return left.pathKey.lexicographicallyPrecedes(right.pathKey) != goesDown
            }
            if left.path != right.path { return left.path.lexicographicallyPrecedes(right.path) != goesDown }
            return (left.id < right.id) != goesDown
        }
        sorted = found.map { $0.id }
        found = []
    }
}

/// All items in the order of a tag: text by text, as the index of tags has them.
final class TagOrder {
    private enum Bucket {
        /// The items without the tag, from these keys on.
        case missing([Value]?)
        case few(Gathering, text: [UInt8])
        /// Too many items to gather: the walk looks for them among all, from these keys on.
        case many([Value]?, text: [UInt8])
    }

    private let tag: Tag
    private let isDescending: Bool
    private let hasMissing: Bool
    private var bucket: Bucket?
    /// The last text reached.
    private var last: (number: Int64, text: [UInt8])?
    private var isBehindTexts = false

    init(_ tag: Tag, isDescending: Bool, _ database: Database) throws(SQLiteError) {
        self.tag = tag
        self.isDescending = isDescending
        hasMissing = try !TagIndex.shapes(without: tag, database).isEmpty
        if hasMissing && !isDescending { bucket = .missing(nil) }
    }

    /// Adds the next items to a page.
    /// - Returns: true at the end.
    func go(
        on page: inout Page, _ query: ItemQuery, _ match: ItemMatch?, _ database: Database
    ) throws(SQLiteError) -> Bool {
        while !page.isFull {
            guard let bucket else {
                if isBehindTexts { return true }
                try goToNextText(database)
                // About the cost of examining some items.
                page.budget -= 4
                continue
            }
            switch bucket {
            case .missing(let keys):
                let next = try page.go(Walk(query), keys, database) { row in
                    TagList.source(of: self.tag, TagList.mask(row.tags)) == nil && match?.holds(row) ?? true
                }
                self.bucket = next.map { .missing($0) }
            case .few(let gathering, let text):
                let isOver = try gathering.go(on: &page, query, database) { row in
                    self.isFirst(text, row) && match?.holds(row) ?? true
                }
                if isOver { self.bucket = nil }
            case .many(let keys, let text):
                let next = try page.go(Walk(query), keys, database) { row in
                    self.isFirst(text, row) && match?.holds(row) ?? true
                }
                self.bucket = next.map { .many($0, text: text) }
            }
        }
        return bucket == nil && isBehindTexts
    }

    /// Returns whether a text is the first of an item's several texts, by which the item is ordered.
    private func isFirst(_ text: [UInt8], _ row: ItemRow) -> Bool {
        let first = TagIndex.firstText(of: tag, row.tags)
        if first.count <= TagIndex.mostTextBytes { return first.elementsEqual(text) }
        return first.starts(with: text)
    }

    private func goToNextText(_ database: Database) throws(SQLiteError) {
        let isNumber = TagIndex.isNumber(tag)
        let order = isNumber ? "CAST(text AS INTEGER), text" : "text"
        var sql = "SELECT id, text FROM tagValue WHERE tag = \(tag.rawValue)"
        var values: [Value] = []
        if let last {
            sql += " AND (\(order)) \(isDescending ? "<" : ">") (\(isNumber ? "?, ?" : "?"))"
            values = isNumber ? [.integer(last.number), .utf8(last.text)] : [.utf8(last.text)]
        }
        let direction = isDescending ? " DESC" : ""
        sql += isNumber ? " ORDER BY CAST(text AS INTEGER)\(direction), text\(direction)" : " ORDER BY text\(direction)"
        let rows = try database.composed(sql + " LIMIT 1", values)
        defer { rows.reset() }
        guard try rows.step() else {
            isBehindTexts = true
            if hasMissing && isDescending { bucket = .missing(nil) }
            return
        }
        let text = Array(rows.rawBytes(1))
        let number = isNumber ? TagIndex.number(rows.rawBytes(1)) : 0
        if let last {
            let isInOrder =
                number == last.number
                ? last.text.lexicographicallyPrecedes(text) != isDescending && last.text != text
                : (last.number < number) != isDescending
            if !isInOrder { throw SQLiteError.indexOutOfOrder }
        }
        last = (number, text)
        let value = rows.integer(0)
        bucket =
            try Gathering.suits(value, database) ? .few(Gathering(value), text: text) : .many(nil, text: text)
    }
}

extension TagIndex {
    /// Returns the first text of a tag, or of its substitute; empty for none.
    static func firstText(of tag: Tag, _ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        var first = UnsafeRawBufferPointer(start: nil, count: 0)
        guard let source = TagList.source(of: tag, TagList.mask(bytes)) else { return first }
        var isFound = false
        TagList.visit(bytes) { tag, range in
            if tag != source || isFound { return }
            first = UnsafeRawBufferPointer(rebasing: bytes[range])
            isFound = true
        }
        return first
    }

    /// Converts a text to an integer as SQLite does: the number at its start, else 0.
    static func number(_ text: UnsafeRawBufferPointer) -> Int64 {
        var at = 0
        while at < text.count && (text[at] == 0x20 || (text[at] >= 9 && text[at] <= 13)) { at += 1 }
        var isNegative = false
        if at < text.count && (text[at] == UInt8(ascii: "-") || text[at] == UInt8(ascii: "+")) {
            isNegative = text[at] == UInt8(ascii: "-")
            at += 1
        }
        var number: Int64 = 0
        while at < text.count && text[at] >= 0x30 && text[at] <= 0x39 {
            number = number.appendingSaturated(digit: text[at])
            at += 1
        }
        return !isNegative ? number : number == .max ? .min : -number
    }

    /// Visits the present items with a text, for no more than `budget` rows.
    /// - Parameter last: the visit begins behind this item; updated to the last one examined.
    /// - Returns: true at the end.
    static func visit(
        _ value: Int64, after last: inout Item.ID, _ budget: inout Int, _ database: Database,
        _ visit: (Statement) -> Void
    ) throws(SQLiteError) -> Bool {
        let rows = try database.composed(
            """
            SELECT \(ItemRow.columns) FROM itemTag CROSS JOIN item ON item.id = itemTag.item
              LEFT JOIN itemTags ON itemTags.item = item.id
            WHERE itemTag.value = ? AND itemTag.item > ? ORDER BY itemTag.item
            """, [.integer(value), .integer(last)])
        defer { rows.reset() }
        while budget > 0 {
            guard try rows.step() else { return true }
            budget -= 1
            let id = rows.integer(ItemRow.Column.id)
            if id <= last { throw SQLiteError.indexOutOfOrder }
            last = id
            if rows.integer(ItemRow.Column.isPresent) != 0 { visit(rows) }
        }
        return false
    }
}

extension ItemQuery {
    /// Returns whether a path lies directly in the filter's folder.
    func contains(_ path: UnsafeRawBufferPointer) -> Bool {
        guard let folder else { return true }
        let prefix = Array(folder.folderPrefix.utf8)
        return path.isBelow(prefix) && (isRecursive || !path.isDeeper(prefix))
    }
}
