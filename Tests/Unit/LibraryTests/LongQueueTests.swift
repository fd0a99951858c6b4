// SPDX-License-Identifier: Apache-2.0
import Model
import SQLite
import TestSupport
import Testing

@testable import Library

/// A queue of more entries than one turn of the loop has time to write.
@Suite struct LongQueueTests {
    private let folder = TemporaryFolder()
    private let count = 5000

    private final class Speaker {
        let library: Library
        var queue: [QueueEntry]
        var state = SpeakerState(queueIsLibrary: true)

        init(_ folder: TemporaryFolder, count: Int) {
            library = Library(folder)
            let library = library
            library.batch { for number in 1...20 { library.upsert(probe(number)) } }
            queue = (1...count).map { QueueEntry(songID: $0, itemID: Int64($0 % 20 + 1)) }
            library.wholeQueue = { [unowned self] in state.queueIsLibrary ? nil : queue }
            library.save(state)
            library.settle()
        }

        func edit(_ change: QueueEdit) {
            state.queueIsLibrary = false
            library.batch {
                library.saveQueue(change)
                library.save(state)
            }
        }

        /// The queue on the disk, as if the power failed now; nil for the library.
        var saved: [QueueEntry]? {
            let row = library.read(else: nil) { (database) throws(SQLiteError) in try SpeakerRow.read(database) }
            return row?.queueIsLibrary != false ? nil : library.restoredQueue()
        }

        /// Writes all, and looks at what the disk has in between.
        func write(_ look: ([QueueEntry]?) -> Void) -> Int {
            var turns = 0
            var before = library.database.totalChanges
            while library.saveMoreOfQueue() {
                turns += 1
                // A row that is put for another counts once.
                #expect(library.database.totalChanges - before <= 2 * QueueRows.mostAtOnce + 1)
                look(saved)
                before = library.database.totalChanges
            }
            return turns
        }
    }

    @Test func theFirstEditIsTheLibraryUntilAllIsWritten() {
        let speaker = Speaker(folder, count: count)
        let before = speaker.library.database.totalChanges
        speaker.edit(.replace(speaker.queue))
        #expect(speaker.library.database.totalChanges - before <= QueueRows.mostAtOnce)
        var wasWhole = false
        let turns = speaker.write { saved in
            if let saved {
                #expect(saved == speaker.queue)
                wasWhole = true
            } else {
                #expect(!wasWhole)
            }
        }
        #expect(turns >= count / QueueRows.mostAtOnce && speaker.saved == speaker.queue)
        speaker.library.close()
        let again = Library(folder)
        #expect(again.restoredQueue() == speaker.queue && again.restoredState?.queueIsLibrary == false)
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func aLongEditLosesNoEntryWheneverThePowerGoes(seed: UInt64) {
        var dice = SeededGenerator(seed: seed)
        let speaker = Speaker(folder, count: count)
        speaker.edit(.replace(speaker.queue))
        speaker.library.settle()
        for _ in 0..<3 {
            let songs = speaker.queue.map(\.songID).sorted()
            switch Int.random(in: 0..<3, using: &dice) {
            case 0:
                let (first, last) = (speaker.queue.first!.songID, speaker.queue.last!.songID)
                speaker.queue.shuffle(using: &dice)
                speaker.edit(.reorder(speaker.queue, first: first, last: last, after: nil))
            case 1:
                let (first, last) = (speaker.queue[3].songID, speaker.queue[4000].songID)
                let priority = UInt8(dice.next() % 256)
                for index in 3...4000 { speaker.queue[index].priority = priority }
                speaker.edit(.prioritise(first: first, last: last, priority))
            default:
                let new = (10_000..<12_000).map { QueueEntry(songID: $0, itemID: 1) }
                if songs.last! >= 10_000 { break }
                speaker.queue.insert(contentsOf: new, at: 100)
                speaker.edit(.insert(new, after: speaker.queue[99].songID))
            }
            var looks = 0
            _ = speaker.write { saved in
                let there = Set((saved ?? []).map(\.songID))
                #expect(there.isSuperset(of: songs), "seed \(seed)")
                looks += 1
                // A person edits meanwhile: at the end, and before the part that is already written.
                if looks == 2 {
                    let new = QueueEntry(songID: 20_000 + songs.count + Int(dice.next() % 1000), itemID: 2)
                    let last = speaker.queue.last!.songID
                    speaker.queue.append(new)
                    speaker.edit(.insert([new], after: last))
                } else if looks == 3 {
                    speaker.queue.append(speaker.queue.remove(at: 5))
                    let moved = speaker.queue.last!
                    speaker.edit(
                        .reorder(
                            [moved], first: moved.songID, last: moved.songID,
                            after: speaker.queue[speaker.queue.count - 2].songID))
                }
            }
            #expect(speaker.saved == speaker.queue, "seed \(seed)")
        }
        // Most of it goes, and then all.
        let gone = speaker.queue[10..<speaker.queue.count - 1]
        speaker.queue.removeSubrange(10..<speaker.queue.count - 1)
        speaker.edit(.remove(first: gone.first!.songID, last: gone.last!.songID))
        _ = speaker.write { _ in }
        #expect(speaker.saved == speaker.queue, "seed \(seed)")
        speaker.library.close()
        #expect(Library(folder).restoredQueue() == speaker.queue)
    }

    /// The end of the program, and the library once more before all is written.
    @Test func whatIsLeftIsWrittenAtTheEnd() {
        let speaker = Speaker(folder, count: count)
        speaker.edit(.replace(speaker.queue))
        _ = speaker.library.saveMoreOfQueue()
        speaker.state.queueIsLibrary = true
        speaker.library.saveQueue(.followLibrary)
        speaker.library.save(speaker.state)
        #expect(!speaker.library.saveMoreOfQueue() && speaker.saved == nil && speaker.library.restoredQueue().isEmpty)
        speaker.edit(.replace(speaker.queue))
        _ = speaker.library.saveMoreOfQueue()
        speaker.library.close()
        let again = Library(folder)
        #expect(again.restoredQueue() == speaker.queue && again.restoredState?.queueIsLibrary == false)
    }
}
