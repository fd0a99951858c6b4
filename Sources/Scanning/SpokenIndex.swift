// SPDX-License-Identifier: Apache-2.0
import Library
import Model
import Synchronization
import Workers

/// The control thread's access to the index of spoken words: requests to the worker, which alone uses the file, and their answers. One
/// request is under way at a time. A listener's request goes before the indexing, and interrupts it between two steps.
public final class SpokenIndex {
    private struct Request {
        let priority: Job.Priority
        let step: (SpokenStore) -> Bool
        let finish: (Bool) -> Void
    }

    /// The limit of waiting requests; more would wait only while a disk hangs.
    private static let mostWaiting = 1024

    /// The state of the request under way, which the worker and the control thread share.
    private final class Progress: @unchecked Sendable {
        /// True if a more urgent request waits.
        let shouldYield = Atomic<Bool>(false)
        /// True if the request is done. The worker owns it until its job is answered.
        var isDone = false
    }

    let library: Library
    private let worker: any Performer
    private let store: SpokenStore
    private var waiting: [Request] = []
    private var job: Job?
    private var progress = Progress()
    private var isStopped = false
    private var replacements = 0
    /// Called when the file was deleted because it was damaged.
    var didLose: () -> Void = {}

    public init(_ library: Library, worker: any Performer) {
        self.library = library
        self.worker = worker
        store = SpokenStore(path: library.spokenPath)
    }

    /// Ends all work. No request is answered after it.
    func stop() {
        isStopped = true
        job?.cancel()
        waiting = []
    }

    /// Runs `step` on the worker until it returns true.
    /// - Parameter finish: called on the control thread with true, or with false if too much waits already.
    func ask(
        _ priority: Job.Priority, _ step: @escaping (SpokenStore) -> Bool, finish: @escaping (Bool) -> Void
    ) {
        if isStopped { return }
        if waiting.count >= SpokenIndex.mostWaiting { return finish(false) }
        let place = waiting.firstIndex { priority < $0.priority } ?? waiting.count
        waiting.insert(Request(priority: priority, step: step, finish: finish), at: place)
        if priority == .pressed { progress.shouldYield.store(true, ordering: .relaxed) }
        goOn()
    }

    private func goOn() {
        guard job == nil, !waiting.isEmpty, !isStopped else { return }
        let request = waiting.removeFirst()
        let progress = Progress()
        let store = store
        self.progress = progress
        do throws(Job.Refusal) {
            job = try worker.perform(request.priority, key: "spoken") {
                if request.step(store) {
                    store.releaseMemory()
                    progress.isDone = true
                    return .done
                }
                return request.priority != .pressed && progress.shouldYield.load(ordering: .relaxed) ? .done : .again
            } finish: { [self] outcome in
                job = nil
                didEnd(request, progress.isDone, outcome)
            }
        } catch {
            request.finish(false)
            goOn()
        }
    }

    private func didEnd(_ request: Request, _ isDone: Bool, _ outcome: Job.Outcome) {
        if isStopped { return }
        if outcome == .done && !isDone {
            // It continues behind more urgent requests, before all others of its kind.
            let place = waiting.firstIndex { request.priority <= $0.priority } ?? waiting.count
            waiting.insert(request, at: place)
        } else {
            request.finish(outcome == .done)
        }
        if store.replacements != replacements {
            replacements = store.replacements
            didLose()
        }
        goOn()
    }
}

/// A search for sentences. Control thread; later changes may or may not appear.
public final class SpokenSearch {
    private let index: SpokenIndex
    private let question: SpokenQuestion
    private var row: Int64 = 0
    private var isOver = false

    /// - Parameter text: see `SpokenQuestion`.
    /// - Returns: nil if the text has no word.
    public init?(_ index: SpokenIndex, _ text: String) {
        guard let question = SpokenQuestion(text, index.library) else { return nil }
        self.index = index
        self.question = question
    }

    /// Calls back with the next sentences of present items. A call may bring none although some follow. nil after the last, or if the
    /// worker does not answer.
    public func next(_ limit: Int, _ finish: @escaping ([SpokenHit]?) -> Void) {
        if isOver { return finish(nil) }
        var found: [SpokenStore.Sentence] = []
        var row = self.row
        index.ask(.pressed) { [question] store in
            found = store.next(question, after: &row, limit: limit)
            return true
        } finish: { [self] isAnswered in
            self.row = row
            isOver = !isAnswered || found.count < limit
            finish(isAnswered ? found.compactMap { index.library.hit($0) } : nil)
        }
    }

    /// Calls back with all items that contain the words, once.
    public func items(_ finish: @escaping (ItemSet) -> Void) {
        var found: [SpokenStore.Owner] = []
        var row = self.row
        index.ask(.pressed) { [question] store in
            let next = store.nextOwners(question, after: &row)
            found += next
            return next.isEmpty
        } finish: { [index] _ in
            var items = ItemSet()
            for owner in found where index.library.knows(owner) { items.insert(owner.id) }
            finish(items)
        }
    }
}
