/// What control asks of the audio thread. `asked`, where a person hears the answer at once, is when he asked, in nanoseconds of
/// CLOCK_MONOTONIC; 0 if nobody did.
public enum AudioRequest: BitwiseCopyable {
    /// Sent only while the audio thread has no output.
    case attach(UnsafeMutablePointer<Output>)
    /// Give the output back, with `AudioEvent.detached`.
    case detach
    /// Play the deck from now on instead of what is playing or queued.
    case load(UnsafeMutablePointer<Deck>, asked: Int64)
    /// Go on with the deck when the one playing ends.
    case lineUp(UnsafeMutablePointer<Deck>)
    /// Give back the deck lined up, if its turn has not come.
    case clearLineUp
    case play(asked: Int64)
    case pause(asked: Int64)
    /// The listener's own volume, `Envelope.unity` at most.
    case volume(level: Int)
    /// Pause and give back all decks.
    case unload(asked: Int64)
    case quit
}
