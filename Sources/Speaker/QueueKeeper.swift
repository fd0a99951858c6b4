// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Model
import Posix
import Scanning

/// Keeps the queue: saves each change, as small as it was, and reports it. It follows the scans until the first edit.
final class QueueKeeper {
    let source: ScanSource
    /// The scanner; nil for none.
    let scans: (any ScanPort)?
    private(set) var queue: Queue
    /// The number of files that the running scan has seen.
    private(set) var filesSeen: Int?
    private let library: Library
    private let player: any PlayerPort
    private let timers: any Timers
    private let audience: Audience

    init(
        _ library: Library, _ source: ScanSource, scans: (any ScanPort)?, player: any PlayerPort, timers: any Timers,
        audience: Audience
    ) {
        self.library = library
        self.source = source
        self.scans = scans
        self.player = player
        self.timers = timers
        self.audience = audience
        queue = Queue(followsScans: true, seed: UInt64(truncatingIfNeeded: timers.now.nanoseconds))
        library.wholeQueue = { [self] in isLibrary && !queue.followsScans ? queue.entries : nil }
    }

    /// The library's folder; nil for named files.
    var folder: String? { if case .library(let folder) = source { folder } else { nil } }
    var isLibrary: Bool { if case .library = source { true } else { false } }

    /// Restores the library's queue.
    /// - Parameter state: nil if the library has none, because it is new or rescued. Then all of it is the queue.
    func restore(_ state: SpeakerState?) {
        let followsScans = state?.queueIsLibrary ?? true
        // A scan does not report items that are known already.
        let entries =
            followsScans
            ? library.itemIDs(inFolder: "/").enumerated().map { QueueEntry(songID: $0 + 1, itemID: $1) }
            : library.restoredQueue()
        let current = followsScans ? entries.first { $0.itemID == state?.currentItemID }?.songID : state?.currentSongID
        queue = Queue(
            entries: entries, currentSongID: current, nextSongID: state?.nextSongID ?? 1, followsScans: followsScans,
            modes: library.restoredModes(), seed: UInt64(truncatingIfNeeded: timers.now.nanoseconds))
    }

    // MARK: Asking

    /// The next entry that plays by itself; nil for none.
    var following: QueueEntry? {
        guard let index = queue.currentIndex, let next = queue.automaticIndex(after: index) else { return nil }
        return queue.entries[next]
    }

    /// The current item and the one that plays after it.
    var itemsToPlay: [ItemID] {
        guard let current = queue.current else { return [] }
        return [current.itemID] + (following.map { $0 == current ? [] : [$0.itemID] } ?? [])
    }

    /// Returns the files of `count` entries around the current one.
    func pathsAroundCurrent(_ count: Int) -> [String] {
        let current = queue.currentIndex ?? 0
        let from = max(0, min(current - count / 2, queue.count - count))
        let to = min(queue.count, from + count + 1)
        return (from..<to).filter { $0 != current }.compactMap { library.item(queue.entries[$0].itemID)?.path }
    }

    // MARK: Changing

    /// Performs a client's edit, and saves it.
    /// - Parameter saveState: saves the current entry: after a power cut the state must not name a missing song.
    func edit(_ body: (inout Queue) -> QueueEdit?, saveState: () -> Void) {
        let wasFollowing = queue.followsScans
        let before = following
        guard let edit = body(&queue) else { return }
        library.batch {
            save([edit], wasFollowing: wasFollowing)
            saveState()
        }
        tell(followingBefore: before)
    }

    /// Makes an entry the current one. The former one may leave the queue with this, if it stood for a missing item.
    func setCurrent(_ index: Int, isChosen: Bool) {
        let edits = queue.setCurrent(index, isChosen: isChosen)
        if edits.isEmpty { return }
        save(edits, wasFollowing: queue.followsScans)
        audience.didChange(.queue)
    }

    /// Prepares for an entry that is about to play: if it ends a random round, starts another.
    func prepare(after index: Int) { queue.prepare(after: index) }

    /// - Returns: true if the order changed.
    func set(_ modes: PlayModes) -> Bool {
        let before = following
        guard queue.set(modes, isPlaying: player.track != nil) else { return false }
        if isLibrary { library.save(modes) }
        if following != before { player.followingDidChange() }
        return true
    }

    /// Saves the rows that edits changed.
    private func save(_ edits: [QueueEdit], wasFollowing: Bool) {
        if !isLibrary { return }
        // A queue that follows the scans has no rows; the first edit writes all of them.
        if queue.followsScans {
            if !wasFollowing { library.saveQueue(.followLibrary) }
        } else if wasFollowing {
            library.saveQueue(.replace(queue.entries))
        } else {
            for edit in edits { library.saveQueue(edit) }
        }
    }

    private func tell(followingBefore before: QueueEntry?) {
        if following != before { player.followingDidChange() }
        audience.didChange(.queue)
    }

    /// Forgets addresses that a client added and removed again.
    /// - Parameter current: the current one, in the queue or not; 0 for none.
    func forgetStrayAddresses(but current: ItemID) {
        if library.forgetStrayAddresses(but: current) < Library.mostForgottenAtOnce { return }
        _ = timers.schedule(inMilliseconds: 50) { [self] in forgetStrayAddresses(but: current) }
    }

    // MARK: Scans

    func arrive(_ arrivals: [Arrival]) {
        let before = following
        if queue.arrive(arrivals) { tell(followingBefore: before) }
    }

    func lose(_ items: [ItemID]) {
        let before = following
        if queue.lose(Set(items)) { tell(followingBefore: before) }
    }

    func scanDidProgress() { filesSeen = scans?.progress?.filesSeen }

    /// Forgets the progress when a scan begins or ends.
    func forgetProgress() { filesSeen = nil }
}
