import Media

/// Who owns the queue and tells people. All calls come on the control thread, from the event loop or from within a call to the player.
public protocol PlayerDelegate: AnyObject {
    /// What to play after `track`, and from which millisecond; nil where the queue ends with it.
    func trackAfter(_ track: Track) -> (track: Track, milliseconds: Int)?
    /// The ear has passed from one track to the next by itself.
    func playerDidPass(from ended: Track, to track: Track)
    /// The end of `track` has been heard and nothing follows. The player is paused at its end.
    func playerDidEnd(_ track: Track)
    /// `track` cannot be played, or no further; the player is paused where it was. `wanted` tells whether it was to play.
    func playerDidFail(_ track: Track, _ error: PlaybackError, wanted: Bool)
    /// How to begin anywhere in a track is known now, and so its true duration.
    func playerDidMeasure(_ track: Track, _ table: SeekTable)
    /// The card cannot be used: why, in words. Said once; tried again until it can.
    func playerDidLoseDevice(_ message: String)
    /// The card can be used again.
    func playerDidFindDevice()
    /// Playing, paused or position changed otherwise than by time passing.
    func playerDidChange()
}
