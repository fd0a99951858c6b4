// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Media
import Model
import Playback
import Posix

/// Next and previous, and skips by seconds: across the files of a book, and by its chapters.
extension Speaker {
    /// The time after a chapter's start in which "previous" means the chapter before it.
    static let chapterBeginningMilliseconds = 3000

    func step(by count: Int, _ asked: MonotonicTime?) {
        if queue.isEmpty { return sayThatThereIsNothing() }
        if rules.stepsByChapter, stepByHeadings(by: count, asked) || stepWithinItem(by: count, asked) {
            return playUnlessPausesAreKept(asked)
        }
        let plays = wantsToPlay || (!rules.keepsPause && player.track != nil)
        guard let index = queue.currentIndex else {
            return go(to: (count > 0 ? queue.firstIndex : queue.lastIndex) ?? 0, play: plays, asked: asked)
        }
        if count > 0 {
            queueKeeper.prepare(after: index)
            guard let next = queue.index(after: index, isAsked: true) else { return audience.announce(.lastItem) }
            let left = queue.entries[index].songID
            // A request for the next chapter means its start, and not the file's own place.
            let start = startsOfChapters(at: next).isEmpty ? nil : 0
            go(to: next, milliseconds: start, play: plays, asked: asked)
            consume(left)
        } else if let previous = queue.index(before: index) {
            go(to: previous, milliseconds: startsOfChapters(at: previous).last, play: plays, asked: asked)
        } else {
            audience.announce(.firstItem)
            go(to: index, milliseconds: 0, play: plays, asked: asked)
        }
    }

    /// Returns the starts of an entry's chapters, if next and previous go by them.
    private func startsOfChapters(at index: Int) -> [Int] {
        guard rules.stepsByChapter, queue.entries[index].chapter == 0 else { return [] }
        return library.chapters(of: queue.entries[index].itemID).map { $0.startMilliseconds }
    }

    /// Goes to the next or previous heading of a talking book that counts by the menu's setting, in any of its files.
    /// - Returns: false if all headings count, or there is none.
    private func stepByHeadings(by count: Int, _ asked: MonotonicTime?) -> Bool {
        let level = rules.headingLevel
        guard level < SpeakerSetting.lowestHeading, queue.current?.chapter ?? 0 == 0 else { return false }
        let headings = headingsOfBook
        // A file without a heading belongs to the part before it.
        func counts(_ index: Int) -> Bool { (1...level).contains(headings[index].chapter.level) }
        guard headings.indices.contains(where: counts) else { return false }
        let current = index(in: headings) ?? 0
        var wanted: Int?
        if count > 0 {
            wanted = headings.indices.dropFirst(current + 1).first(where: counts)
        } else {
            // The start of the present part, or, soon after that, of the one before it.
            let start = headings[current]
            let isAtStart =
                counts(current) && start.item == currentItem?.id
                && listening.placeMilliseconds - start.chapter.startMilliseconds < Speaker.chapterBeginningMilliseconds
            wanted = headings.indices.prefix(isAtStart ? current : current + 1).last(where: counts)
        }
        guard let wanted else {
            audience.announce(count > 0 ? .lastItem : .firstItem)
            return true
        }
        let (item, place) = (headings[wanted].item, headings[wanted].chapter.startMilliseconds)
        if item == currentItem?.id {
            perform(.seek(milliseconds: place), asked: asked)
        } else if let index = queue.index(ofItem: item) {
            go(to: index, milliseconds: place, play: wantsToPlay, asked: asked)
        } else {
            return false
        }
        return true
    }

    /// - Returns: false if the next or previous lies in another file.
    private func stepWithinItem(by count: Int, _ asked: MonotonicTime?) -> Bool {
        let chapters = listening.chapters
        if chapters.isEmpty { return false }
        let position = listening.placeMilliseconds
        if let bounds = currentBounds {
            // The start of the only chapter that the entry has.
            if count > 0 || position - bounds.lowerBound < Speaker.chapterBeginningMilliseconds { return false }
            perform(.seek(milliseconds: bounds.lowerBound), asked: asked)
            return true
        }
        let current = listening.chapter(at: position)
        var wanted = (current ?? -1) + 1
        if count < 0 {
            guard let current else { return false }
            let isAtStart = position - chapters[current].startMilliseconds < Speaker.chapterBeginningMilliseconds
            wanted = isAtStart ? current - 1 : current
            if wanted < 0 { return false }
        }
        if wanted >= chapters.count { return false }
        perform(.seek(milliseconds: chapters[wanted].startMilliseconds), asked: asked)
        return true
    }

    private func playUnlessPausesAreKept(_ asked: MonotonicTime?) {
        if !rules.keepsPause && player.track != nil { perform(.play, asked: asked) }
    }

    /// Skips by a time. Quick presses add up, since the position is at once the destination of the jump under way.
    func skip(_ milliseconds: Int, _ asked: MonotonicTime?) {
        let from = listening.placeMilliseconds
        let wanted = max(from.addingSaturated(milliseconds), currentBounds?.lowerBound ?? .min)
        if !flow(to: wanted, asked) { seek(to: wanted, asked) }
    }

    /// Skips across the files of a book, which are one recording: beyond the end of one into the following files, and back before its start
    /// into the earlier ones, however short they are.
    private func flow(to wanted: Int, _ asked: MonotonicTime?) -> Bool {
        guard let track = player.track, let item = currentItem, track.id == item.id, let start = queue.currentIndex,
            queue.entries[start].chapter == 0,
            wanted < 0 || track.durationMilliseconds.map({ wanted >= $0 && wanted < .max }) ?? false
        else { return false }
        var (index, milliseconds, duration) = (start, wanted, track.durationMilliseconds)
        var passed: [Int] = []
        // A repeating queue may go round.
        for _ in 0..<queue.count {
            if milliseconds < 0 {
                guard let previous = queue.index(before: index), queue.index(after: previous, isAsked: true) == index,
                    let before = partOfBook(previous, beside: item), let length = before.durationMilliseconds
                else { break }
                (index, milliseconds, duration) = (previous, milliseconds + length, length)
            } else {
                guard let length = duration, milliseconds >= length,
                    let next = queue.automaticIndex(after: index), let behind = partOfBook(next, beside: item)
                else { break }
                passed.append(queue.entries[index].songID)
                (index, milliseconds, duration) = (next, milliseconds - length, behind.durationMilliseconds)
            }
            if index == start { return false }
        }
        if index == start { return false }
        // Beyond the book's end, go to its end, with something left to hear.
        let place = max(0, min(milliseconds, (duration ?? .max) - 1))
        go(to: index, milliseconds: place, play: wantsToPlay, asked: asked)
        for song in passed { consume(song) }
        places.didWrite()
        return true
    }

    func partOfBook(_ index: Int, beside item: Item) -> Item? {
        guard queue.entries[index].chapter == 0, let other = library.item(queue.entries[index].itemID),
            library.areOneBook(item.id, other.id)
        else {
            return nil
        }
        return other
    }

    /// - Parameter follows: true if the place comes from another device.
    func seek(to milliseconds: Int, _ asked: MonotonicTime?, follows: Bool = false) {
        let wanted = max(0, milliseconds)
        transcripts.forgetWantedSentence()
        listening.rewind.end()
        if player.track != nil {
            loop.didSeek(to: wanted)
            skipped.didJump(to: wanted)
            listening.didJump(to: wanted)
            if follows { listening.didFollow() }
            sleep.willJump()
            player.seek(toMilliseconds: wanted, asked: asked)
            updateSleepEnd()
            savePlace()
            // Beyond the item's end it stops playing.
            saveState()
            audience.didChange(.player)
        } else if let index = queue.currentIndex {
            go(to: index, milliseconds: wanted, play: false, asked: asked)
        } else {
            audience.announce(.nothingChosen)
        }
    }
}
