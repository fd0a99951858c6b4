// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Model
import Posix

/// Listening on other devices of the household.
extension Speaker {
    /// Merges a record of another device. A book that is paused or has just resumed here jumps to that place; a recording that has played
    /// longer stays.
    public func merge(_ record: SharedRecord) -> Library.Merge {
        let current = currentItem
        let isOfCurrent = current.map { library.isPlace(record, inWorkOf: $0.id) } ?? false
        let podcasts = streaming.podcasts
        let outcome = library.merge(
            record, isPlaying: isOfCurrent && wantsToPlay && !listening.hasJustGoneOn,
            subscribing: Library.Subscribing(
                add: { podcasts.subscribe($0, title: $1) }, remove: { podcasts.unsubscribe($0) }))
        if outcome == .added {
            keptDidChange()
            if isOfCurrent, let current { goOn(from: current) }
        }
        return outcome
    }

    private func goOn(from current: Item) {
        let plays = wantsToPlay
        if plays ? !listening.hasJustGoneOn : player.track == nil { return }
        let left = library.sharesPlace(current.id) ? library.book(of: current.id)?.left?.item : current.id
        guard let left, let item = library.item(left) else { return }
        // Use the exact place, even at the end. But never move a playing listener to an end.
        let place = item.positionMilliseconds
        if plays && place > 0 && library.resumeMilliseconds(of: item) == 0 { return }
        if left == current.id {
            seek(to: place, nil, follows: true)
        } else {
            guard let index = queue.index(ofItem: left) else { return }
            // The listener has just heard neither place, the old or the new one.
            listening.didFollow()
            go(to: index, milliseconds: place, play: plays, follows: true)
        }
        if plays { audience.announce(.heardElsewhere) }
    }
}
