// SPDX-License-Identifier: Apache-2.0
import Posix

/// A track at a place, being brought about.
struct Wish {
    var token: Int
    var track: Track
    var milliseconds: Int
    /// The deck got ready for it, and its format.
    var deck: (number: Int, format: OutputKeeper.Format)?
    /// The audible track, wanted at another speed: it goes on wherever that is by then.
    var goesOn = false
    /// The audio thread has the deck.
    var isLinedUp = false
    /// Why it could not be got ready; said when its turn comes.
    var failure: PlaybackError?
    /// A network has yet to bring what it takes; tried again once more of it is there.
    var waitsForBytes = false
    /// When a person first asked for sound that has not come yet.
    var asked: MonotonicTime?
}
