// SPDX-License-Identifier: Apache-2.0
/// Messages from the audio thread to control.
public enum AudioEvent: BitwiseCopyable {
    /// The audio thread no longer uses the deck.
    case released(UnsafeMutablePointer<Deck>)
    /// Answers `detach` with the output.
    case detached(UnsafeMutablePointer<Output>)
    /// The output failed, with a negative errno. The audio thread returns all decks too; `HeardState` keeps the place.
    case outputLost(UnsafeMutablePointer<Output>, code: Int32)
    /// The audio thread began to decode the deck lined up; `HeardState` tells when it becomes audible.
    case nextBegun(token: Int)
    /// The listener has heard everything, and no deck is lined up: the token of the last deck, and how that came to its end.
    case ended(token: Int, DeckEnd)
    /// A pause has faded out and the card is silent.
    case paused
    /// Spoken frames are free again: they were heard to their end or replaced, or there is no card.
    case spoken(UnsafeMutablePointer<Int16>, isWhole: Bool)
}
