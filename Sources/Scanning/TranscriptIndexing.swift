// SPDX-License-Identifier: Apache-2.0
import Library
import Model
import Posix
import Transcript
import Workers

/// Keeps the index of what is said in step with the transcripts: it walks through the items after each scan, and adds those with a changed
/// transcript. Control thread; the worker reads the files and writes the index.
final class TranscriptIndexing {
    /// From the end of a scan, or from when a transcript was fetched: it plays first, and is shown.
    var startMilliseconds = 1000

    /// The number of items that a turn of the loop asks the library for: 34,000 instructions each.
    private static let itemsInPortion = 32
    /// Each holds a file open until it is its turn; more come again when their podcast is asked for the next time.
    private static let mostFetched = 32

    private let index: SpokenIndex
    private let loop: EventLoop
    private let made: MadeWords?
    private var timer: EventLoop.TimerToken?
    /// Counted up when a walk begins or is given up: answers to an earlier one are ignored.
    private var walk = 0
    private var isWalking = false
    /// Items with a fetched transcript to add.
    private var fetched: [Item.ID] = []

    /// Called when a walk has come to its end.
    var didEnd: () -> Void = {}

    /// True if the index has all that there was after the last scan.
    var isIdle: Bool { !isWalking && fetched.isEmpty }

    /// - Parameter made: the folder of the speaker's own transcripts; nil for nowhere.
    init(_ index: SpokenIndex, loop: EventLoop, made: MadeWords?) {
        self.index = index
        self.loop = loop
        self.made = made
        index.didLose = { [self] in begin() }
    }

    /// Walks through all items from the first, after a pause.
    func begin() {
        pause()
        isWalking = true
        timer = loop.schedule(at: .now.adding(milliseconds: startMilliseconds)) { [self] in
            timer = nil
            look(after: nil, walk)
        }
    }

    /// Gives up the walk: a scan begins, and goes first.
    func pause() {
        walk &+= 1
        isWalking = false
        if let timer { loop.cancel(timer) }
        timer = nil
    }

    func stop() {
        pause()
        index.stop()
    }

    /// Adds a transcript that was fetched for an item, unless the index has it.
    /// - Parameter name: another one where it is another transcript.
    func take(_ reader: FetchedTranscript, of id: Item.ID, name: String) {
        guard fetched.count < TranscriptIndexing.mostFetched, !fetched.contains(id),
            let item = index.library.spokenState(id)
        else { return }
        fetched.append(id)
        let taking = SpokenTaking(item, stamp: TranscriptStamps.stamp(fetched: name), reader)
        // It is shown first.
        loop.schedule(at: .now.adding(milliseconds: startMilliseconds)) { [self] in
            index.ask(.background, taking.step) { [self] _ in fetched.removeAll { $0 == id } }
        }
    }

    /// Asks the worker for a part of the walk.
    /// - Parameter then: called if the walk goes on.
    private func ask(_ walk: Int, _ step: @escaping (SpokenStore) -> Bool, then: @escaping () -> Void) {
        index.ask(.background, step) { [self] isAnswered in
            guard walk == self.walk else { return }
            // If the worker takes nothing more, the next scan begins anew.
            if isAnswered { then() } else { isWalking = false }
        }
    }

    /// Adds the items of the next page with a changed transcript, then goes on with the page after it.
    private func look(after cursor: Library.PresentCursor?, _ walk: Int) {
        let page = index.library.spokenStates(after: cursor, limit: TranscriptIndexing.itemsInPortion)
        let stamps = TranscriptStamps(made)
        var due: [SpokenTaking] = []
        var next = 0
        ask(walk) { [made] store in
            if cursor == nil && next == 0 { store.isFull = false }
            guard next < page.items.count else { return true }
            let item = page.items[next]
            next += 1
            if let stamp = stamps.stamp(of: item), stamp != store.stamp(of: item.owner) {
                due.append(SpokenTaking(item, stamp: stamp, made: made))
            }
            return false
        } then: { [self] in
            for taking in due { index.ask(.background, taking.step) { _ in } }
            if let next = page.next { look(after: next, walk) } else { remove(after: 0, walk) }
        }
    }

    /// Removes what the library has forgotten, of the items behind `id`.
    private func remove(after id: Item.ID, _ walk: Int) {
        var owners: [SpokenStore.Owner] = []
        ask(walk) { store in
            owners = store.owners(after: id, limit: TranscriptIndexing.itemsInPortion)
            return true
        } then: { [self] in
            for owner in owners where !index.library.knows(owner) {
                index.ask(.background) { store in
                    !store.remove(owner.id)
                } finish: { _ in
                }
            }
            guard owners.count == TranscriptIndexing.itemsInPortion, let last = owners.last else { return end(walk) }
            remove(after: last.id, walk)
        }
    }

    /// Gives back the memory that the walk took.
    private func end(_ walk: Int) {
        ask(walk) { store in
            store.close()
            return true
        } then: { [self] in
            isWalking = false
            index.library.releaseMemory()
            didEnd()
        }
    }
}
