import Core
import Library
import Model
import Posix

/// Taking up a library that was restored while it plays.
extension Speaker {
    func connectTransfers() {
        transfers.settle = { [self] in places.fold() }
        transfers.willTakeUp = { [self] in itemBeforeRestore = currentItem }
        transfers.didTakeUp = { [self] isAnother in if isAnother { libraryWasRestored() } }
    }

    /// The queue and the places are those of the restored library; what plays goes on where it is, in it.
    private func libraryWasRestored() {
        let plays = wantsToPlay
        let hasTrack = player.track != nil
        let milliseconds = positionMilliseconds
        let playing = itemBeforeRestore
        itemBeforeRestore = nil
        guard isLibrary else { return }
        podcasts.begin()
        speeds.speaker = library.restoredSpeed()
        sound = library.restoredSound()
        if let state = library.restoredState {
            takeUpQueue(state)
        } else {
            queue = Queue(followsScans: true)
            _ = queue.follow(library.itemIDs(inFolder: "/"))
        }
        listening.end()
        // An item of the same number is another one now.
        transcripts.follow(nil)
        if let playing, hasTrack, let item = library.item(path: playing.path) ?? library.upsert(Probe(playing)) {
            if let place = queue.index(ofItem: item.id) {
                makeCurrent(place)
            } else {
                let place = queue.currentIndex.map { $0 + 1 } ?? queue.count
                if (try? insert([item.id], at: place)) != nil { makeCurrent(place) }
            }
            load(item, milliseconds: milliseconds, play: plays)
        } else {
            player.unload(asked: nil)
            if let index = queue.currentIndex { go(to: index, play: false) }
        }
        saveState()
        places.didWrite()
        audience.didChange([.player, .queue, .library, .favourites])
        // Its files may have come and gone since it was copied.
        scans?.scanAgain()
    }
}

extension Probe {
    /// What is known of an item, for a library that does not know it.
    fileprivate init(_ item: Item) {
        self.init(
            identity: item.identity, path: item.path, fileBytes: item.fileBytes,
            // It is looked into again, for all that is not known here.
            fileModifiedSeconds: -1, tags: item.tags,
            durationMilliseconds: item.durationMilliseconds, artwork: item.artwork)
    }
}
