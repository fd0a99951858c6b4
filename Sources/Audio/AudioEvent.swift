// SPDX-License-Identifier: Apache-2.0
/// Messages from the audio thread to control.
public enum AudioEvent: BitwiseCopyable {
    /// The audio thread no longer uses the deck.
    case released(UnsafeMutablePointer<Deck>)
    /// Answers `detach` with the output.
    case detached(UnsafeMutablePointer<Output>)
    /// The output failed, with a negative errno. The audio thread also returns all decks; `HeardState` keeps the position.
    case outputLost(UnsafeMutablePointer<Output>, code: Int32)
    /// The audio thread began to decode the deck lined up; `HeardState` tells when it becomes audible.
    case nextBegun(token: Int)
    /// The listener has heard everything, and no deck is lined up. The values are the last deck's token and its end.
    case ended(token: Int, DeckEnd)
    /// A pause has faded out and the card is silent.
    case paused
    /// Returns spoken frames to be freed: after their end, after a replacement, or without a card.
    case spoken(UnsafeMutablePointer<Int16>, isWhole: Bool)
}
