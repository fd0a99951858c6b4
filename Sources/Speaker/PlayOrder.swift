/// Which place of the queue is played after which: in the queue's own order, or in one of chance, as MPD makes it.
///
/// A *turn* is a place in this order, 0 for what is played first. The order of chance knows the queue by its positions, and is told
/// of every edit. Where it is the queue's own, it takes no memory.
struct PlayOrder {
    /// The position of each turn; nil for the queue's own order.
    private var positions: [Int32]?
    private var dice: Dice

    init(seed: UInt64) { dice = Dice(seed: seed) }

    // MARK: Asking

    var isRandom: Bool { positions != nil }

    func position(ofTurn turn: Int) -> Int { positions.map { Int($0[turn]) } ?? turn }

    func turn(ofPosition position: Int) -> Int {
        guard let positions else { return position }
        return positions.firstIndex { $0 == Int32(truncatingIfNeeded: position) } ?? 0
    }

    // MARK: Chance

    /// Goes by chance from now on, or shuffles anew: a higher priority comes first.
    /// - Parameter first: the position that comes before all others; nil for whichever.
    mutating func shuffle(count: Int, first: Int?, _ priority: (Int) -> UInt8) {
        var turns: [Int32] = []
        turns.reserveCapacity(count)
        for position in 0..<count where position != first { turns.append(Int32(truncatingIfNeeded: position)) }
        PlayOrder.mix(&turns, from: 0, &dice)
        // By chance within each priority: few have one.
        var ahead: [(position: Int32, priority: UInt8)] = []
        for position in turns {
            let own = priority(Int(position))
            if own > 0 { ahead.append((position, own)) }
        }
        if !ahead.isEmpty {
            turns.removeAll { priority(Int($0)) > 0 }
            var sorted: [(position: Int32, priority: UInt8)] = []
            for entry in ahead {
                let place = sorted.firstIndex { $0.priority < entry.priority } ?? sorted.count
                sorted.insert(entry, at: place)
            }
            turns = sorted.map { $0.position } + turns
        }
        if let first, first < count { turns.insert(Int32(truncatingIfNeeded: first), at: 0) }
        positions = turns
    }

    /// The queue's own order from now on.
    mutating func straighten() { positions = nil }

    /// All that is to come once more, behind these, which keep their turns.
    mutating func beginRound(behind kept: [Int], _ priority: (Int) -> UInt8) {
        guard let count = positions?.count else { return }
        shuffle(count: count, first: nil, priority)
        positions?.removeAll { position in kept.contains { $0 == Int(position) } }
        positions?.insert(contentsOf: kept.map { Int32(truncatingIfNeeded: $0) }, at: 0)
    }

    /// Fisher and Yates.
    private static func mix(_ turns: inout [Int32], from start: Int, _ dice: inout Dice) {
        var last = turns.count - 1
        while last > start {
            turns.swapAt(last, start + dice.number(below: last - start + 1))
            last -= 1
        }
    }

    /// The places of `range` in an order of chance, for a queue that is itself shuffled.
    mutating func shuffled(_ range: Range<Int>) -> [Int] {
        var turns = range.map { Int32(truncatingIfNeeded: $0) }
        PlayOrder.mix(&turns, from: 0, &dice)
        return turns.map { Int($0) }
    }

    // MARK: Going

    /// What somebody chose is played now: it comes behind what has been played, and is not played again for having stood behind.
    /// - Parameter current: the position that is played; nil for none.
    mutating func choose(_ position: Int, current: Int?) {
        guard positions != nil else { return }
        let from = turn(ofPosition: position)
        guard let current else { return move(turn: from, to: 0) }
        let now = turn(ofPosition: current)
        if from == now { return }
        move(turn: from, to: from > now ? now + 1 : now)
    }

    private mutating func move(turn from: Int, to: Int) {
        guard let position = positions?.remove(at: from) else { return }
        positions?.insert(position, at: to)
    }

    // MARK: Edits of the queue

    /// So many entries came to stand before the one at `index`: each has its turn by chance, in one from `turn` on.
    mutating func insert(_ count: Int, at index: Int, fromTurn turn: Int, _ priority: (Int) -> UInt8) {
        guard let positions else { return }
        let kept = positions.map { Int($0) < index ? Int($0) : Int($0) + count }
        replace(kept, with: Array(index..<index + count), fromTurn: turn, priority)
    }

    /// The entries were made anew: those that stayed, in their turns, and new ones, each with its turn by chance from `turn` on.
    mutating func replace(_ kept: [Int], with new: [Int], fromTurn turn: Int, _ priority: (Int) -> UInt8) {
        var turns = kept.map { Int32(truncatingIfNeeded: $0) }
        turns.reserveCapacity(kept.count + new.count)
        var least = min(turn, turns.count)
        while least < turns.count, priority(Int(turns[least])) > 0 { least += 1 }
        for position in new {
            turns.append(Int32(truncatingIfNeeded: position))
            turns.swapAt(turns.count - 1, least + dice.number(below: turns.count - least))
        }
        positions = turns
    }

    /// These positions are gone.
    mutating func remove(_ range: Range<Int>) {
        guard var turns = positions else { return }
        positions = nil
        turns.removeAll { range.contains(Int($0)) }
        let end = Int32(truncatingIfNeeded: range.upperBound)
        let shift = Int32(truncatingIfNeeded: range.count)
        for turn in turns.indices where turns[turn] >= end { turns[turn] -= shift }
        positions = turns
    }

    /// What stood at a position stands at another now; the turns stay theirs.
    mutating func renumber(_ newPosition: (Int) -> Int) {
        guard var turns = positions else { return }
        positions = nil
        for turn in turns.indices {
            turns[turn] = Int32(truncatingIfNeeded: newPosition(Int(turns[turn])))
        }
        positions = turns
    }

    /// The entry at this position has another priority than it had.
    /// - Parameter current: the position that is played; nil for none.
    mutating func prioritise(_ position: Int, from old: UInt8, current: Int?, _ priority: (Int) -> UInt8) {
        guard positions != nil else { return }
        let own = priority(position)
        let from = turn(ofPosition: position)
        let now = current.map { turn(ofPosition: $0) }
        if let current, let now {
            if from == now { return }
            // It has been played: once more only if it is to come before what is played.
            if from < now, own <= old || own <= priority(current) { return }
        }
        guard let moved = positions?.remove(at: from), let turns = positions else { return }
        let begin = now.map { from < $0 ? $0 : $0 + 1 } ?? 0
        var first = begin
        while first < turns.count, priority(Int(turns[first])) > own { first += 1 }
        var end = first
        while end < turns.count, priority(Int(turns[end])) == own { end += 1 }
        positions?.insert(moved, at: first)
        // Its turn by chance among its like.
        positions?.swapAt(first, first + dice.number(below: end - first + 1))
    }
}
