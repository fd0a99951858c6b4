import Core
import Library

/// Edits of the queue: saved as what they changed, and told.
extension Speaker {
    /// Puts items before the entry at `index`, or at the end.
    /// - Returns: the first one's song id; nil where there are no items.
    public func insert(_ items: [ItemID], at index: Int? = nil) throws(QueueFull) -> Int? {
        var first: Int?
        var full: QueueFull?
        edit { queue in
            do throws(QueueFull) {
                let inserted = try queue.insert(items, at: index)
                first = inserted?.firstSongID
                return inserted?.edit
            } catch {
                full = error
                return nil
            }
        }
        if let full { throw full }
        return first
    }

    /// Takes entries out. What follows them is played if the current was among them, and nothing where nothing follows.
    public func remove(_ positions: Range<Int>) {
        let removesCurrent = queue.currentIndex.map { positions.contains($0) } ?? false
        let plays = wantsToPlay
        if removesCurrent { savePlace() }
        edit { $0.remove(positions) }
        guard removesCurrent else { return }
        if positions.lowerBound < queue.count {
            go(to: positions.lowerBound, play: plays)
        } else {
            missing.forget()
            player.unload(asked: nil)
            listening.end()
            transcripts.follow(nil)
            saveState()
            audience.didChange(.player)
        }
    }

    /// Does an edit: writes what it changed, and sees to what follows the current item.
    func edit(_ body: (inout Queue) -> Queue.Edit?) {
        let wasFollowing = queue.followsScans
        let before = followingEntry
        guard let edit = body(&queue) else { return }
        // Together: after a power cut the state must not name a song that is not there.
        library.batch {
            if isLibrary { save(edit, wasFollowing: wasFollowing) }
            saveState()
        }
        queueDidChange(followingBefore: before)
    }

    private func save(_ edit: Queue.Edit, wasFollowing: Bool) {
        // A queue that follows the scans takes no rows; what was edited for the first time has to be written whole.
        if queue.followsScans {
            if !wasFollowing { library.saveQueue(.followLibrary) }
        } else {
            library.saveQueue(wasFollowing ? .replace(queue.entries.map(QueueEntry.init)) : QueueChange(edit))
        }
    }

    /// - Parameter before: what followed the current entry.
    func queueDidChange(followingBefore before: Queue.Entry?) {
        if followingEntry != before { player.followingDidChange() }
        audience.didChange(.queue)
    }

    var followingEntry: Queue.Entry? {
        guard let index = queue.currentIndex, index + 1 < queue.count else { return nil }
        return queue.entries[index + 1]
    }
}

extension QueueChange {
    init(_ edit: Queue.Edit) {
        switch edit {
        case .insert(let entries, let after): self = .insert(entries.map(QueueEntry.init), after: after)
        case .remove(let first, let last): self = .remove(first: first, last: last)
        case .replace(let entries): self = .replace(entries.map(QueueEntry.init))
        }
    }
}
