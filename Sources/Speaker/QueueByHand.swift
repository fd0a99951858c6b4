// SPDX-License-Identifier: Apache-2.0
import Core
import Model

/// Edits of the queue by clients. After one, the queue no longer follows the scans.
extension Queue {
    public mutating func insert(
        _ items: [ItemID], at index: Int? = nil
    ) throws(QueueFull) -> (edit: QueueEdit, firstSongID: Int)? {
        try insert(pieces: items.map { Piece($0) }, at: index)
    }

    /// Inserts items, or chapters of them, before the entry at `index`, or at the end.
    /// - Returns: the change, and the first entry's song id; nil if there is nothing to insert.
    public mutating func insert(
        pieces: [Piece], at index: Int? = nil
    ) throws(QueueFull) -> (edit: QueueEdit, firstSongID: Int)? {
        guard pieces.count <= limit - entries.count else { throw QueueFull(limit: limit) }
        guard !pieces.isEmpty else { return nil }
        let at = min(entries.count, max(0, index ?? entries.count))
        let new = pieces.map { makeEntry($0.itemID, chapter: $0.chapter) }
        let free = firstFreeTurn
        entries.insert(contentsOf: new, at: at)
        if let current = currentIndex, current >= at { currentIndex = current + new.count }
        if order.isRandom { order.insert(new.count, at: at, fromTurn: free, priorityOfPosition) }
        endFollowing()
        countUp(at..<Int.max)
        return (.insert(new, after: at == 0 ? nil : entries[at - 1].songID), new[0].songID)
    }

    /// Removes entries. If the current one is among them, no entry is current afterwards.
    public mutating func remove(_ range: Range<Int>) -> QueueEdit? { remove(range, isByHand: true) }

    mutating func remove(_ range: Range<Int>, isByHand: Bool) -> QueueEdit? {
        let range = range.clamped(to: 0..<entries.count)
        guard !range.isEmpty else { return nil }
        let edit = QueueEdit.remove(first: entries[range.lowerBound].songID, last: entries[range.upperBound - 1].songID)
        entries.removeSubrange(range)
        order.remove(range)
        if let current = currentIndex {
            if range.contains(current) {
                currentIndex = nil
                isCurrentAway = false
            } else if current >= range.upperBound {
                currentIndex = current - range.count
            }
        }
        if isByHand { endFollowing() }
        countUp(range.lowerBound..<Int.max)
        return edit
    }

    /// Moves entries so that the first of them comes to `to`.
    /// - Parameter to: at most the number of the others.
    /// - Returns: nil if they are there already.
    public mutating func move(_ range: Range<Int>, to: Int) -> QueueEdit? {
        guard !range.isEmpty, range.lowerBound != to, range.upperBound <= count, to + range.count <= count, to >= 0
        else { return nil }
        let moved = Array(entries[range])
        entries.removeSubrange(range)
        entries.insert(contentsOf: moved, at: to)
        // The entries between the old and the new places moved the other way.
        let count = range.count
        func newPosition(_ old: Int) -> Int {
            if range.contains(old) { return old - range.lowerBound + to }
            if old >= range.upperBound && old < to + count { return old - count }
            if old >= to && old < range.lowerBound { return old + count }
            return old
        }
        renumber(newPosition)
        countUp(min(to, range.lowerBound)..<max(to + count, range.upperBound))
        return reorder(to..<to + count, first: moved[0].songID, last: moved[count - 1].songID)
    }

    /// - Returns: nil if both are the same.
    public mutating func swap(_ one: Int, _ other: Int) -> QueueEdit? {
        if one == other { return nil }
        entries.swapAt(one, other)
        renumber { $0 == one ? other : $0 == other ? one : $0 }
        countUpBoth(min(one, other), max(one, other))
        return .swap(entries[one], entries[other])
    }

    private mutating func countUpBoth(_ one: Int, _ other: Int) {
        countUp(one..<one + 1)
        noteMore(other..<other + 1)
    }

    /// Shuffles entries.
    /// - Parameter keepsCurrent: true to make the current one, if it is among them, the first of them.
    /// - Returns: nil for fewer than two.
    public mutating func shuffle(_ range: Range<Int>, keepsCurrent: Bool) -> QueueEdit? {
        let range = range.clamped(to: 0..<count)
        guard range.count > 1 else { return nil }
        let first = entries[range.lowerBound].songID
        let last = entries[range.upperBound - 1].songID
        var from = order.shuffled(range)
        if keepsCurrent, let current = currentIndex, let place = from.firstIndex(of: current) {
            from.swapAt(0, place)
        }
        var new = [Int](repeating: 0, count: range.count)
        for (place, old) in from.enumerated() { new[old - range.lowerBound] = range.lowerBound + place }
        entries.replaceSubrange(range, with: from.map { entries[$0] })
        renumber { range.contains($0) ? new[$0 - range.lowerBound] : $0 }
        countUp(range)
        return reorder(range, first: first, last: last)
    }

    private mutating func renumber(_ newPosition: (Int) -> Int) {
        if let current = currentIndex { currentIndex = newPosition(current) }
        order.renumber(newPosition)
        endFollowing()
    }

    private func reorder(_ range: Range<Int>, first: Int, last: Int) -> QueueEdit {
        .reorder(
            Array(entries[range]), first: first, last: last,
            after: range.lowerBound == 0 ? nil : entries[range.lowerBound - 1].songID)
    }
}
