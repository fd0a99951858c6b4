/// What the audio thread tells control.
public enum AudioEvent: BitwiseCopyable {
    /// The audio thread is done with the deck.
    case released(UnsafeMutablePointer<Deck>)
    /// The output that was asked back.
    case detached(UnsafeMutablePointer<Output>)
    /// The output failed, with a negative errno. All decks are given back too; `HeardState` keeps the place.
    case outputLost(UnsafeMutablePointer<Output>, code: Int32)
    /// The deck has begun to be decoded behind the one before; `HeardState` tells when it will be heard.
    case nextBegun(token: Int)
    /// Everything has been heard and nothing was lined up: the token of the last deck, and how that came to its end.
    case ended(token: Int, DeckEnd)
    /// A pause has faded out and the card is silent.
    case paused
    /// Frames that were to be said are needed no longer: they were heard to their end, or cut off by others, or there is no card.
    case spoken(UnsafeMutablePointer<Int16>, isWhole: Bool)
}
