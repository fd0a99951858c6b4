// SPDX-License-Identifier: Apache-2.0
/// Requests from control to the audio thread. `asked` is the time of the listener's request in nanoseconds of CLOCK_MONOTONIC, if the
/// answer is audible at once; 0 without a listener's request.
public enum AudioRequest: BitwiseCopyable {
    /// Sent only while the audio thread has no output.
    case attach(UnsafeMutablePointer<Output>)
    /// Returns the output with `AudioEvent.detached`.
    case detach
    /// Plays the deck in place of everything playing or queued. If it has the same recording as the deck with the token `behind`, and was
    /// prepared at the audible position or slightly before, playback continues at exactly the present frame.
    case load(UnsafeMutablePointer<Deck>, behind: Int = 0, asked: Int64)
    /// Continues with the deck when the playing one ends.
    case lineUp(UnsafeMutablePointer<Deck>)
    /// Returns the lined-up deck if its turn has not come.
    case clearLineUp
    case play(asked: Int64)
    case pause(asked: Int64)
    /// Moves a gain from its present level to another, at most `Envelope.unity`, within so many milliseconds of audible sound.
    case gain(Gains.Kind, level: Int, milliseconds: Int)
    /// Changes the gain of a deck's recording from now on (`Leveller`), if the deck is in use and has a gain.
    case level(token: Int, gain: Int)
    /// Speaks frames in the card's format at once, over the playing sound or silence, in place of an earlier voice; nil ends the voice. The
    /// frames come back with `AudioEvent.spoken`. The playing sound has the level `under` meanwhile.
    case speak(UnsafeMutablePointer<Int16>?, frames: Int, under: Int)
    /// Pauses and returns all decks.
    case unload(asked: Int64)
    case quit

    /// Sets the listener's volume, in a step without clicks.
    public static func volume(level: Int) -> AudioRequest {
        .gain(.user, level: level, milliseconds: Int(Timing.volumeMilliseconds))
    }
}
