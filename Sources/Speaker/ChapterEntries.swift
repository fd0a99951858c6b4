// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Media
import Model
import Playback

/// Queue entries for one chapter of a file, and the start of another chapter.
extension Speaker {
    /// The stretch of its file that the current entry plays, in milliseconds; nil for the whole file. An entry of a chapter that its file
    /// has lost plays the whole file.
    public var currentBounds: Range<Int>? {
        guard let entry = queue.current, entry.chapter > 0, entry.itemID == currentItem?.id else { return nil }
        return listening.chapters.bounds(ofNumber: Int(entry.chapter))
    }

    /// Returns the first millisecond of an entry: the beginning of its chapter, unless playback resumes within it.
    func startMilliseconds(of entry: QueueEntry, _ item: Item, _ approach: Approach) -> Int {
        guard let bounds = bounds(of: entry) else { return startMilliseconds(of: item, approach) }
        let left = item.resumeMilliseconds
        return approach == .goingOn && rules.resumes && bounds.contains(left) ? left : bounds.lowerBound
    }

    /// Returns the item's exact place, if it lies within the entry.
    func placeWithin(_ entry: QueueEntry, _ item: Item) -> Int {
        guard let bounds = bounds(of: entry), !bounds.contains(item.positionMilliseconds) else {
            return item.positionMilliseconds
        }
        return bounds.lowerBound
    }

    /// Returns the stretch of its file that an entry plays, in milliseconds; nil for the whole file.
    public func bounds(of entry: QueueEntry) -> Range<Int>? {
        entry.chapter == 0 ? nil : library.chapters(of: entry.itemID).bounds(ofNumber: Int(entry.chapter))
    }

    // MARK: The next chapter

    /// Watches for the next chapter. Call it after any change of playback or place except progress.
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
