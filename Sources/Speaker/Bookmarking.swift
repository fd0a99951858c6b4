// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Model
import Transcript

/// Keeping sentences as bookmarks.
extension Speaker {
    /// The present sentence, or the last one in a silence: its start and words. Without a transcript, only the place.
    var placeToKeep: (item: ItemID, milliseconds: Int, words: String)? {
        guard let item = currentItem else { return nil }
        let position = listening.placeMilliseconds
        guard let transcript = transcripts.transcript else { return (item.id, position, "") }
        let near = transcript.neighbours(at: position, count: 1)
        guard let index = transcript.index(at: position) ?? near.first,
            transcript[index].startMilliseconds <= position
        else { return (item.id, position, "") }
        return (item.id, transcript[index].startMilliseconds, transcript[index].text)
    }

    /// Bookmarks the present sentence, and announces it; not if the library lasts only until the power goes.
    public func addBookmark() -> Favourite.Addition {
        guard let place = placeToKeep else { return .notSaved }
        let addition = library.addBookmark(place.item, milliseconds: place.milliseconds, words: place.words)
        tell(addition, added: .bookmarkAdded, alreadyThere: .bookmarkThere)
        return addition
    }

    /// Removes a bookmark; nil means that of the present sentence. Returns false if there was none.
    public func removeBookmark(_ number: Int64?) -> Bool {
        let number = number ?? placeToKeep.flatMap { library.bookmark(of: $0.item, milliseconds: $0.milliseconds) }
        guard let number, library.removeBookmark(number) else { return false }
        keptDidChange(.bookmarkRemoved)
        return true
    }

    /// Bookmarks the sentence, or removes its bookmark, for a button.
    func toggleBookmark() {
        guard placeToKeep != nil else { return audience.announce(.nothingChosen) }
        if removeBookmark(nil) { return }
        if addBookmark() == .notSaved { audience.announce(.notSaved) }
    }
}
