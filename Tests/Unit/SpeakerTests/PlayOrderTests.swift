// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import TestSupport
import Testing

@testable import Speaker

@Suite("Order of playing") struct PlayOrderTests {
    private func turns(_ queue: Queue) -> [Int] { (0..<queue.count).map { queue.order.position(ofTurn: $0) } }

    private func queue(_ count: Int, current: Int? = nil, seed: UInt64 = 1) throws -> Queue {
        var queue = Queue(seed: seed)
        _ = try queue.insert((0..<count).map { ItemID($0 + 1) })
        if let current { queue.setCurrent(current) }
        return queue
    }

    private func with(_ change: (inout PlayModes) -> Void) -> PlayModes {
        var modes = PlayModes()
        change(&modes)
        return modes
    }

    @Test func theQueuesOwnOrderIsTheUsual() throws {
        var queue = try queue(3, current: 0)
        #expect(queue.automaticIndex(after: 0) == 1 && queue.automaticIndex(after: 2) == nil)
        #expect(queue.index(before: 0) == nil && queue.index(before: 2) == 1)
        _ = queue.set(with { $0.repeats = true })
        #expect(queue.automaticIndex(after: 2) == 0 && queue.index(before: 0) == 2)
        // The same item again, unless a person asks for the next.
        _ = queue.set(
            with {
                $0.repeats = true
                $0.single = .on
            })
        #expect(queue.automaticIndex(after: 1) == 1 && queue.index(after: 1, isAsked: true) == 2)
        _ = queue.set(with { $0.single = .on })
        #expect(queue.automaticIndex(after: 1) == nil && queue.index(after: 1, isAsked: false) == 2)
        // A consumed item is neither returned to nor played again.
        _ = queue.set(
            with {
                $0.repeats = true
                $0.single = .on
                $0.consumes = true
            })
        #expect(queue.automaticIndex(after: 1) == 2)
        var one = try self.queue(1, current: 0)
        _ = one.set(
            with {
                $0.repeats = true
                $0.consumes = true
            })
        #expect(one.automaticIndex(after: 0) == nil)
    }

    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func byChanceEachIsPlayedOnceARound(seed: UInt64) throws {
        var queue = try queue(20, current: 7, seed: seed)
        _ = queue.set(with { $0.isRandom = true })
        #expect(queue.currentIndex == 7 && turns(queue).first == 7)
        var played: [Int] = []
        while let index = queue.currentIndex {
            played.append(index)
            guard let next = queue.automaticIndex(after: index) else { break }
            queue.setCurrent(next)
        }
        #expect(played.sorted() == Array(0..<20) && played != Array(0..<20))
        // Round after round, where it repeats: none twice within one, and none right after itself.
        _ = queue.set(
            with {
                $0.isRandom = true
                $0.repeats = true
            })
        for _ in 0..<5 {
            var round: [Int] = []
            for _ in 0..<19 {
                let index = try #require(queue.currentIndex)
                queue.prepare(after: index)
                let next = try #require(queue.automaticIndex(after: index))
                #expect(next != index)
                queue.setCurrent(next)
                round.append(next)
            }
            #expect(Set(round).count == 19, "seed \(seed)")
        }
        // And back to its own order, going on from where it is.
        _ = queue.set(with { $0.repeats = true })
        let index = try #require(queue.currentIndex)
        #expect(queue.automaticIndex(after: index) == (index + 1) % 20)
    }

    @Test func aRoundIsKnownBeforeTheLastIsHeard() throws {
        var queue = try queue(10, current: 0)
        _ = queue.set(
            with {
                $0.isRandom = true
                $0.repeats = true
            })
        while queue.order.turn(ofPosition: queue.currentIndex!) < 8 {
            queue.setCurrent(queue.automaticIndex(after: queue.currentIndex!))
        }
        let current = queue.currentIndex!
        let last = queue.automaticIndex(after: current)!
        // The last is lined up already, and what comes behind it is asked for.
        queue.prepare(after: last)
        let next = queue.automaticIndex(after: last)
        #expect(next != nil && next != last && next != current)
        #expect(queue.automaticIndex(after: current) == last && queue.currentIndex == current)
        queue.prepare(after: last)
        #expect(queue.automaticIndex(after: last) == next)
    }

    @Test(arguments: 1...30 as ClosedRange<UInt64>)
    func aHigherPriorityComesFirst(seed: UInt64) throws {
        var queue = try queue(12, current: 3, seed: seed)
        _ = queue.set(with { $0.isRandom = true })
        _ = queue.prioritise(5..<6, 10)
        _ = queue.prioritise(8..<9, 20)
        _ = queue.prioritise(9..<10, 10)
        #expect(Array(turns(queue).prefix(2)) == [3, 8])
        #expect(Set(turns(queue)[2...3]) == [5, 9])
        // It has done its work once it is played.
        let version = queue.version
        let edits = queue.setCurrent(queue.automaticIndex(after: 3)!)
        #expect(edits == [.prioritise(first: 9, last: 9, 0)] && queue.entries[8].priority == 0)
        #expect(queue.positionsChanged(since: version) == [8..<9])
        // A played item comes once more with a higher priority than the current one.
        _ = queue.prioritise(3..<4, 5)
        #expect(Set(turns(queue).dropFirst().prefix(2)) == [5, 9] && turns(queue)[3] == 3)
        // Kept where the order is made anew.
        _ = queue.set(PlayModes())
        #expect(queue.automaticIndex(after: 8) == 9)
        _ = queue.set(with { $0.isRandom = true })
        #expect(turns(queue)[0] == 8 && Set(turns(queue)[1...2]) == [5, 9] && turns(queue)[3] == 3)
    }

    @Test(arguments: 1...30 as ClosedRange<UInt64>)
    func whatIsChosenIsNotPlayedTwice(seed: UInt64) throws {
        var queue = try queue(10, current: 0, seed: seed)
        _ = queue.set(with { $0.isRandom = true })
        queue.setCurrent(6, isChosen: true)
        queue.setCurrent(2, isChosen: true)
        #expect(Array(turns(queue).prefix(3)) == [0, 6, 2])
        #expect(queue.index(before: 2) == 6)
        var played: [Int] = []
        while let next = queue.automaticIndex(after: queue.currentIndex!) {
            queue.setCurrent(next)
            played.append(next)
        }
        #expect(played.sorted() == [1, 3, 4, 5, 7, 8, 9])
    }

    @Test(arguments: 1...30 as ClosedRange<UInt64>)
    func whatIsAddedComesAmongWhatIsToCome(seed: UInt64) throws {
        var queue = try queue(6, current: 0, seed: seed)
        _ = queue.set(with { $0.isRandom = true })
        let second = turns(queue)[1]
        _ = try queue.insert([50, 51, 52], at: 0)
        // The current item and the one lined up behind it keep their turns.
        #expect(queue.currentIndex == 3 && Array(turns(queue).prefix(2)) == [3, second + 3])
        #expect(turns(queue).sorted() == Array(0..<9))
        _ = queue.remove(0..<2)
        #expect(Array(turns(queue).prefix(2)) == [1, second + 1])
        // A scan that finds something at the end, and in the middle.
        var library = Queue(followsScans: true, seed: seed)
        _ = library.follow([10, 20, 30])
        library.setCurrent(1)
        _ = library.set(with { $0.isRandom = true })
        let after = library.entries[turns(library)[1]].itemID
        _ = library.arrive([.init(id: 40, place: .last)])
        _ = library.arrive([.init(id: 5, place: .first), .init(id: 25, place: .behind(20))])
        let items = turns(library).map { library.entries[$0].itemID }
        #expect(items.sorted() == [5, 10, 20, 25, 30, 40] && items.first == 20, "seed \(seed)")
        _ = library.lose([after])
        #expect(turns(library).sorted() == Array(0..<5))
        #expect(library.entries[turns(library)[0]].itemID == 20)
    }

    /// A range comes as its entries would one by one.
    @Test(arguments: 1...60 as ClosedRange<UInt64>)
    func aRangeOfPrioritiesIsThoseOfItsEntries(seed: UInt64) throws {
        var dice = SeededGenerator(seed: seed)
        var one = try queue(30, current: Int.random(in: 0..<30, using: &dice), seed: seed)
        _ = one.set(with { $0.isRandom = true })
        for _ in 0..<Int.random(in: 0..<10, using: &dice) {
            one.setCurrent(one.automaticIndex(after: one.currentIndex!))
        }
        var other = one
        for _ in 0..<6 {
            let first = Int.random(in: 0..<30, using: &dice)
            let range = first..<Int.random(in: first...30, using: &dice)
            let priority = UInt8.random(in: 0...3, using: &dice)
            _ = one.prioritise(range, priority)
            // The current item comes first: it decides which items count as played.
            let current = other.currentIndex!
            for index in range.filter({ $0 == current }) + range.filter({ $0 != current }) {
                _ = other.prioritise(index..<index + 1, priority)
            }
            #expect(one.entries == other.entries && turns(one).sorted() == Array(0..<30), "seed \(seed)")
            let now = one.order.turn(ofPosition: one.currentIndex!)
            #expect(now == other.order.turn(ofPosition: one.currentIndex!), "seed \(seed)")
            #expect(turns(one).prefix(now) == turns(other).prefix(now), "seed \(seed)")
            #expect(turns(one).map { one.entries[$0].priority } == turns(other).map { one.entries[$0].priority })
            for (turn, position) in turns(one).enumerated() { #expect(one.order.turn(ofPosition: position) == turn) }
        }
    }

    /// An edit of a whole long queue walks it a few times, and not once for each entry.
    @Test func whatIsDoneToAllCostsAsManyAsThereAre() throws {
        func random(_ count: Int) throws -> Queue {
            var queue = try queue(count, current: 5)
            _ = queue.set(with { $0.isRandom = true })
            return queue
        }
        try expectLinear(smallBytes: 1500, "what comes behind all that is removed") { count in
            count
        } work: { count in
            let queue = try random(count)
            #expect(queue.index(afterCurrentWithout: 0..<count - 1) == count - 1 || queue.currentIndex == count - 1)
        }
        try expectLinear(smallBytes: 1500, "priorities, and shuffling with them") { count in
            count
        } work: { count in
            var queue = try random(count)
            _ = queue.prioritise(0..<count, 9)
            _ = queue.prioritise(0..<count / 2, 0)
            _ = queue.set(PlayModes())
            _ = queue.set(with { $0.isRandom = true })
            _ = queue.shuffle(0..<count, keepsCurrent: true)
            _ = queue.remove(0..<count)
        }
    }

    @Test func movesAreToldAsMPDTellsThem() throws {
        var queue = try queue(8, current: 4)
        var version = queue.version
        func changed() -> [Range<Int>] {
            defer { version = queue.version }
            return queue.positionsChanged(since: version)
        }
        func items() -> [ItemID] { queue.entries.map(\.itemID) }
        _ = queue.move(1..<2, to: 3)
        #expect(items() == [1, 3, 4, 2, 5, 6, 7, 8] && changed() == [1..<4] && queue.currentIndex == 4)
        _ = queue.move(5..<7, to: 1)
        #expect(items() == [1, 6, 7, 3, 4, 2, 5, 8] && changed() == [1..<7] && queue.currentIndex == 6)
        _ = queue.swap(0, 6)
        #expect(items() == [5, 6, 7, 3, 4, 2, 1, 8] && changed() == [0..<1, 6..<7] && queue.currentIndex == 0)
        _ = queue.prioritise(2..<3, 9)
        #expect(changed() == [2..<3])
        // Of a range those alone that had another.
        _ = queue.prioritise(0..<5, 9)
        #expect(changed() == [0..<2, 3..<5])
        let old = version
        _ = queue.remove(7..<8)
        #expect(changed().isEmpty)
        _ = queue.shuffle(2..<5, keepsCurrent: true)
        #expect(changed() == [2..<5] && items().sorted() == [1, 2, 3, 4, 5, 6, 7])
        _ = queue.shuffle(0..<7, keepsCurrent: true)
        #expect(items()[0] == 5 && queue.currentIndex == 0)
        #expect(queue.positionsChanged(since: old) == [0..<7])
        // A change that moves nothing is no edit.
        let own = queue.entries[3].priority
        #expect(queue.move(2..<3, to: 2) == nil && queue.swap(1, 1) == nil && queue.prioritise(3..<4, own) == nil)
        #expect(queue.shuffle(3..<4, keepsCurrent: true) == nil)
        #expect(queue.move(5..<7, to: 6) == nil && queue.move(5..<9, to: 0) == nil)
    }

    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func versionsAreThoseOfEachPlace(seed: UInt64) {
        var dice = SeededGenerator(seed: seed)
        var versions = QueueVersions(version: 1)
        var places = [Int](repeating: 1, count: 300)
        for version in 2..<60 {
            let from = Int.random(in: 0..<300, using: &dice)
            let to = dice.next() % 3 == 0 ? Int.max : Int.random(in: from...300, using: &dice)
            versions.note(version, from..<to)
            for place in from..<min(300, to) { places[place] = version }
            if to == from { continue }
            let count = Int.random(in: 0...300, using: &dice)
            let since = Int.random(in: 0...version, using: &dice)
            let told = versions.changed(since: since, count: count).flatMap { Array($0) }
            #expect(told == (0..<count).filter { places[$0] > since }, "seed \(seed)")
        }
        // A client far behind gets too many changes rather than too few.
        for version in 60..<1000 {
            let from = Int.random(in: 0..<300, using: &dice)
            versions.note(version, from..<from + 1)
            places[from] = version
            let since = Int.random(in: 0...version, using: &dice)
            let told = Set(versions.changed(since: since, count: 300).joined())
            #expect(told.isSuperset(of: (0..<300).filter { places[$0] > since }))
            #expect(versions.changed(since: version - 1, count: 300) == [from..<from + 1])
        }
    }
}
