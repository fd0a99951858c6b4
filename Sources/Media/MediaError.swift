/// Why something holds nothing to play.
public enum MediaError: Error {
    /// Its bytes cannot be read.
    case source(SourceError)
    /// It is no audio of a format that is known here.
    case noAudio
}
