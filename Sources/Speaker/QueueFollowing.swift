// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Model
import Scanning

/// The queue as the scans' result, until the first edit.
extension Queue {
    /// Makes the queue the scans' result so far. Entries that stay keep their song ids.
    public mutating func follow(_ items: [ItemID]) -> QueueEdit {
        let currentID = current?.songID
        var old: [ItemID: QueueEntry] = [:]
        for entry in entries where entry.chapter == 0 { old[entry.itemID] = entry }
        let before = entries
        entries = items.map { old[$0] ?? makeEntry($0) }
        currentIndex = currentID.flatMap { index(ofSongID: $0) }
        isCurrentAway = false
        followsScans = true
        didReplace(before)
        return .replace(entries)
    }

    /// Adds a scan's findings. An entry that is there already moves to its place; the current entry stays current.
    /// - Returns: true if anything changed.
    public mutating func arrive(_ arrivals: [Arrival]) -> Bool {
        guard followsScans, !arrivals.isEmpty else { return false }
        let currentID = current?.songID
        let before = entries
        entries = placing(arrivals)
        if firstDifference(from: before) == nil { return false }
        currentIndex = currentID.flatMap { index(ofSongID: $0) }
        didReplace(before)
        return true
    }

    /// Returns the entries with the arrivals in their places: in one pass, or without a pass if all come behind the end.
    private mutating func placing(_ arrivals: [Arrival]) -> [QueueEntry] {
        let arriving = Set(arrivals.map { $0.id })
        if let current, arriving.contains(current.itemID) { isCurrentAway = false }
        var known: [ItemID: QueueEntry] = [:]
        for entry in entries where arriving.contains(entry.itemID) { known[entry.itemID] = entry }
        var remaining = known.isEmpty ? entries : entries.filter { !arriving.contains($0.itemID) }
        var first: [QueueEntry] = []
        var last: [QueueEntry] = []
        var behind: [ItemID: [QueueEntry]] = [:]
        /// The final anchor of each arrival behind another one.
        var anchors: [ItemID: ItemID] = [:]
        var lastItem = remaining.last?.itemID
        for arrival in arrivals {
            let entry = known[arrival.id] ?? makeEntry(arrival.id)
            switch arrival.place {
            case .first: first.append(entry)
            case .behind(let other) where other != lastItem:
                let anchor = anchors[other] ?? other
                behind[anchor, default: []].append(entry)
                anchors[arrival.id] = anchor
            case .behind, .last:
                last.append(entry)
                lastItem = arrival.id
            }
        }
        if first.isEmpty && behind.isEmpty { return remaining + last }
        remaining = first + remaining + last
        if behind.isEmpty { return remaining }
        var merged: [QueueEntry] = []
        merged.reserveCapacity(remaining.count + arrivals.count)
        for entry in remaining {
            merged.append(entry)
            if let more = behind.removeValue(forKey: entry.itemID) { merged += more }
        }
        // Their anchor is missing.
        for more in behind.values { merged += more }
        return merged
    }

    /// Removes missing items that a scan found. The current entry stays while it is current: it may be playing, and the entry after it must
    /// be known.
    /// - Returns: true if anything changed.
    public mutating func lose(_ items: Set<ItemID>) -> Bool {
        guard followsScans else { return false }
        let currentID = current?.songID
        if let current, items.contains(current.itemID) { isCurrentAway = true }
        func leaves(_ entry: QueueEntry) -> Bool { entry.songID != currentID && items.contains(entry.itemID) }
        if !entries.contains(where: leaves) { return false }
        let before = entries
        entries.removeAll(where: leaves)
        currentIndex = currentID.flatMap { index(ofSongID: $0) }
        didReplace(before)
        return true
    }

    /// Returns the first difference from before; nil if there is none.
    private func firstDifference(from before: [QueueEntry]) -> Int? {
        let both = min(before.count, entries.count)
        if let first = (0..<both).first(where: { before[$0] != entries[$0] }) { return first }
        return before.count == entries.count ? nil : both
    }

    /// Updates versions and turns after the entries were replaced.
    private mutating func didReplace(_ before: [QueueEntry]) {
        let first = firstDifference(from: before) ?? entries.count
        if order.isRandom { follow(before, from: first) }
        countUp(first..<Int.max)
    }

    /// Keeps the turns of the entries that stay; the others get random turns among those to come.
    private mutating func follow(_ before: [QueueEntry], from first: Int) {
        let priority = priorityOfPosition
        guard first < before.count else {
            return order.insert(entries.count - first, at: first, fromTurn: firstFreeTurn, priority)
        }
        var places: [Int: Int] = [:]
        for index in first..<entries.count { places[entries[index].songID] = index }
        var kept: [Int] = []
        for turn in before.indices {
            let old = order.position(ofTurn: turn)
            if let new = old < first ? old : places.removeValue(forKey: before[old].songID) {
                kept.append(new)
            }
        }
        let new = places.values.sorted()
        let free = currentIndex.flatMap { current in kept.firstIndex(of: current) }.map { $0 + 1 } ?? 0
        order.replace(kept, with: new, fromTurn: free, priority)
    }
}
