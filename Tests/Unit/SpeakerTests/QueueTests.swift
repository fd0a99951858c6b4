// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Scanning
import TestSupport
import Testing

@testable import Speaker
@testable import SpeakerBench

@Suite("Queue") struct QueueTests {
    private func songs(_ queue: Queue) -> [Int] { queue.entries.map(\.songID) }
    private func items(_ queue: Queue) -> [ItemID] { queue.entries.map(\.itemID) }

    @Test func everyEditCountsTheVersionUp() throws {
        var did: Bool
        var queue = Queue(followsScans: true)
        var version = queue.version
        func isNewer() -> Bool {
            defer { version = queue.version }
            return queue.version > version
        }
        did = queue.arrive([
            Arrival(id: 10, place: .first), Arrival(id: 11, place: .behind(10)), Arrival(id: 12, place: .behind(11)),
        ])
        #expect(did)
        #expect(isNewer())
        _ = try queue.insert([10, 11])
        #expect(isNewer())
        _ = queue.remove(0..<2)
        #expect(isNewer())
        _ = queue.follow([10, 11, 12])
        #expect(isNewer())
        did = queue.lose([11])
        #expect(did)
        #expect(isNewer())
        // A change without an effect changes nothing.
        did = queue.lose([11])
        #expect(!did)
        did = queue.arrive([Arrival(id: 10, place: .first)])
        #expect(!did)
        let nothing = try queue.insert([])
        #expect(nothing == nil)
        let none = queue.remove(7..<9)
        #expect(none == nil)
        queue.setCurrent(0)
        #expect(!isNewer())
    }

    @Test func theCurrentEntryIsKeptByEditsAroundIt() throws {
        var queue = Queue()
        _ = try queue.insert([1, 2, 3, 4])
        queue.setCurrent(2)
        let id = queue.current?.songID
        _ = try queue.insert([8, 9], at: 0)
        #expect(queue.currentIndex == 4 && queue.current?.songID == id)
        _ = queue.remove(0..<3)
        #expect(queue.currentIndex == 1 && queue.current?.songID == id)
        _ = queue.remove(2..<3)
        #expect(queue.currentIndex == 1 && queue.current?.songID == id)
        _ = queue.remove(1..<2)
        #expect(queue.currentIndex == nil)
        #expect(items(queue) == [2])
    }

    @Test func songIDsAreNeverUsedTwice() throws {
        var queue = Queue()
        _ = try queue.insert([1, 1, 1])
        _ = queue.remove(0..<3)
        _ = try queue.insert([1])
        #expect(songs(queue) == [4])
        queue = Queue(entries: [.init(songID: 9, itemID: 1)], currentSongID: 9, nextSongID: 3, followsScans: false)
        _ = try queue.insert([1])
        #expect(songs(queue) == [9, 10])
    }

    @Test func anEditSaysWhatItChanged() throws {
        var queue = Queue()
        let inserted = try queue.insert([5, 6])
        let first = try #require(inserted)
        #expect(first.edit == .insert([.init(songID: 1, itemID: 5), .init(songID: 2, itemID: 6)], after: nil))
        #expect(first.firstSongID == 1)
        let put = try queue.insert([7], at: 1)
        let second = try #require(put)
        #expect(second.edit == .insert([.init(songID: 3, itemID: 7)], after: 1))
        let removed = queue.remove(1..<3)
        #expect(removed == .remove(first: 3, last: 2))
        // Beyond the end is the end.
        let added = try queue.insert([8], at: 1_000_000)
        let last = try #require(added)
        #expect(last.edit == .insert([.init(songID: 4, itemID: 8)], after: 1))
    }

    private func refusal(of queue: inout Queue) -> QueueFull? {
        do throws(QueueFull) { _ = try queue.insert([1]) } catch { return error }
        return nil
    }

    @Test func thereIsABound() throws {
        var queue = Queue()
        _ = try queue.insert([ItemID](repeating: 1, count: Queue.usualLimit - 1))
        _ = try queue.insert([1])
        let version = queue.version
        let queueRefusal = refusal(of: &queue)
        #expect(queueRefusal == QueueFull(limit: Queue.usualLimit))
        #expect(queue.count == Queue.usualLimit && queue.version == version)
        // A library that is larger is its own bound.
        var library = Queue(followsScans: true)
        _ = library.follow(Array(1...20_000))
        #expect(library.count == 20_000)
        let libraryRefusal = refusal(of: &library)
        #expect(libraryRefusal == QueueFull(limit: 20_000))
        #expect(library.followsScans)
    }

    @Test func arrivalsTakeTheirPlaces() {
        var did: Bool
        var queue = Queue(followsScans: true)
        did = queue.arrive([Arrival(id: 20, place: .first), Arrival(id: 30, place: .behind(20))])
        #expect(did)
        did = queue.arrive([Arrival(id: 10, place: .first)])
        #expect(did)
        #expect(items(queue) == [10, 20, 30])
        queue.setCurrent(1)
        did = queue.arrive([
            Arrival(id: 15, place: .behind(10)), Arrival(id: 25, place: .behind(20)),
            Arrival(id: 40, place: .behind(30)),
        ])
        #expect(did)
        #expect(items(queue) == [10, 15, 20, 25, 30, 40])
        #expect(queue.current?.itemID == 20)
        // Behind an unknown item: at the end.
        did = queue.arrive([Arrival(id: 50, place: .behind(77))])
        #expect(did)
        #expect(items(queue).last == 50)
    }

    @Test func whatIsAwayLeavesButTheCurrentStays() {
        var did: Bool
        var queue = Queue(followsScans: true)
        _ = queue.follow([1, 2, 3, 4])
        queue.setCurrent(1)
        did = queue.lose([2, 3])
        #expect(did)
        #expect(items(queue) == [1, 2, 4])
        #expect(queue.automaticIndex(after: 1) == 2)
        let version = queue.version
        // It leaves with the next that is current.
        let left = queue.setCurrent(2)
        #expect(!left.isEmpty)
        #expect(items(queue) == [1, 4])
        #expect(queue.current?.itemID == 4)
        #expect(queue.version > version)
    }

    @Test func whatComesBackStays() {
        var did: Bool
        var queue = Queue(followsScans: true)
        _ = queue.follow([1, 2, 3])
        queue.setCurrent(1)
        _ = queue.lose([2])
        did = queue.arrive([Arrival(id: 2, place: .behind(1))])
        #expect(!did)
        let left = queue.setCurrent(2)
        #expect(left.isEmpty)
        #expect(items(queue) == [1, 2, 3])
    }

    @Test func anEditEndsFollowing() throws {
        var did: Bool
        var queue = Queue(followsScans: true)
        _ = queue.follow([1, 2])
        _ = try queue.insert([1])
        #expect(!queue.followsScans)
        did = queue.arrive([Arrival(id: 9, place: .first)])
        #expect(!did)
        did = queue.lose([1, 2])
        #expect(!did)
        #expect(items(queue) == [1, 2, 1])
        // And to become the library again keeps the ids of what stays.
        _ = queue.follow([2, 5])
        #expect(queue.followsScans)
        #expect(queue.entries == [.init(songID: 2, itemID: 2), .init(songID: 4, itemID: 5)])
    }

    private func edit(_ queue: inout Queue, _ dice: inout SeededGenerator) throws {
        let at = Int.random(in: 0...max(1, queue.count), using: &dice)
        let to = Int.random(in: at...at + 3, using: &dice)
        let item = ItemID.random(in: 1...20, using: &dice)
        switch Int.random(in: 0..<11, using: &dice) {
        case 0: _ = try queue.insert([item, item + 1], at: at)
        case 1: _ = queue.remove(at..<to)
        case 2: if at < queue.count { queue.setCurrent(at) }
        case 3: _ = queue.arrive([Arrival(id: item, place: .first), Arrival(id: item + 1, place: .behind(item))])
        case 4: _ = queue.lose([item])
        case 5: _ = queue.move(at..<to, to: Int.random(in: 0...max(1, queue.count), using: &dice))
        case 6: if at < queue.count { _ = queue.swap(at, Int.random(in: 0..<queue.count, using: &dice)) }
        case 7: _ = queue.shuffle(at..<to, keepsCurrent: dice.next() % 2 == 0)
        case 8:
            if at < queue.count {
                _ = queue.prioritise(at..<min(to, queue.count), UInt8(truncatingIfNeeded: dice.next() % 4))
            }
        case 9:
            var modes = queue.modes
            modes.isRandom = dice.next() % 2 == 0
            modes.repeats = dice.next() % 2 == 0
            _ = queue.set(modes)
        default: if dice.next() % 8 == 0 { _ = queue.follow(Array(1...item)) }
        }
    }

    // MARK: What changed since a version

    /// A client that knows an earlier queue, and looks now and then.
    private struct Follower {
        var version: Int
        var entries: [QueueEntry]

        init(_ queue: Queue) {
            version = queue.version
            entries = queue.entries
        }

        /// Takes in what changed, and how many there are.
        mutating func follow(_ queue: Queue) {
            let ranges = queue.positionsChanged(since: version)
            entries = Array(entries.prefix(queue.count))
            for position in ranges.joined() {
                if position < entries.count {
                    entries[position] = queue.entries[position]
                } else {
                    entries.append(queue.entries[position])
                }
            }
            version = queue.version
        }
    }

    @Test(arguments: 1...60 as ClosedRange<UInt64>)
    func whoFollowsTheVersionHasTheQueue(seed: UInt64) throws {
        var dice = SeededGenerator(seed: seed)
        var queue = Queue(followsScans: dice.next() % 2 == 0)
        var followers = (0..<3).map { _ in Follower(queue) }
        for step in 0..<400 {
            try edit(&queue, &dice)
            // One looks often, the last hardly ever.
            for index in followers.indices where dice.next() % [2, 20, 150][index] == 0 {
                followers[index].follow(queue)
                #expect(followers[index].entries == queue.entries, "seed \(seed), step \(step)")
                #expect(queue.positionsChanged(since: queue.version).isEmpty)
            }
        }
    }

    @Test func whatIsPutAtTheEndOfALongQueueIsToldAlone() throws {
        var queue = Queue()
        _ = try queue.insert(Array(1...16_000))
        let version = queue.version
        _ = try queue.insert([1])
        #expect(queue.positionsChanged(since: version) == [16_000..<16_001])
        _ = queue.remove(9000..<9001)
        #expect(queue.positionsChanged(since: version) == [9000..<16_000])
        #expect(queue.positionsChanged(since: version + 1) == [9000..<16_000])
        // A client without a version, or with one from before a restart, gets everything.
        #expect(queue.positionsChanged(since: 0) == [0..<16_000])
        #expect(queue.positionsChanged(since: queue.version + 5) == [0..<16_000])
    }

    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func anyEditsKeepTheCurrentEntry(seed: UInt64) throws {
        var dice = SeededGenerator(seed: seed)
        var queue = Queue(followsScans: dice.next() % 2 == 0)
        for _ in 0..<300 {
            let before = queue
            try edit(&queue, &dice)
            #expect(Set(queue.entries.map(\.songID)).count == queue.count, "seed \(seed)")
            #expect(queue.entries.allSatisfy { $0.songID < queue.nextSongID }, "seed \(seed)")
            if let index = queue.currentIndex { #expect(queue.entries.indices.contains(index), "seed \(seed)") }
            #expect(queue.entries == before.entries || queue.version > before.version, "seed \(seed)")
            // After any edits, each entry has its turn.
            let turns = (0..<queue.count).map { queue.order.position(ofTurn: $0) }
            #expect(turns.sorted() == Array(0..<queue.count), "seed \(seed)")
        }
    }
}
