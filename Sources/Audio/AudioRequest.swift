// SPDX-License-Identifier: Apache-2.0
/// Requests from control to the audio thread. `asked`, where a person hears the answer at once, is when he asked, in nanoseconds of
/// CLOCK_MONOTONIC; 0 if no person asked.
public enum AudioRequest: BitwiseCopyable {
    /// Sent only while the audio thread has no output.
    case attach(UnsafeMutablePointer<Output>)
    /// Give the output back, with `AudioEvent.detached`.
    case detach
    /// Play the deck from now on instead of what is playing or queued. If the deck holds the same recording as the one with the token
    /// `behind`, and was prepared at the heard place or a little before, playback continues at exactly the frame it has reached.
    case load(UnsafeMutablePointer<Deck>, behind: Int = 0, asked: Int64)
    /// Go on with the deck when the one playing ends.
    case lineUp(UnsafeMutablePointer<Deck>)
    /// Give back the deck lined up, if its turn has not come.
    case clearLineUp
    case play(asked: Int64)
    case pause(asked: Int64)
    /// Moves a gain from its present level to another, at most `Envelope.unity`, within so many milliseconds of heard sound.
    case gain(Gains.Kind, level: Int, milliseconds: Int)
    /// Multiplies a deck's recording with another gain from now on (`Leveller`), if the deck is here and has one.
    case level(token: Int, gain: Int)
    /// Speaks frames in the card's rate and channels at once, over the playing sound or silence, and replaces an earlier voice; nil says
    /// nothing more. They come back with `AudioEvent.spoken`. The playing sound has the level `under` meanwhile.
    case speak(UnsafeMutablePointer<Int16>?, frames: Int, under: Int)
    /// Pause and give back all decks.
    case unload(asked: Int64)
    case quit

    /// The listener's volume, in a step that does not click.
    public static func volume(level: Int) -> AudioRequest {
        .gain(.user, level: level, milliseconds: Int(Timing.volumeMilliseconds))
    }
}
