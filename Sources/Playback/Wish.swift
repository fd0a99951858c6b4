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
    /// The reason of a failed preparation; reported when its turn comes.
    var failure: PlaybackError?
    /// True if its bytes have not arrived from a network yet; the player tries again when more are there.
    var waitsForBytes = false
    /// The time when the listener first requested the sound that has not come yet.
    var asked: MonotonicTime?
}
