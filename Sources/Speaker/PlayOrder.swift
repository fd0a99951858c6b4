// SPDX-License-Identifier: Apache-2.0
/// The playing order of the queue's positions: the queue's own order, or a random one as in MPD.
///
/// A *turn* is an index in this order, 0 for the first to play. The random order stores positions, and must hear of every edit. The queue's
/// own order takes no memory.
struct PlayOrder {
    /// The position of each turn; nil for the queue's own order.
    private var positions: [Int32]?
    /// The turn of each position, as long as there are positions. Every edit recomputes it: each edit visits all turns anyway.
    private var turns: [Int32] = []
    private var dice: Dice

    init(seed: UInt64) { dice = Dice(seed: seed) }

    // MARK: Asking

    var isRandom: Bool { positions != nil }

    func position(ofTurn turn: Int) -> Int { positions.map { Int($0[turn]) } ?? turn }

    func turn(ofPosition position: Int) -> Int {
        if positions == nil { return position }
        return turns.indices.contains(position) ? Int(turns[position]) : 0
    }

    /// Sets a random order.
    /// - Parameter order: each position once.
    private mutating func take(_ order: [Int32]) {
        turns = [Int32](repeating: 0, count: order.count)
        for (turn, position) in order.enumerated() { turns[Int(position)] = Int32(truncatingIfNeeded: turn) }
        positions = order
    }

    // MARK: Chance

    /// Starts a random order, or shuffles it again. A higher priority comes first.
    /// - Parameter first: the position before all others; nil for any.
    mutating func shuffle(count: Int, first: Int?, _ priority: (Int) -> UInt8) {
        var turns: [Int32] = []
        turns.reserveCapacity(count)
        for position in 0..<count where position != first { turns.append(Int32(truncatingIfNeeded: position)) }
        PlayOrder.mix(&turns, from: 0, &dice)
        // Random within each priority.
        var numbers = [Int](repeating: 0, count: 256)
        for position in turns { numbers[Int(priority(Int(position)))] += 1 }
        if numbers[0] < turns.count {
            // The start of each priority's part, the highest first.
            var start = turns.count
            for own in 0..<256 {
                start -= numbers[own]
                numbers[own] = start
            }
            let mixed = turns
            for position in mixed {
                let own = Int(priority(Int(position)))
                turns[numbers[own]] = position
                numbers[own] += 1
            }
        }
        if let first, first < count { turns.insert(Int32(truncatingIfNeeded: first), at: 0) }
        take(turns)
    }

    /// Restores the queue's own order.
    mutating func straighten() {
        positions = nil
        turns = []
    }

    /// Starts another round of all entries, behind these, which keep their turns.
    mutating func beginRound(behind kept: [Int], _ priority: (Int) -> UInt8) {
        guard let count = positions?.count else { return }
        shuffle(count: count, first: nil, priority)
        guard var turns = positions else { return }
        turns.removeAll { position in kept.contains { $0 == Int(position) } }
        take(kept.map { Int32(truncatingIfNeeded: $0) } + turns)
    }

    /// Shuffles by the method of Fisher and Yates.
    private static func mix(_ turns: inout [Int32], from start: Int, _ dice: inout Dice) {
        var last = turns.count - 1
        while last > start {
            turns.swapAt(last, start + dice.number(below: last - start + 1))
            last -= 1
        }
    }

    /// Returns the positions of `range` in random order, for shuffling the queue itself.
    mutating func shuffled(_ range: Range<Int>) -> [Int] {
        var turns = range.map { Int32(truncatingIfNeeded: $0) }
        PlayOrder.mix(&turns, from: 0, &dice)
        return turns.map { Int($0) }
    }

    // MARK: Going

    /// Moves a listener's choice to the present turn, behind the played entries, so that it does not play again later.
    /// - Parameter current: the playing position; nil for none.
    mutating func choose(_ position: Int, current: Int?) {
        guard positions != nil else { return }
        let from = turn(ofPosition: position)
        guard let current else { return move(turn: from, to: 0) }
        let now = turn(ofPosition: current)
        if from == now { return }
        move(turn: from, to: from > now ? now + 1 : now)
    }

    private mutating func move(turn from: Int, to: Int) {
        guard var turns = positions else { return }
        turns.insert(turns.remove(at: from), at: to)
        take(turns)
    }

    // MARK: Edits of the queue

    /// Inserts `count` new entries at `index`: each gets a random turn, from `turn` on.
    mutating func insert(_ count: Int, at index: Int, fromTurn turn: Int, _ priority: (Int) -> UInt8) {
        guard let positions else { return }
        let kept = positions.map { Int($0) < index ? Int($0) : Int($0) + count }
        replace(kept, with: Array(index..<index + count), fromTurn: turn, priority)
    }

    /// Replaces the entries: `kept` ones stay in the order of their turns, and each new one gets a random turn from `turn` on.
    mutating func replace(_ kept: [Int], with new: [Int], fromTurn turn: Int, _ priority: (Int) -> UInt8) {
        var turns = kept.map { Int32(truncatingIfNeeded: $0) }
        turns.reserveCapacity(kept.count + new.count)
        var least = min(turn, turns.count)
        while least < turns.count, priority(Int(turns[least])) > 0 { least += 1 }
        for position in new {
            turns.append(Int32(truncatingIfNeeded: position))
            turns.swapAt(turns.count - 1, least + dice.number(below: turns.count - least))
        }
        take(turns)
    }

    /// Removes these positions.
    mutating func remove(_ range: Range<Int>) {
        guard var turns = positions else { return }
        positions = nil
        turns.removeAll { range.contains(Int($0)) }
        let end = Int32(truncatingIfNeeded: range.upperBound)
        let shift = Int32(truncatingIfNeeded: range.count)
        for turn in turns.indices where turns[turn] >= end { turns[turn] -= shift }
        take(turns)
    }

    /// Changes the positions of entries, which keep their turns.
    mutating func renumber(_ newPosition: (Int) -> Int) {
        guard var turns = positions else { return }
        positions = nil
        for turn in turns.indices {
            turns[turn] = Int32(truncatingIfNeeded: newPosition(Int(turns[turn])))
        }
        take(turns)
    }

    /// Gives the entries at these positions their new priority, the same for all.
    /// - Parameter current: the playing position; nil for none.
    mutating func prioritise(
        _ range: Range<Int>, from old: (Int) -> UInt8, current: Int?, _ priority: (Int) -> UInt8
    ) {
        guard let positions, let own = range.first.map(priority) else { return }
        let now = current.map { turn(ofPosition: $0) }
        func moves(_ position: Int, _ turn: Int) -> Bool {
            guard range.contains(position), old(position) != own else { return false }
            guard let current, let now, turn <= now else { return true }
            // It has been played: it plays again only if its priority now exceeds that of the current entry.
            return turn < now && own > old(position) && own > priority(current)
        }
        var moved: [Int32] = []
        moved.reserveCapacity(range.count)
        var remaining: [Int32] = []
        remaining.reserveCapacity(positions.count)
        var first = 0
        for (turn, position) in positions.enumerated() {
            if moves(Int(position), turn) { moved.append(position) } else { remaining.append(position) }
            if turn == now { first = remaining.count }
        }
        while first < remaining.count, priority(Int(remaining[first])) > own { first += 1 }
        var end = first
        while end < remaining.count, priority(Int(remaining[end])) == own { end += 1 }
        // Random turns among entries of the same priority.
        var like = Array(remaining[first..<end])
        for position in moved {
            like.append(position)
            like.swapAt(like.count - 1, dice.number(below: like.count))
        }
        remaining.replaceSubrange(first..<end, with: like)
        take(remaining)
    }
}
