// SPDX-License-Identifier: Apache-2.0
import Core
import Model

/// The order in which entries play.
extension Queue {
    // MARK: Asking

    /// Returns the entry that plays by itself after this one; nil if playback ends or pauses there.
    public func automaticIndex(after index: Int) -> Int? {
        modes.single != .off && !modes.repeats ? nil : self.index(after: index, isAsked: false)
    }

    /// Returns the entry after this one; nil at the end.
    /// - Parameter isAsked: true if a listener asks for the next, and not for the same again.
    public func index(after index: Int, isAsked: Bool) -> Int? {
        if modes.single != .off && modes.repeats && !modes.consumes && !isAsked { return index }
        let turn = order.turn(ofPosition: index)
        if turn + 1 < count { return order.position(ofTurn: turn + 1) }
        return modes.repeats && (turn > 0 || !modes.consumes) ? order.position(ofTurn: 0) : nil
    }

    /// Returns the entry before this one; nil at the beginning.
    public func index(before index: Int) -> Int? {
        let turn = order.turn(ofPosition: index)
        if turn > 0 { return order.position(ofTurn: turn - 1) }
        return modes.repeats ? order.position(ofTurn: count - 1) : nil
    }

    /// The first entry in this order; nil for an empty queue.
    public var firstIndex: Int? { isEmpty ? nil : order.position(ofTurn: 0) }

    /// The last entry in this order; nil for an empty queue.
    public var lastIndex: Int? { isEmpty ? nil : order.position(ofTurn: count - 1) }

    /// Returns the entry after the current one, without the removed ones; nil for none.
    func index(afterCurrentWithout removed: Range<Int>) -> Int? {
        guard let currentIndex else { return nil }
        if removed.count >= count { return nil }
        var index = currentIndex
        for _ in 0..<count {
            guard let next = self.index(after: index, isAsked: true) else { return nil }
            if !removed.contains(next) { return next }
            index = next
        }
        return nil
    }

    var priorityOfPosition: (Int) -> UInt8 {
        let entries = entries
        return { entries[$0].priority }
    }

    /// The first turn for new entries: behind the current entry and the one prepared behind that.
    var firstFreeTurn: Int { currentIndex.map { order.turn(ofPosition: $0) + 2 } ?? 0 }

    // MARK: Going

    /// Makes an entry the current one, which ends its priority.
    /// - Parameter isChosen: true if a listener chose it, out of turn.
    /// - Returns: the edits: the former current entry stood for a missing item and left, or the entry lost its priority.
    @discardableResult
    public mutating func setCurrent(_ index: Int?, isChosen: Bool = false) -> [QueueEdit] {
        var edits: [QueueEdit] = []
        if let index, isChosen { order.choose(index, current: currentIndex) }
        let old = currentIndex
        currentIndex = index
        if let index, let edit = prioritise(index..<index + 1, 0, isPlayed: true) { edits.append(edit) }
        if isCurrentAway, let old, old != index {
            isCurrentAway = false
            if let edit = remove(old..<old + 1, isByHand: false) { edits.append(edit) }
        }
        return edits
    }

    /// Prepares the order for an entry that is about to play: if it has the last turn of a repeating random order, a new round begins
    /// behind it.
    public mutating func prepare(after index: Int) {
        guard order.isRandom, modes.repeats, modes.single == .off, count > 1,
            order.turn(ofPosition: index) == count - 1
        else { return }
        var kept = [index]
        if let currentIndex, currentIndex != index { kept.insert(currentIndex, at: 0) }
        order.beginRound(behind: kept, priorityOfPosition)
    }

    // MARK: Modes

    /// - Parameter isPlaying: true if an entry plays or is paused: it stays, and all others come behind it.
    /// - Returns: true if something changed.
    public mutating func set(_ modes: PlayModes, isPlaying: Bool = true) -> Bool {
        if modes == self.modes { return false }
        self.modes = modes
        if modes.isRandom && !order.isRandom {
            order.shuffle(count: count, first: isPlaying ? currentIndex : nil, priorityOfPosition)
        } else if !modes.isRandom {
            order.straighten()
        }
        return true
    }

    // MARK: Priorities

    /// Moves entries forward in a random order.
    /// - Parameter isPlayed: true if they are playing: their turn has come.
    /// - Returns: nil if all had that priority.
    public mutating func prioritise(_ range: Range<Int>, _ priority: UInt8, isPlayed: Bool = false) -> QueueEdit? {
        // Only the numbers: keeping the entries would copy all of them at the first change.
        var before: [UInt8] = []
        before.reserveCapacity(range.count)
        // As MPD reports them: only those that had another priority.
        var changed: [Range<Int>] = []
        entries.withUnsafeMutableBufferPointer { entries in
            for index in range {
                let old = entries[index].priority
                before.append(old)
                if old == priority { continue }
                entries[index].priority = priority
                if let last = changed.last, last.upperBound == index {
                    changed[changed.count - 1] = last.lowerBound..<index + 1
                } else {
                    changed.append(index..<index + 1)
                }
            }
        }
        guard let first = changed.first?.lowerBound, let end = changed.last?.upperBound else { return nil }
        if !isPlayed {
            order.prioritise(
                first..<end, from: { before[$0 - range.lowerBound] }, current: currentIndex, priorityOfPosition)
        }
        // The versions do not distinguish more of them anyway.
        if changed.count > QueueVersions.mostRuns { changed = [first..<end] }
        countUp(changed[0])
        for run in changed.dropFirst() { noteMore(run) }
        return .prioritise(first: entries[first].songID, last: entries[end - 1].songID, priority)
    }
}
