// SPDX-License-Identifier: Apache-2.0
import Media

/// The owner of the queue, which informs the listener. All calls come on the control thread, from the event loop or within a call to the
/// player.
public protocol PlayerDelegate: AnyObject {
    /// Returns the track after `track`, and its first millisecond; nil at the end of the queue.
    func trackAfter(_ track: Track) -> (track: Track, milliseconds: Int)?
    /// Reports that the next track became audible by itself.
    func playerDidPass(from ended: Track, to track: Track)
    /// Reports that the listener has heard the end of `track`, and nothing follows. The player is paused at that end.
    func playerDidEnd(_ track: Track)
    /// Reports that `track` cannot play, or no further; the player is paused at the last position. `wanted` tells whether it should play.
    func playerDidFail(_ track: Track, _ error: PlaybackError, wanted: Bool)
    /// Reports the seek table of a track, and with it the exact duration.
    func playerDidMeasure(_ track: Track, _ table: SeekTable)
    /// Reports once why the card is unusable. The player keeps trying.
    func playerDidLoseDevice(_ message: String)
    /// Reports that the card is usable again.
    func playerDidFindDevice()
    /// Reports that other programs can open the card.
    func playerDidCloseCard()
    /// Reports a change of playback or position, other than by passing time.
    func playerDidChange()
}
