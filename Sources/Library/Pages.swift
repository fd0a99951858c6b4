// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Posix
import SQLite

/// The end of a page. Each may be gone on from once.
public struct ItemCursor {
    enum Place {
        /// The values that the order goes by, of the last item that was looked at; its id comes last.
        case keys([Value])
        case gathering(Gathering)
        case tagOrder(TagOrder)
    }

    let place: Place
}

/// Part of what a query lists. It may be short, or empty, and others follow all the same: only `next` tells.
public struct ItemPage {
    public var items: [Item] = []
    /// nil after the last page.
    public var next: ItemCursor?
}

/// Listings, in pages that cost what is in them and look at a bounded number of items, so that none holds up the control thread.
///
/// If a filter asks for the text of a tag, the index of tags finds the items (`Gathering`); ordered by a tag, the pages go text by text
/// (`TagOrder`). All else goes along the index of the order (`Walk`) and looks at each item.
extension Library {
    /// So many items a page looks at, matching or not: with a text that is looked for in each, some 2 million instructions.
    static let mostExamined = 256

    /// The items that match, a page of them.
    public func items(_ query: ItemQuery = ItemQuery(), after cursor: ItemCursor? = nil, limit: Int = .max) -> ItemPage
    {
        let page = itemIDs(query, after: cursor, limit: limit)
        return ItemPage(items: items(page.ids), next: page.next)
    }

    /// The ids alone of what `items` lists.
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

    /// Counts the matching items and their total length, in portions: of the rows from the cursor on.
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

    /// Looks at the next items that match, in no order that means something.
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
    /// So many rows may be looked at.
    var budget: Int

    init(limit: Int, budget: Int) {
        self.limit = limit
        self.budget = budget
    }

    var isFull: Bool { ids.count >= limit || budget <= 0 }

    /// The next of what an index has in the order that is wanted.
    /// - Parameter keys: behind that one.
    fileprivate mutating func walked(
        _ walk: Walk, _ keys: [Value]?, _ match: ItemMatch?, _ database: Database
    ) throws(SQLiteError) -> (ids: [Item.ID], next: ItemCursor?) {
        // If all match, the limit alone bounds them.
        if match == nil && walk.isPlain { budget = .max }
        let next = try go(walk, keys, database) { match?.holds($0) ?? true }
        return (ids, next.map { ItemCursor(place: .keys($0)) })
    }

    /// Takes what matches until it is full.
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
