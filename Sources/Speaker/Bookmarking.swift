// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Model
import Transcript

/// Keeping sentences.
extension Speaker {
    /// The present sentence, or the last one in a silence: its start and words. Without a transcript the place alone.
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

    /// Keeps the sentence being spoken, and says so, unless it is for as long as the power is on only.
    public func addBookmark() -> Favourite.Addition {
        guard let place = placeToKeep else { return .notSaved }
        let addition = library.addBookmark(place.item, milliseconds: place.milliseconds, words: place.words)
        tell(addition, added: .bookmarkAdded, alreadyThere: .bookmarkThere)
        return addition
    }

    /// Forgets one; nil means that of the sentence being spoken. Returns whether there was one.
    public func removeBookmark(_ number: Int64?) -> Bool {
        let number = number ?? placeToKeep.flatMap { library.bookmark(of: $0.item, milliseconds: $0.milliseconds) }
        guard let number, library.removeBookmark(number) else { return false }
        keptDidChange(.bookmarkRemoved)
        return true
    }

    /// By a button: keeps the sentence, or forgets a kept one.
    func toggleBookmark() {
        guard placeToKeep != nil else { return audience.announce(.nothingChosen) }
        if removeBookmark(nil) { return }
        if addBookmark() == .notSaved { audience.announce(.notSaved) }
    }
}
