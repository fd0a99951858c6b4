// SPDX-License-Identifier: Apache-2.0
import Library
import Model

/// The items that a scan has found: a bit for each, 6 KB for a library of 50,000.
struct SeenItems {
    private var words: [UInt64] = []

    mutating func insert(_ id: Item.ID) {
        guard id >= 0 && id < SeenItems.limit else { return }
        let word = Int(id >> 6)
        if word >= words.count { words.append(contentsOf: repeatElement(0, count: word + 1 - words.count)) }
        words[word] |= 1 << UInt64(id & 63)
    }

    mutating func remove(_ id: Item.ID) {
        let word = Int(truncatingIfNeeded: id >> 6)
        if words.indices.contains(word) { words[word] &= ~(1 << UInt64(id & 63)) }
    }

    /// Returns whether an item was found. An id beyond the limit counts as found, since nothing is known of it.
    func contains(_ id: Item.ID) -> Bool {
        guard id >= 0 && id < SeenItems.limit else { return true }
        let word = Int(id >> 6)
        return word < words.count && words[word] >> UInt64(id & 63) & 1 != 0
    }

    /// The limit of ids: 2 MB of bits.
    private static let limit: Item.ID = 1 << 24
}
