// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Posix
import SQLite

/// The end of a page. Use each only once, for the next page.
public struct ItemCursor {
    enum Place {
        /// The sort values of the last item examined; its id comes last.
        case keys([Value])
        case gathering(Gathering)
        case tagOrder(TagOrder)
    }

    let place: Place
}

/// A page of a query's results. It may be short or empty although others follow: only `next` tells.
public struct ItemPage {
    public var items: [Item] = []
    /// nil after the last page.
    public var next: ItemCursor?
}

/// Listings, in pages. A page costs what is in it, and looks at a bounded number of items, so that none blocks the control thread.
///
/// If a filter asks for the text of a tag, the index of tags finds the items (`Gathering`). Pages ordered by a tag go text by text
/// (`TagOrder`). All other queries walk the index of the order (`Walk`) and look at each item.
extension Library {
    /// The limit of items that a page examines, matching or not. Searching a text in each takes some 2 million instructions.
    static let mostExamined = 256

    /// Returns a page of the matching items.
    public func items(_ query: ItemQuery = ItemQuery(), after cursor: ItemCursor? = nil, limit: Int = .max) -> ItemPage
    {
        let page = itemIDs(query, after: cursor, limit: limit)
        return ItemPage(items: items(page.ids), next: page.next)
    }

    /// Returns a page of `items`, as ids alone.
    public func itemIDs(
        _ query: ItemQuery, after cursor: ItemCursor?, limit: Int
    ) -> (ids: [Item.ID], next: ItemCursor?) {
        guard limit > 0 else { return ([], nil) }
        let match = query.match
        var page = Page(limit: limit, budget: Library.mostExamined)
        return read(else: ([], nil)) { (database) throws(SQLiteError) in
            var place = cursor?.place
            if place == nil {
                if let (tag, text) = query.filter?.exact() {
                    guard let value = try TagIndex.value(tag.rawValue, text, database) else { return ([], nil) }
                    if try Gathering.suits(value, database) { place = .gathering(Gathering(value)) }
                }
                if place == nil, case .tag(let tag) = query.order {
                    place = .tagOrder(try TagOrder(tag, isDescending: query.isDescending, database))
                }
            }
            switch place {
            case .gathering(let gathering):
                let isOver = try gathering.go(on: &page, query, match, database)
                return (page.ids, isOver ? nil : ItemCursor(place: .gathering(gathering)))
            case .tagOrder(let order):
                let isOver = try order.go(on: &page, query, match, database)
                return (page.ids, isOver ? nil : ItemCursor(place: .tagOrder(order)))
            case .keys(let keys):
                return try page.walked(Walk(query, readsTags: match != nil), keys, match, database)
            case nil:
                return try page.walked(Walk(query, readsTags: match != nil), nil, match, database)
            }
        }
    }

    /// Counts the matching items and their total length from the cursor on, in portions.
    public func count(
        _ query: ItemQuery, after cursor: ItemCursor? = nil
    ) -> (items: Int, durationMilliseconds: Int64, next: ItemCursor?) {
        var items = 0
        var milliseconds: Int64 = 0
        let next = look(query, after: cursor) { row in
            items += 1
            milliseconds += max(0, row.integer(ItemRow.Column.duration))
        }
        return (items, milliseconds, next)
    }

    /// Visits the next matching items, in no particular order.
    func look(_ query: ItemQuery, after cursor: ItemCursor?, _ visit: (Statement) -> Void) -> ItemCursor? {
        let match = query.match
        var budget = Library.mostExamined
        return read(else: nil) { (database) throws(SQLiteError) in
            var keys: [Value]?
            if case .keys(let known) = cursor?.place { keys = known }
            if let (tag, text) = query.filter?.exact(), query.folder == nil {
                guard let value = try TagIndex.value(tag.rawValue, text, database) else { return nil }
                var last: Item.ID = 0
                if case .integer(let id) = keys?.first { last = id }
                let isOver = try TagIndex.visit(value, after: &last, &budget, database) { row in
                    if match?.holds(ItemRow(row)) ?? true { visit(row) }
                }
                return isOver ? nil : ItemCursor(place: .keys([.integer(last)]))
            }
            var plain = query
            plain.order = .path
            plain.isDescending = false
            let next = try Walk(plain, readsTags: match != nil).go(on: keys, &budget, database) { row in
                if match?.holds(ItemRow(row)) ?? true { visit(row) }
                return true
            }
            return next.map { ItemCursor(place: .keys($0)) }
        }
    }
}

/// A page that is being made.
struct Page {
    var ids: [Item.ID] = []
    let limit: Int
    /// The number of rows that may still be examined.
    var budget: Int

    init(limit: Int, budget: Int) {
        self.limit = limit
        self.budget = budget
    }

    var isFull: Bool { ids.count >= limit || budget <= 0 }

    /// Returns the next page of an index, in the order of the query.
    /// - Parameter keys: the page begins behind these.
    fileprivate mutating func walked(
        _ walk: Walk, _ keys: [Value]?, _ match: ItemMatch?, _ database: Database
    ) throws(SQLiteError) -> (ids: [Item.ID], next: ItemCursor?) {
        // If all match, the limit alone bounds them.
        if match == nil && walk.isPlain { budget = .max }
        let next = try go(walk, keys, database) { match?.holds($0) ?? true }
        return (ids, next.map { ItemCursor(place: .keys($0)) })
    }

    /// Adds matching items until the page is full.
    /// - Returns: the next cursor; nil at the end.
    mutating func go(
        _ walk: Walk, _ keys: [Value]?, _ database: Database, _ holds: (ItemRow) -> Bool
    ) throws(SQLiteError) -> [Value]? {
        var ids = self.ids
        let limit = self.limit
        let next = try walk.go(on: keys, &budget, database) { row in
            if holds(ItemRow(row)) { ids.append(row.integer(ItemRow.Column.id)) }
            return ids.count < limit
        }
        self.ids = ids
        return next
    }
}

extension SQLiteError {
    static var indexOutOfOrder: SQLiteError { SQLiteError(damage: "an index is out of order") }
}
