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
            guard let item = library.item(current.id) else { return }
            seek(to: item.resumeMilliseconds, nil)
        } else {
            guard let left = library.book(of: current.id)?.left?.item, library.areOneBook(left, current.id),
                let item = library.item(left), let index = queue.index(ofItem: left)
            else { return }
            go(to: index, milliseconds: item.resumeMilliseconds, play: plays)
        }
        if plays { audience.announce(.heardElsewhere) }
    }
}
