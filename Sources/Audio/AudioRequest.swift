/// What control asks of the audio thread. `asked`, where a person hears the answer at once, is when he asked, in nanoseconds of
/// CLOCK_MONOTONIC; 0 if nobody did.
public enum AudioRequest: BitwiseCopyable {
    /// Sent only while the audio thread has no output.
    case attach(UnsafeMutablePointer<Output>)
    /// Give the output back, with `AudioEvent.detached`.
    case detach
    /// Play the deck from now on instead of what is playing or queued. If it holds the same recording as the one with the token
    /// `behind`, got ready where that is heard or a little before, it goes on from the very frame that is reached.
    case load(UnsafeMutablePointer<Deck>, behind: Int = 0, asked: Int64)
    /// Go on with the deck when the one playing ends.
    case lineUp(UnsafeMutablePointer<Deck>)
    /// Give back the deck lined up, if its turn has not come.
    case clearLineUp
    case play(asked: Int64)
    case pause(asked: Int64)
    /// From the level that a gain has to another, `Envelope.unity` at most, within so many milliseconds of what is heard.
    case gain(Gains.Kind, level: Int, milliseconds: Int)
    /// The recording of a deck is multiplied with another gain from now on (`Leveller`), if the deck is here and has one.
    case level(token: Int, gain: Int)
    /// Says frames in the card's rate and channels at once, over whatever plays or nothing, instead of what is being said; nil says
    /// nothing more. They come back with `AudioEvent.spoken`.
    case speak(UnsafeMutablePointer<Int16>?, frames: Int)
    /// Pause and give back all decks.
    case unload(asked: Int64)
    case quit

    /// The listener's volume, in a step that does not click.
    public static func volume(level: Int) -> AudioRequest {
        .gain(.user, level: level, milliseconds: Int(Timing.volumeMilliseconds))
    }
}
