// SPDX-License-Identifier: Apache-2.0
/// A table of glyphs by their keys. It is read for every drawn letter, and a dictionary's hash would take longer than drawing some of them.
struct GlyphTable {
    /// The keys, 0 for a free place. Their number is a power of two, and a quarter stays free.
    private var keys: [UInt64]
    private var slots: [GlyphCache.Slot]
    private var count = 0
    private static let first = 256
    private static let none = GlyphCache.Slot(
        left: 0, top: 0, width: 0, height: 0, pitch: 0, offset: -1, isColored: false)

    init() { (keys, slots) = GlyphTable.places(GlyphTable.first) }

    private static func places(_ count: Int) -> ([UInt64], [GlyphCache.Slot]) {
        ([UInt64](repeating: 0, count: count), [GlyphCache.Slot](repeating: none, count: count))
    }

    /// Returns the index of the key, or its future index.
    private func place(_ key: UInt64) -> Int {
        // These bits depend on the whole key, since its upper part, the font, was shifted down before.
        let product = (key ^ key &>> 29) &* 0x9E37_79B9_7F4A_7C15
        var index = Int(truncatingIfNeeded: product &>> 32) & (keys.count - 1)
        while keys[index] != 0 && keys[index] != key { index = (index + 1) & (keys.count - 1) }
        return index
    }

    /// - Parameter key: the key, not 0.
    func find(_ key: UInt64) -> GlyphCache.Slot? {
        let place = place(key)
        return keys[place] == key ? slots[place] : nil
    }

    mutating func insert(_ slot: GlyphCache.Slot, _ key: UInt64) {
        if (count + 1) * 4 > keys.count * 3 {
            let (oldKeys, oldSlots) = (keys, slots)
            (keys, slots) = GlyphTable.places(oldKeys.count * 2)
            for (index, known) in oldKeys.enumerated() where known != 0 {
                let place = place(known)
                (keys[place], slots[place]) = (known, oldSlots[index])
            }
        }
        let place = place(key)
        if keys[place] == 0 { count += 1 }
        (keys[place], slots[place]) = (key, slot)
    }

    mutating func removeAll() {
        for index in keys.indices { keys[index] = 0 }
        count = 0
    }
}
