// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Media
import Model
import Playback

/// Entries of the queue for one chapter of a file, and the moment of another chapter's beginning.
extension Speaker {
    /// The stretch of its file that the current entry plays, in milliseconds; nil where it plays the whole. An entry with a chapter that
    /// its file has lost plays the whole.
    public var currentBounds: Range<Int>? {
        guard let entry = queue.current, entry.chapter > 0, entry.itemID == currentItem?.id else { return nil }
        return listening.chapters.bounds(ofNumber: Int(entry.chapter))
    }

    /// Returns the first millisecond of an entry: a chapter at its beginning, unless one goes on with it.
    func startMilliseconds(of entry: QueueEntry, _ item: Item, _ approach: Approach) -> Int {
        guard let bounds = bounds(of: entry) else { return startMilliseconds(of: item, approach) }
        let left = item.resumeMilliseconds
        return approach == .goingOn && rules.resumes && bounds.contains(left) ? left : bounds.lowerBound
    }

    /// Exactly the item's place, if the entry goes so far.
    func placeWithin(_ entry: QueueEntry, _ item: Item) -> Int {
        guard let bounds = bounds(of: entry), !bounds.contains(item.positionMilliseconds) else {
            return item.positionMilliseconds
        }
        return bounds.lowerBound
    }

    /// The stretch of its file that an entry plays, in milliseconds; nil where it plays the whole.
    public func bounds(of entry: QueueEntry) -> Range<Int>? {
        entry.chapter == 0 ? nil : library.chapters(of: entry.itemID).bounds(ofNumber: Int(entry.chapter))
    }

    // MARK: The next chapter

    /// Playing, or the place, is another than time alone would have made it.
    func watchChapters() {
        listening.watchChapters(
            isHeard: player.track != nil && player.track?.entry == queue.current?.songID, within: currentBounds,
            repeats: loop.isOn)
    }

    func didHearChapter() {
        guard currentBounds != nil, let track = player.track, let index = queue.currentIndex else {
            audience.didChange(.player)
            return watchChapters()
        }
        let isAsleep = sleep.setting == .chapter || sleep.setting == .item || fallsAsleep(after: track)
        if isAsleep { didFallAsleep() } else { countChapter() }
        queueKeeper.prepare(after: index)
        let stops = isAsleep || (queue.modes.single != .off && !queue.modes.repeats)
        if stops, let next = queue.index(after: index, isAsked: true) {
            pauseAtBorder(before: next, from: track)
        } else if !stops, let next = queue.automaticIndex(after: index) {
            go(to: next, .passing(from: track.id), play: true)
        } else {
            if alarms.isRinging { pause(nil) } else { perform(.pause) }
            audience.didEnd()
        }
        consume(track.entry)
    }
}
