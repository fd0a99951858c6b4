// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import SQLite

/// Different texts of a tag.
public struct ValuePage {
    /// The texts of each row: those of the grouping tags, then the tag itself. A missing tag is the empty text.
    public var rows: [[String]] = []
    /// Pass it as `after`; nil after the last page.
    public var next: ValueCursor?
}

/// The number of items with each text of a tag.
public struct CountPage {
    public var rows: [(texts: [String], items: Int, durationMilliseconds: Int64)] = []
    /// Pass it as `after`; nil after the last page.
    public var next: ValueCursor?
}

/// The end of a page. Use each only once, for the next page.
public struct ValueCursor {
    enum Place {
        case texts(TagTexts)
        case collection(ValueCollection)
        case paths(ItemCursor?)
    }

    let place: Place
}

extension Library {
    /// Returns the different texts of a tag, sorted by byte value, each once for each combination of the grouping tags. Those of `.file`
    /// alone are in folder order. A page may be short or empty although others follow: only `next` tells.
    public func values(
        of column: ItemFilter.Column, groupedBy groups: [ItemFilter.Column] = [], _ query: ItemQuery = ItemQuery(),
        after cursor: ValueCursor? = nil, limit: Int = .max
    ) -> ValuePage {
        guard limit > 0 else { return ValuePage() }
        switch cursor?.place ?? place(of: column, groupedBy: groups, query.filter) {
        case .paths(let after):
            let page = items(query, after: after, limit: min(limit, Library.mostExamined))
            return ValuePage(
                rows: page.items.map { [$0.path] }, next: page.next.map { ValueCursor(place: .paths($0)) })
        case .texts(let texts):
            var page = ValuePage()
            let isOver = read(else: true) { (database) throws(SQLiteError) in
                try texts.next(limit, database) { page.rows.append([$0]) }
            }
            if !isOver { page.next = ValueCursor(place: .texts(texts)) }
            return page
        case .collection(let collection):
            var page = ValuePage()
            let isOver = collection.next(limit, query, self) { texts, _ in page.rows.append(texts) }
            if !isOver { page.next = ValueCursor(place: .collection(collection)) }
            return page
        }
    }

    private func place(
        of column: ItemFilter.Column, groupedBy groups: [ItemFilter.Column], _ filter: ItemFilter?
    ) -> ValueCursor.Place {
        if groups.isEmpty {
            if column == .file { return .paths(nil) }
            if case .tag(let tag) = column, filter?.isEverything ?? true { return .texts(TagTexts(tag)) }
        }
        return .collection(ValueCollection(groups + [column]))
    }

    /// Counts the matching items and their length for each combination of tags, in pages like those of `values`.
    public func count(
        _ query: ItemQuery, groupedBy groups: [ItemFilter.Column], after cursor: ValueCursor? = nil,
        limit: Int = .max
    ) -> CountPage {
        var collection = ValueCollection(groups)
        if case .collection(let known) = cursor?.place { collection = known }
        var page = CountPage()
        let isOver = collection.next(limit, query, self) { texts, sum in
            page.rows.append((texts, sum.items, sum.milliseconds))
        }
        if !isOver { page.next = ValueCursor(place: .collection(collection)) }
        return page
    }
}

/// The texts of one tag, from the index of tags.
final class TagTexts {
    private let tag: Tag
    /// The shapes of items without the tag; nil before they were looked up.
    private var shapes: [Int64]?
    private var hasMissing = false
    private var last: (text: [UInt8], id: Int64)?
    /// The last item examined, if the budget ran out before it was known whether the text is present; else nil.
    private var lastItem: Item.ID?

    init(_ tag: Tag) { self.tag = tag }

    /// Calls `tell` for the next texts, at most `limit`.
    /// - Returns: true at the end.
    func next(_ limit: Int, _ database: Database, _ tell: (String) -> Void) throws(SQLiteError) -> Bool {
        var told = 0
        // A text costs two steps into an index and an item.
        var budget = Library.mostExamined
        if shapes == nil { shapes = try TagIndex.shapes(without: tag, database) }
        while let shape = shapes?.last {
            guard let isPresent = try isPresent(shape, &budget, database) else { return false }
            shapes?.removeLast()
            if isPresent {
                shapes = []
                told += 1
                tell("")
            }
        }
        while told < limit && budget > 0 {
            if lastItem == nil {
                guard let next = try text(after: last?.text, database) else { return true }
                if let last, !last.text.lexicographicallyPrecedes(next.text) { throw SQLiteError.indexOutOfOrder }
                last = next
            }
            guard let last else { return true }
            guard let isPresent = try isPresent(last.id, &budget, database) else { return false }
            if !isPresent { continue }
            told += 1
            tell(String(decoding: last.text, as: UTF8.self))
        }
        return false
    }

    private func text(after last: [UInt8]?, _ database: Database) throws(SQLiteError) -> (text: [UInt8], id: Int64)? {
        try database.cached(
            "SELECT text, id FROM tagValue WHERE tag = ? AND text > ? ORDER BY text LIMIT 1",
            .integer(Int64(tag.rawValue)), .utf8(last ?? [])
        ).first { (Array($0.rawBytes(0)), $0.integer(1)) }
    }

    /// - Returns: nil if the budget was too small.
    private func isPresent(_ value: Int64, _ budget: inout Int, _ database: Database) throws(SQLiteError) -> Bool? {
        var item = lastItem ?? 0
        let isPresent = try TagIndex.isPresent(value, after: &item, &budget, database)
        lastItem = isPresent == nil ? item : nil
        return isPresent
    }
}

/// The combinations of texts that items have, gathered from all matching items. Memory is bounded: it holds the first combinations in
/// order, and looks at all items again for the next ones.
final class ValueCollection {
    struct Sum {
        var items = 0
        var milliseconds: Int64 = 0
    }

    /// The limit of the memory for combinations, with their containers.
    static let mostBytes = 256 << 10
    private static let bytesBeside = 64

    private let columns: [ItemFilter.Column]
    private var found: [[UInt8]: Sum] = [:]
    private var bytes = 0
    /// The last combination told: only later ones are wanted.
    private var last: [UInt8]?
    /// The first combination without room; later ones have none either.
    private var end: [UInt8]?
    private var cursor: ItemCursor?
    private var sorted: [(key: [UInt8], sum: Sum)]?
    private var told = 0

    init(_ columns: [ItemFilter.Column]) { self.columns = columns }

    /// Calls `tell` for the next combinations, at most `limit`.
    /// - Returns: true at the end.
    func next(_ limit: Int, _ query: ItemQuery, _ library: Library, _ tell: ([String], Sum) -> Void) -> Bool {
        if sorted == nil {
            cursor = library.look(query, after: cursor) { row in
                add(ItemRow(row), from: 0, key: [], max(0, row.integer(ItemRow.Column.duration)))
            }
            if cursor != nil { return false }
            sorted = found.map { ($0.key, $0.value) }
            sorted?.sort { $0.key.lexicographicallyPrecedes($1.key) }
            found = [:]
            bytes = 0
            // Sorting took as long as a page may.
            return false
        }
        guard let sorted else { return true }
        let most = min(sorted.count - told, limit)
        for entry in sorted[told..<told + most] { tell(ValueCollection.texts(entry.key), entry.sum) }
        told += most
        if told < sorted.count { return false }
        if end == nil { return true }
        last = sorted.last?.key
        end = nil
        told = 0
        self.sorted = nil
        return false
    }

    /// Goes through all combinations of an item's texts.
    private func add(_ item: ItemRow, from column: Int, key: [UInt8], _ milliseconds: Int64) {
        if column == columns.count { return count(key, milliseconds) }
        func add(_ text: UnsafeRawBufferPointer) {
            self.add(item, from: column + 1, key: key + ValueCollection.encoded(text), milliseconds)
        }
        switch columns[column] {
        case .file: add(item.path)
        case .any: add(UnsafeRawBufferPointer(start: nil, count: 0))
        case .tag(let tag):
            guard let source = TagList.source(of: tag, TagList.mask(item.tags)) else {
                return add(UnsafeRawBufferPointer(start: nil, count: 0))
            }
            TagList.visit(item.tags) { known, range in
                if known == source { add(UnsafeRawBufferPointer(rebasing: item.tags[range])) }
            }
        }
    }

    private func count(_ key: [UInt8], _ milliseconds: Int64) {
        if let last, !last.lexicographicallyPrecedes(key) { return }
        if let end, !key.lexicographicallyPrecedes(end) { return }
        var sum = found[key] ?? Sum()
        if sum.items == 0 { bytes += key.count + ValueCollection.bytesBeside }
        sum.items += 1
        sum.milliseconds += milliseconds
        found[key] = sum
        if bytes > ValueCollection.mostBytes && found.count > 1 { makeRoom() }
    }

    /// Drops the latter half of the combinations.
    private func makeRoom() {
        let keys = found.keys.sorted { $0.lexicographicallyPrecedes($1) }
        end = keys[keys.count / 2]
        for key in keys[(keys.count / 2)...] {
            found[key] = nil
            bytes -= key.count + ValueCollection.bytesBeside
        }
    }

    /// Encodes a text so that keys sort as lists of texts do: two zeros behind it, and a 1 behind each zero in it.
    private static func encoded(_ text: UnsafeRawBufferPointer) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count + 2)
        for byte in text {
            bytes.append(byte)
            if byte == 0 { bytes.append(1) }
        }
        bytes += [0, 0]
        return bytes
    }

    private static func texts(_ key: [UInt8]) -> [String] {
        var texts: [String] = []
        var text: [UInt8] = []
        var at = 0
        while at < key.count {
            let byte = key[at]
            at += 1
            guard byte == 0 else {
                text.append(byte)
                continue
            }
            if at < key.count && key[at] == 1 {
                text.append(0)
            } else {
                texts.append(String(decoding: text, as: UTF8.self))
                text.removeAll()
            }
            at += 1
        }
        return texts
    }
}
