// SPDX-License-Identifier: Apache-2.0
import Media

/// The owner of the queue, which informs people. All calls come on the control thread, from the event loop or from within a call to the
/// player.
public protocol PlayerDelegate: AnyObject {
    /// Returns the track after `track`, and its first millisecond; nil where the queue ends with it.
    func trackAfter(_ track: Track) -> (track: Track, milliseconds: Int)?
    /// The ear has passed from one track to the next by itself.
    func playerDidPass(from ended: Track, to track: Track)
    /// The listener has heard the end of `track`, and nothing follows. The player is paused at that end.
    func playerDidEnd(_ track: Track)
    /// `track` cannot play, or no further; the player is paused at the last place. `wanted` tells whether it was to play.
    func playerDidFail(_ track: Track, _ error: PlaybackError, wanted: Bool)
    /// The seek table of a track is known now, and so its true duration.
    func playerDidMeasure(_ track: Track, _ table: SeekTable)
    /// The card is unusable: why, in words. Said once; tried again until it can.
    func playerDidLoseDevice(_ message: String)
    /// The card is usable again.
    func playerDidFindDevice()
    /// Other programs can open the card.
    func playerDidCloseCard()
    /// Playing, paused or position changed otherwise than by time passing.
    func playerDidChange()
}
