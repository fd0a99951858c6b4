// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Model
import Posix

/// Restoring a library from a copy.
extension Speaker {
    /// Replaces the library during playback, which continues with the queue and the places of the other library.
    /// - Parameter replace: replaces it; returns the reason of a failure.
    func replaceLibrary(_ replace: () -> String?) -> String? {
        let playing = currentItem
        if let failure = replace() { return failure }
        if isLibrary { libraryWasReplaced(playing) }
        return nil
    }

    private func libraryWasReplaced(_ playing: Item?) {
        let plays = wantsToPlay
        let hasTrack = player.track != nil
        let milliseconds = player.positionMilliseconds
        streaming.podcasts.begin()
        restoreSound(library.restoredState)
        queueKeeper.restore(library.restoredState)
        listening.end()
        // The same number now means another item.
        transcripts.follow(nil)
        if let playing, hasTrack, let item = library.item(path: playing.path) ?? library.upsert(Probe(playing)) {
            if let place = (try? entry(of: item.id)) ?? nil { queueKeeper.setCurrent(place, isChosen: false) }
            load(item, milliseconds: milliseconds, play: plays)
        } else {
            player.unload(asked: nil)
            if let index = queue.currentIndex { go(to: index, play: false) }
        }
        saveState()
        alarms.restore()
        places.didWrite()
        audience.didChange([.player, .queue, .library, .favourites])
        // The library's files may have come and gone since the copy was made.
        queueKeeper.scans?.scanAgain()
    }
}

extension Probe {
    /// The facts about an item, for a library that does not know it.
    fileprivate init(_ item: Item) {
        self.init(
            identity: item.identity, path: item.path, fileBytes: item.fileBytes,
            // Forces a new probe, for all facts that are missing here.
            fileModifiedSeconds: -1, tags: item.tags,
            durationMilliseconds: item.durationMilliseconds, artwork: item.artwork)
    }
}
