import Realtime

/// What control tells the audio thread, as `Message.kind`. Those that a person hears at once carry in b when he asked for it, in
/// nanoseconds of CLOCK_MONOTONIC, 0 where nobody did: load, play, pause, unload.
enum AudioCommand {
    /// a: pointer to an `Output`. Sent only while the audio thread has none.
    static var attach: Int { @_noLocks @_noAllocation get { 1 } }
    /// Give the output back, with `AudioEvent.detached`.
    static var detach: Int { @_noLocks @_noAllocation get { 2 } }
    /// a: pointer to a `Deck`. Play it from now on instead of what is playing or queued.
    static var load: Int { @_noLocks @_noAllocation get { 3 } }
    /// a: pointer to a `Deck`. Go on with it when the one playing ends.
    static var lineUp: Int { @_noLocks @_noAllocation get { 4 } }
    /// Give back the deck lined up, if its turn has not come.
    static var clearLineUp: Int { @_noLocks @_noAllocation get { 5 } }
    static var play: Int { @_noLocks @_noAllocation get { 6 } }
    static var pause: Int { @_noLocks @_noAllocation get { 7 } }
    /// a: level, `Envelope.unity` at most.
    static var volume: Int { @_noLocks @_noAllocation get { 8 } }
    /// Pause and give back all decks.
    static var unload: Int { @_noLocks @_noAllocation get { 9 } }
    static var quit: Int { @_noLocks @_noAllocation get { 10 } }
}

/// What the audio thread tells control, as `Message.kind`.
enum AudioEvent {
    /// a: pointer to a `Deck` that the audio thread is done with. b: its `inputState`.
    static var released: Int { @_noLocks @_noAllocation get { 1 } }
    /// a: pointer to the `Output` that was asked back.
    static var detached: Int { @_noLocks @_noAllocation get { 2 } }
    /// a: pointer to the `Output` that failed, b: negative errno. All decks are given back too; the snapshot keeps the place.
    static var outputLost: Int { @_noLocks @_noAllocation get { 3 } }
    /// a: token of the deck that has begun to be decoded behind the one before; the snapshot tells when it will be heard.
    static var nextBegun: Int { @_noLocks @_noAllocation get { 4 } }
    /// Everything has been heard and nothing was lined up. a: token of the last deck, b: its `inputState`.
    static var ended: Int { @_noLocks @_noAllocation get { 5 } }
    /// A pause has faded out and the card is silent.
    static var paused: Int { @_noLocks @_noAllocation get { 6 } }
}
