// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Model

/// Edits of the queue by clients.
extension Speaker {
    public func insert(_ items: [ItemID], at index: Int? = nil) throws(QueueFull) -> Int? {
        try insert(pieces: items.map { Queue.Piece($0) }, at: index)
    }

    /// Inserts items, or chapters of them, before the entry at `index`, or at the end.
    /// - Returns: the first one's song id; nil if there is nothing to insert.
    public func insert(pieces: [Queue.Piece], at index: Int? = nil) throws(QueueFull) -> Int? {
        var first: Int?
        var full: QueueFull?
        edit { queue in
            do throws(QueueFull) {
                let inserted = try queue.insert(pieces: pieces, at: index)
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

    /// Removes entries. If the current one was among them, the entry behind it plays, if there is one.
    public func remove(_ positions: Range<Int>) {
        let removesCurrent = queue.currentIndex.map { positions.contains($0) } ?? false
        let plays = wantsToPlay
        let wasStopped = player.track == nil
        let next = queue.index(afterCurrentWithout: positions).map { queue.entries[$0].songID }
        if removesCurrent { savePlace() }
        edit { $0.remove(positions) }
        defer { queueKeeper.forgetStrayAddresses(but: currentItem?.id ?? 0) }
        guard removesCurrent else { return }
        if let next = next.flatMap({ queue.index(ofSongID: $0) }) {
            go(to: next, play: plays)
            // A stopped player stays stopped; another entry is the current one.
            if wasStopped && !plays { player.unload(asked: nil) }
        } else {
            missing.forget()
            player.unload(asked: nil)
            listening.end()
            transcripts.follow(nil)
            saveState()
            audience.didChange(.player)
        }
    }

    /// Shuffles entries; the playing or paused entry comes first.
    public func shuffle(_ positions: Range<Int>) {
        edit { $0.shuffle(positions, keepsCurrent: player.track != nil) }
    }

    /// Performs any other edit.
    public func edit(_ body: (inout Queue) -> QueueEdit?) { queueKeeper.edit(body) { saveState() } }
}
