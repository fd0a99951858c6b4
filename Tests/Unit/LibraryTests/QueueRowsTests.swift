// SPDX-License-Identifier: Apache-2.0
import Foundation
import Model
import TestSupport
import Testing

@testable import Library

/// The queue's rows: the writes of an edit, and their order.
@Suite struct QueueRowsTests {
    private let folder = TemporaryFolder()
    private let warnings = Warnings()

    private func library(items: Int) -> Library {
        let library = Library(folder, warnings)
        library.batch { for number in 1...items { library.upsert(probe(number)) } }
        library.settle()
        return library
    }

    @Test(arguments: 0..<4)
    func anyEditsComeBack(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let library = library(items: 50)
        var queue: [QueueEntry] = []
        var nextSongID = 1
        func entries(_ count: Int) -> [QueueEntry] {
            (0..<count).map { _ in
                defer { nextSongID += 1 }
                return QueueEntry(songID: nextSongID, itemID: Int64.random(in: 1...50, using: &random))
            }
        }
        for round in 0..<600 {
            switch Int.random(in: 0...20, using: &random) {
            case 0 where round % 5 == 0:
                queue = entries(Int.random(in: 0...100, using: &random))
                library.saveQueue(.replace(queue))
            case 1...4 where !queue.isEmpty:
                let first = Int.random(in: queue.indices, using: &random)
                let last = min(queue.count - 1, first + Int.random(in: 0...5, using: &random))
                library.saveQueue(.remove(first: queue[first].songID, last: queue[last].songID))
                queue.removeSubrange(first...last)
            case 5...7:
                let added = entries(Int.random(in: 1...40, using: &random))
                library.saveQueue(.insert(added, after: queue.last?.songID))
                queue += added
            case 8...10 where !queue.isEmpty:
                // Neighbours in another order, and perhaps at another place.
                let first = Int.random(in: queue.indices, using: &random)
                let last = min(queue.count - 1, first + Int.random(in: 0...5, using: &random))
                let moved = queue[first...last].shuffled(using: &random)
                let (from, to) = (queue[first].songID, queue[last].songID)
                queue.removeSubrange(first...last)
                let place = Int.random(in: 0...queue.count, using: &random)
                library.saveQueue(
                    .reorder(moved, first: from, last: to, after: place == 0 ? nil : queue[place - 1].songID))
                queue.insert(contentsOf: moved, at: place)
            case 11 where queue.count > 1:
                let one = Int.random(in: queue.indices, using: &random)
                let other = Int.random(in: queue.indices, using: &random)
                library.saveQueue(.swap(queue[one], queue[other]))
                queue.swapAt(one, other)
            case 12 where !queue.isEmpty:
                let index = Int.random(in: queue.indices, using: &random)
                let last = min(queue.count - 1, index + Int.random(in: 0...5, using: &random))
                let priority = UInt8.random(in: 0...255, using: &random)
                for index in index...last { queue[index].priority = priority }
                library.saveQueue(
                    .prioritise(first: queue[index].songID, last: queue[last].songID, priority))
            default:
                let added = entries(Int.random(in: 1...3, using: &random))
                // Often at one place, where no room is left after a while.
                let place =
                    Bool.random(using: &random) ? min(5, queue.count) : Int.random(in: 0...queue.count, using: &random)
                library.saveQueue(.insert(added, after: place == 0 ? nil : queue[place - 1].songID))
                queue.insert(contentsOf: added, at: place)
            }
            #expect(library.restoredQueue() == queue, "seed \(seed) round \(round)")
        }
        library.close()
        #expect(Library(folder, warnings).restoredQueue() == queue)
        #expect(warnings.all.isEmpty)
    }

    /// The cost of an edit does not depend on the queue's length.
    @Test func anEditWritesWhatWasEdited() throws {
        let library = library(items: 100)
        let queue = (1...16_000).map { QueueEntry(songID: $0, itemID: Int64($0 % 100 + 1)) }
        library.saveQueue(.replace(queue))
        library.settle()
        let record = FaultyFile.record(library)
        func bytes(_ change: QueueEdit) -> Int {
            let before = record.bytesWritten
            library.saveQueue(change)
            return record.bytesWritten - before
        }
        var next = 20_000
        func entry() -> [QueueEntry] {
            next += 1
            return [QueueEntry(songID: next, itemID: 5)]
        }
        var most = 0
        var sum = 0
        for round in 0..<2000 {
            let written =
                switch round % 4 {
                case 0: bytes(.insert(entry(), after: 8000))
                case 1: bytes(.insert(entry(), after: next))
                case 2: bytes(.insert(entry(), after: 16_000))
                default: bytes(.remove(first: round, last: round))
                }
            most = max(most, written)
            sum += written
        }
        #expect(sum / 2000 < 6000)
        #expect(most < 100_000)
        #expect(bytes(.remove(first: 9000, last: 9000)) < 6000)
        #expect(record.controlSyncs == 0)
        // 3,600 edits once left a log of 1.63 GB.
        library.close()
        #expect(Library(folder).restoredQueue().count == 16_000 + 1500 - 501)
    }

    @Test func aQueueThatIsTheLibraryTakesNoRows() throws {
        let library = library(items: 10)
        library.saveQueue(.replace([QueueEntry(songID: 1, itemID: 1)]))
        #expect(library.restoredQueue().count == 1)
        library.saveQueue(.followLibrary)
        #expect(library.restoredQueue().isEmpty)
        let record = FaultyFile.record(library)
        library.saveQueue(.followLibrary)
        #expect(record.writes == 0)
    }

    /// An edit that could not be written is made good with the whole queue, as soon as anything can be.
    @Test func anEditThatFailedIsMadeGood() throws {
        let library = library(items: 10)
        var queue = (1...5).map { QueueEntry(songID: $0, itemID: Int64($0)) }
        library.wholeQueue = { queue }
        library.saveQueue(.replace(queue))
        let record = FaultyFile.record(library)
        record.writeResult = 13  // SQLITE_FULL
        for number in 6...9 {
            let entry = QueueEntry(songID: number, itemID: 1)
            library.saveQueue(.insert([entry], after: queue.last?.songID))
            queue.append(entry)
        }
        record.writeResult = 0
        library.savePosition(1, milliseconds: 1)
        #expect(library.restoredQueue() == queue)
        #expect(warnings.all.count == 1)
    }
}
