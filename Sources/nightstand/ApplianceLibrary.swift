import Core
import Library
import Playback
import Posix
import Scanning

/// Keeping the queue in step with what the library knows.
extension Appliance: LibraryListener {
    func scanDidBegin() { didChange(.scan) }

    func scanDidProgress() { if queue.isEmpty { didChange([]) } }

    func scanDidEnd(foundAny: Bool) {
        if case .paths = source {
            if currentSongID == nil, let first = startingEntry() { go(to: first, play: true) }
            if queue.isEmpty { didEnd() }
        }
        saveState()
        didChange(.scan)
    }

    func libraryDidGain(_ arrivals: [Arrival]) {
        switch source {
        case .library:
            didChange(.library)
            // A queue that nobody has changed is the library in its order, whatever is added to it.
            guard queueIsLibrary else { return }
            editQueue { $0 = placing(arrivals, in: $0) }
            if currentSongID == nil, currentItem == nil, let first = queue.first, let item = library.item(first.itemID)
            {
                // Ready for the first press.
                currentSongID = first.songID
                prepare(item)
            }
        case .paths:
            editQueue { queue in
                for arrival in arrivals { queue.append(entry(for: arrival.id)) }
            }
            if currentSongID == nil, !waitsForLast, let first = startingEntry() { go(to: first, play: true) }
        }
    }

    func libraryDidLose(_ ids: [Item.ID]) {
        didChange(.library)
        guard queueIsLibrary else { return }
        let lost = Set(ids)
        editQueue { $0.removeAll { lost.contains($0.itemID) } }
    }

    func libraryDidChange(_ ids: [Item.ID]) {
        if let current = currentItem, ids.contains(current.id) { refreshItem() }
        didChange(.library)
    }

    /// What follows is got ready anew only where it is another.
    private func editQueue(_ edit: (inout [QueueEntry]) -> Void) {
        let before = following
        var edited = queue
        edit(&edited)
        if edited == queue { return }
        queue = edited
        if !queueIsLibrary { library.saveQueue(.replace(queue)) }
        if following != before { player.followingDidChange() }
        didChange(.queue)
    }

    private var following: QueueEntry? {
        guard let index = currentIndex, index + 1 < queue.count else { return nil }
        return queue[index + 1]
    }

    /// The queue with what has arrived at its places: one pass, or none where all comes behind its end.
    private func placing(_ arrivals: [Arrival], in queue: [QueueEntry]) -> [QueueEntry] {
        var known: [Item.ID: QueueEntry] = [:]
        let arriving = Set(arrivals.map { $0.id })
        var rest = queue
        if rest.contains(where: { arriving.contains($0.itemID) }) {
            for entry in rest where arriving.contains(entry.itemID) { known[entry.itemID] = entry }
            rest.removeAll { arriving.contains($0.itemID) }
        }
        var first: [QueueEntry] = []
        var behind: [Item.ID: [QueueEntry]] = [:]
        var last: [QueueEntry] = []
        /// Where a chain of arrivals, each behind the one before, is put.
        var chain: [Item.ID: Item.ID] = [:]
        var previousEnd = rest.last?.itemID
        for arrival in arrivals {
            let entry = known[arrival.id] ?? entry(for: arrival.id)
            switch arrival.place {
            case .first: first.append(entry)
            case .behind(let other) where other == previousEnd:
                last.append(entry)
                previousEnd = arrival.id
            case .behind(let other):
                let anchor = chain[other] ?? other
                behind[anchor, default: []].append(entry)
                chain[arrival.id] = anchor
            case .last: last.append(entry)
            }
        }
        if !first.isEmpty || !behind.isEmpty {
            var merged = first
            merged.reserveCapacity(queue.count + arrivals.count)
            for entry in first { merged += behind.removeValue(forKey: entry.itemID) ?? [] }
            for entry in rest {
                merged.append(entry)
                if !behind.isEmpty, let more = behind.removeValue(forKey: entry.itemID) { merged += more }
            }
            // What it stood behind is not in the queue: it stays at the end.
            for entries in behind.values { merged += entries }
            rest = merged
        }
        return rest + last
    }

    /// What was played when the last run ended is among what is named, and has not been come across yet.
    private var waitsForLast: Bool {
        guard keeper.runningScan != nil, let last = lastPlayed, !queue.contains(where: { $0.itemID == last }),
            let item = library.item(last), item.isPresent, case .paths(let paths) = source
        else { return false }
        return paths.contains { path in
            item.path.begins(with: path.utf8.last == UInt8(ascii: "/") ? path : path + "/")
        }
    }

    private var lastPlayed: Item.ID? { library.restoredState?.currentItemID }

    /// Where this run of named paths begins: with what was played when the last one ended, if it is among them.
    private func startingEntry() -> Int? {
        if queue.isEmpty { return nil }
        guard let last = lastPlayed, let index = queue.firstIndex(where: { $0.itemID == last }) else { return 0 }
        guard let item = library.item(last), let duration = item.durationMilliseconds,
            item.positionMilliseconds >= duration
        else { return index }
        return index + 1 < queue.count ? index + 1 : 0
    }

    /// The whole library in its order, with the song numbers that its items had.
    func libraryQueue(_ old: [QueueEntry]) -> [QueueEntry] {
        var known: [Item.ID: QueueEntry] = [:]
        for entry in old { known[entry.itemID] = entry }
        return library.itemIDs().map { known[$0] ?? entry(for: $0) }
    }
}
