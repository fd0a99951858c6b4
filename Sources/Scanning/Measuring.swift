// SPDX-License-Identifier: Apache-2.0
import Library
import Media
import Model
import Posix
import Workers

/// Counts the frames of items without their true duration in a tag, one after the other, when there is nothing better to do: those of a
/// scan, and those that a power cut left. Control thread.
final class Measuring {
    /// The seek table of a shorter file is not worth its place: another walk takes no time.
    private static let indexedMilliseconds = 10 * 60 * 1000

    private let library: Library
    private let worker: any Performer
    /// An item's duration became known.
    var didMeasure: (Item.ID) -> Void = { _ in }
    /// The last tried item.
    private var cursor: Item.ID = 0
    /// The item being counted.
    private var current: Item.ID?
    private var job: Job?
    /// Items to count first.
    private var wanted: [Item.ID] = []
    /// Files that cannot be counted, until they change.
    private var failed = SeenItems()
    private var isStopped = false

    init(library: Library, worker: any Performer) {
        self.library = library
        self.worker = worker
    }

    /// Looks from the beginning for items without a duration.
    func begin() {
        cursor = 0
        goOn()
    }

    /// An item is new, or its file another: a count that failed before may succeed now.
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
            // A disk hangs: the next scan begins anew.
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
