import Core
import Library
import Media
import Playback
import Posix

/// To the next and the previous, and on and back by seconds: across the files of a book, and by its chapters.
extension Speaker {
    /// So soon after its start a chapter is not gone back to: the one before it is meant.
    static let chapterBeginningMilliseconds = 3000

    func step(by count: Int, _ asked: MonotonicTime?) {
        if queue.isEmpty { return sayThatThereIsNothing() }
        if rules.stepsByChapter, stepWithinItem(by: count, asked) { return playUnlessPausesAreKept(asked) }
        let plays = wantsToPlay || (!rules.keepsPause && player.track != nil)
        guard let index = queue.currentIndex else {
            return go(to: (count > 0 ? queue.firstIndex : queue.lastIndex) ?? 0, play: plays, asked: asked)
        }
        if count > 0 {
            queue.prepare(after: index)
            guard let next = queue.index(after: index, isAsked: true) else { return audience.announce(.lastItem) }
            let left = queue.entries[index].songID
            // Who asks for the next chapter means its start, and not where the file was left.
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

    /// Where the chapters of an entry begin, if they are gone by.
    private func startsOfChapters(at index: Int) -> [Int] {
        rules.stepsByChapter ? chapters(queue.entries[index].itemID).map { $0.startMilliseconds } : []
    }

    /// Where the current item is, or would be begun.
    private var placeMilliseconds: Int {
        player.track == nil ? currentItem?.resumeMilliseconds ?? 0 : player.positionMilliseconds
    }

    /// - Returns: false where the next or previous is another file.
    private func stepWithinItem(by count: Int, _ asked: MonotonicTime?) -> Bool {
        let chapters = listening.chapters
        if chapters.isEmpty { return false }
        let position = placeMilliseconds
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

    /// Presses in quick succession add up, since the position is at once that of the jump under way.
    func skip(_ milliseconds: Int, _ asked: MonotonicTime?) {
        let from = placeMilliseconds
        let wanted = from.addingSaturated(milliseconds)
        if !flow(to: wanted, asked) { seek(to: wanted, asked) }
    }

    /// The end of a file is none within a book: what is skipped beyond it is skipped of the next one, and back before its start of
    /// the one before.
    private func flow(to wanted: Int, _ asked: MonotonicTime?) -> Bool {
        guard let track = player.track, let item = currentItem, track.id == item.id, let index = queue.currentIndex
        else { return false }
        if wanted < 0 {
            guard let previous = queue.index(before: index), queue.index(after: previous, isAsked: true) == index,
                let before = partOfBook(previous, beside: item), let duration = before.durationMilliseconds
            else { return false }
            go(to: previous, milliseconds: max(0, duration + wanted), play: wantsToPlay, asked: asked)
            return true
        }
        guard let duration = track.durationMilliseconds, wanted >= duration, wanted < Int.max,
            let next = queue.index(followingByItself: index), let behind = partOfBook(next, beside: item)
        else { return false }
        // A file shorter than what is left to skip is begun, and no more.
        let start = min(wanted - duration, max(0, (behind.durationMilliseconds ?? .max) - 1))
        flowOn(to: next, from: item, duration, milliseconds: start, asked)
        return true
    }

    private func flowOn(
        to next: Int, from item: Item, _ duration: Int, milliseconds: Int, _ asked: MonotonicTime?
    ) {
        let plays = wantsToPlay
        let left = queue.currentIndex.map { queue.entries[$0].songID }
        go(to: next, milliseconds: milliseconds, play: plays, asked: asked)
        // It was gone through to its end, and not left on the way.
        library.savePosition(item.id, milliseconds: duration)
        places.didWrite()
        if let left { consume(left) }
    }

    private func partOfBook(_ index: Int, beside item: Item) -> Item? {
        guard let other = library.item(queue.entries[index].itemID), isOneBook(item.id, other.id) else { return nil }
        return other
    }

    func seek(to milliseconds: Int, _ asked: MonotonicTime?) {
        let wanted = max(0, milliseconds)
        endPause()
        if player.track != nil {
            loop.didSeek(to: wanted)
            sleep.lookAway()
            player.seek(toMilliseconds: wanted, asked: asked)
            aimSleep()
            savePlace()
            audience.didChange(.player)
        } else if let index = queue.currentIndex {
            go(to: index, milliseconds: wanted, play: false, asked: asked)
        } else {
            audience.announce(.nothingChosen)
        }
    }
}
