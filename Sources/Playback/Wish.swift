// SPDX-License-Identifier: Apache-2.0
import Posix

/// A track at a position, which the player is preparing.
struct Wish {
    var token: Int
    var track: Track
    var milliseconds: Int
    /// The deck prepared for it, and its format.
    var deck: (number: Int, format: OutputKeeper.Format)?
    /// True for the audible track at another speed: it continues at its position by then.
    var goesOn = false
    /// True if the audio thread has the deck.
    var isLinedUp = false
    /// The reason why it could not be prepared; reported when its turn comes.
    var failure: PlaybackError?
    /// True if its bytes have not arrived from a network yet; it is tried again when more are there.
    var waitsForBytes = false
    /// The time when the listener first requested the sound that has not come yet.
    var asked: MonotonicTime?
}
