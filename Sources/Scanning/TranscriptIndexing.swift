// SPDX-License-Identifier: Apache-2.0
import Library
import Model
import Posix
import Transcript
import Workers

/// Keeps the index of spoken words in step with the transcripts: it walks through the items after each scan, and adds those with a changed
/// transcript. Control thread; the worker reads the files and writes the index.
final class TranscriptIndexing {
    /// The delay after a scan, or after a transcript was fetched, which is first played and shown.
    var startMilliseconds = 1000

    /// The number of items that a turn of the loop asks the library for.
    private static let itemsInPortion = 32
    /// The limit of waiting fetched transcripts. Each keeps a file open; others come again with the next refresh of their podcast.
    private static let mostFetched = 32

    private let index: SpokenIndex
    private let loop: EventLoop
    private let made: MadeWords?
    private var timer: EventLoop.TimerToken?
    /// The number of the walk, counted up when one starts or ends early: answers to an earlier one are ignored.
    private var walk = 0
    private var isWalking = false
    /// The items with a fetched transcript to add.
    private var fetched: [Item.ID] = []

    /// Called when a walk has come to its end.
    var didEnd: () -> Void = {}

    /// True if the index has everything from the last scan.
    var isIdle: Bool { !isWalking && fetched.isEmpty }

    /// - Parameter made: the folder of the speaker's own transcripts; nil for none.
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

    /// Ends the walk early, since a scan begins and goes first.
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

    /// Adds the fetched transcript of an item, unless the index has it.
    /// - Parameter name: a name that differs for another transcript.
    func take(_ reader: FetchedTranscript, of id: Item.ID, name: String) {
        guard fetched.count < TranscriptIndexing.mostFetched, !fetched.contains(id),
            let item = index.library.spokenState(id)
        else { return }
        fetched.append(id)
        let taking = SpokenTaking(item, stamp: TranscriptStamps.stamp(fetched: name), reader)
        // The transcript is shown first.
        loop.schedule(at: .now.adding(milliseconds: startMilliseconds)) { [self] in
            index.ask(.background, taking.step) { [self] _ in fetched.removeAll { $0 == id } }
        }
    }

    /// Runs a part of the walk on the worker.
    /// - Parameter then: called if the walk continues.
    private func ask(_ walk: Int, _ step: @escaping (SpokenStore) -> Bool, then: @escaping () -> Void) {
        index.ask(.background, step) { [self] isAnswered in
            guard walk == self.walk else { return }
            // If the worker accepts no more, the next scan starts again.
            if isAnswered { then() } else { isWalking = false }
        }
    }

    /// Adds the items of the next page with a changed transcript, then continues with the page after it.
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

    /// Removes items behind `id` that the library has forgotten.
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

    /// Frees the memory of the walk.
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
