// SPDX-License-Identifier: Apache-2.0
import Library
import Media
import Model
import Posix
import Workers

/// Counts the frames of items without their true duration in a tag, one after the other, at the lowest priority: those of a scan, and those
/// that a power cut left. Control thread.
final class Measuring {
    /// The shortest file with a saved seek table: another walk of a shorter one takes no time.
    private static let indexedMilliseconds = 10 * 60 * 1000

    private let library: Library
    private let worker: any Performer
    /// Called when an item's duration has become known.
    var didMeasure: (Item.ID) -> Void = { _ in }
    /// The last item tried.
    private var cursor: Item.ID = 0
    /// The item being counted.
    private var current: Item.ID?
    private var job: Job?
    /// The items to count first.
    private var wanted: [Item.ID] = []
    /// The items that cannot be counted, until their files change.
    private var failed = SeenItems()
    private var isStopped = false

    init(library: Library, worker: any Performer) {
        self.library = library
        self.worker = worker
    }

    /// Starts again from the first item without a duration.
    func begin() {
        cursor = 0
        goOn()
    }

    /// Notes that an item or its file is new: a failed count may succeed now.
    func fileDidChange(_ id: Item.ID) { failed.remove(id) }

    /// Counts an item before all others.
    func measure(_ id: Item.ID) {
        if current == id || wanted.contains(id) { return }
        wanted.append(id)
        goOn()
    }

    func stop() {
        isStopped = true
        job?.cancel()
    }

    private func goOn() {
        guard current == nil, !isStopped, let item = next() else { return }
        current = item.id
        let walk = SeekTableWalk(path: item.path)
        do throws(Job.Refusal) {
            job = try worker.perform(.background, key: "measure") {
                walk.step() ? .done : .again
            } finish: { [self] outcome in
                current = nil
                job = nil
                if outcome == .done { take(walk.result, of: item.id) }
                goOn()
            }
        } catch {
            // A disk hangs: the next scan starts again.
            current = nil
        }
    }

    private func next() -> Item? {
        while !wanted.isEmpty {
            if let item = library.item(wanted.removeFirst()), item.durationMilliseconds == nil { return item }
        }
        while let id = library.itemsWithoutDuration(after: cursor, limit: 1).first {
            cursor = id
            if !failed.contains(id), let item = library.item(id) { return item }
        }
        return nil
    }

    private func take(_ table: SeekTable?, of id: Item.ID) {
        guard let table else {
            failed.insert(id)
            return
        }
        if table.durationMilliseconds >= Measuring.indexedMilliseconds {
            library.saveSeekTable(id, table.bytes, durationMilliseconds: table.durationMilliseconds)
        } else {
            library.saveDuration(id, milliseconds: table.durationMilliseconds)
        }
        didMeasure(id)
    }
}
