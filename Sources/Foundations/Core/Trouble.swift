/// What keeps the speaker from playing, for as long as it does; a screen shows it all the while.
public enum Trouble: Equatable, Sendable, CaseIterable {
    case noSoundDevice
    /// The file, or the disk that it is on, is away; playing goes on when it is back.
    case fileMissing
    /// What plays comes from a network, which is slow or away; it goes on where it stopped.
    case streamAwaited
    /// The library has been looked through, and there is nothing in it.
    case noAudioFound
    /// The library is being looked through, and nothing was found so far.
    case lookingForAudio
}
