// SPDX-License-Identifier: Apache-2.0
/// A set of the library's items: a bit for each, 6 KB for a library of 50,000.
public struct ItemSet: Sendable {
    private var words: [UInt64] = []
    /// The limit of ids: 2 MB of bits.
    private static let limit: Item.ID = 1 << 24

    public init() {}

    public mutating func insert(_ id: Item.ID) {
        guard id >= 0 && id < ItemSet.limit else { return }
        let word = Int(id >> 6)
        if word >= words.count { words.append(contentsOf: repeatElement(0, count: word + 1 - words.count)) }
        words[word] |= 1 << UInt64(id & 63)
    }

    public func contains(_ id: Item.ID) -> Bool {
        let word = Int(truncatingIfNeeded: id >> 6)
        return words.indices.contains(word) && words[word] >> UInt64(id & 63) & 1 != 0
    }
}
