// SPDX-License-Identifier: Apache-2.0
import Core
import Model

extension Library {
    /// Notes that items came, went or changed.
    func itemsDidChange() {
        memory.itemChanges += 1
        memory.counts = nil
    }
}

/// Counts the library's items, in portions, once after each change of the library.
public final class Counting {
    private enum Stage {
        case items(ItemCursor?)
        case artists(ValueCursor?)
        case albums(ValueCursor?)
        case done
    }

    private let library: Library
    private let changesAtStart: Int
    private var counts = LibraryStatistics()
    private var stage = Stage.items(nil)

    public init(_ library: Library) {
        self.library = library
        changesAtStart = library.memory.itemChanges
        guard let known = library.memory.counts else { return }
        counts = known
        stage = .done
    }

    /// Counts the next portion.
    /// - Returns: the sums at the end; nil before it. The sums may or may not include changes made meanwhile.
    public func next() -> LibraryStatistics? {
        switch stage {
        case .items(let cursor):
            let page = library.count(ItemQuery(), after: cursor)
            counts.items += page.items
            counts.durationMilliseconds += page.durationMilliseconds
            stage = page.next.map { .items($0) } ?? .artists(nil)
        case .artists(let cursor):
            let page = library.values(of: .tag(.artist), after: cursor)
            counts.artists += page.texts
            stage = page.next.map { .artists($0) } ?? .albums(nil)
        case .albums(let cursor):
            let page = library.values(of: .tag(.album), after: cursor)
            counts.albums += page.texts
            stage = page.next.map { .albums($0) } ?? .done
        case .done: break
        }
        guard case .done = stage else { return nil }
        // A failed read leaves the sums unknown.
        if library.memory.itemChanges == changesAtStart && library.trouble == nil { library.memory.counts = counts }
        return counts
    }
}

extension ValuePage {
    /// The number of texts, without the empty one.
    fileprivate var texts: Int { rows.count { row in row.contains { !$0.isEmpty } } }
}
