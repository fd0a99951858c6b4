// SPDX-License-Identifier: Apache-2.0
import Library
import Model

extension Library {
    func favouriteCount() -> Int { favourites(by: .newest, offset: 0, limit: .max).count }

    /// All items that match, page by page.
    func allItems(_ query: ItemQuery = ItemQuery()) -> [Item] {
        var items: [Item] = []
        var cursor: ItemCursor?
        repeat {
            let page = self.items(query, after: cursor, limit: 256)
            items += page.items
            cursor = page.next
        } while cursor != nil
        return items
    }
}
