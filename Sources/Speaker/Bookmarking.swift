import Core
import Library
import Model
import Transcript

/// Keeping sentences.
extension Speaker {
    /// The sentence being spoken, or the last one where nothing is said just now: where it begins, and its words. Without a
    /// transcript the place alone.
    var placeToKeep: (item: ItemID, milliseconds: Int, words: String)? {
        guard let item = currentItem else { return nil }
        let position = player.track == nil ? item.resumeMilliseconds : positionMilliseconds
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
        switch addition {
        case .added: bookmarksDidChange(.bookmarkAdded)
        case .alreadyThere: audience.announce(.bookmarkThere)
        case .notSaved: break
        }
        return addition
    }

    /// Forgets one; nil means that of the sentence being spoken. Returns whether there was one.
    public func removeBookmark(_ number: Int64?) -> Bool {
        let number = number ?? placeToKeep.flatMap { library.bookmark(of: $0.item, milliseconds: $0.milliseconds) }
        guard let number, library.removeBookmark(number) else { return false }
        bookmarksDidChange(.bookmarkRemoved)
        return true
    }

    /// By a button: keeps the sentence, or forgets it if it is kept.
    func toggleBookmark() {
        guard placeToKeep != nil else { return audience.announce(.nothingChosen) }
        if removeBookmark(nil) { return }
        if addBookmark() == .notSaved { audience.announce(.notSaved) }
    }

    /// Favourites or bookmarks came from another speaker.
    public func keptDidChange() {
        places.didWrite()
        refreshItem()
        audience.didChange(.favourites)
    }

    private func bookmarksDidChange(_ notice: Notice) {
        audience.announce(library.isForNowOnly ? .notSaved : notice)
        places.didWrite(said: true)
        audience.didChange(.favourites)
    }
}
