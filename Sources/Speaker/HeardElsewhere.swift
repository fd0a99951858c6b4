import Core
import Library
import Model
import Posix

/// What other devices of the household remember.
extension Speaker {
    /// Takes in a record as another device has written it. A book that is paused here, or was gone on with only now, goes on where it was
    /// heard since; what plays for longer is left alone.
    public func merge(_ record: SharedRecord) -> Library.Merge {
        let current = currentItem
        let isCurrent =
            record.kind == .place
            && current.map { SharedKey($0.identity).words.utf8.elementsEqual(record.key.utf8) } == true
        let podcasts = streaming.podcasts
        let outcome = library.merge(
            record, heard: isCurrent && wantsToPlay && !listening.hasJustGoneOn ? record.key : nil,
            subscribing: Library.Subscribing(
                add: { podcasts.subscribe($0, title: $1) }, remove: { podcasts.unsubscribe($0) }))
        if outcome == .added {
            keptDidChange()
            if record.kind == .place, let current { goOn(from: current, isSame: isCurrent) }
        }
        return outcome
    }

    /// - Parameter isSame: the place is one in the current item, and not in another of its book.
    private func goOn(from current: Item, isSame: Bool) {
        let plays = wantsToPlay
        if plays ? !listening.hasJustGoneOn : player.track == nil { return }
        if isSame {
            // The end of a file is no place to be at: the next file's place is told as well.
            guard let item = library.item(current.id), item.resumeMilliseconds > 0 || item.positionMilliseconds == 0
            else { return }
            seek(to: item.resumeMilliseconds, nil, follows: true)
        } else {
            guard let left = library.book(of: current.id)?.left?.item, library.areOneBook(left, current.id),
                let item = library.item(left), let index = queue.index(ofItem: left)
            else { return }
            // Neither the place that is left nor the one that is gone to was heard here now.
            listening.didFollow()
            go(to: index, milliseconds: library.resumeMilliseconds(of: item), play: plays, follows: true)
        }
        if plays { audience.announce(.heardElsewhere) }
    }
}
