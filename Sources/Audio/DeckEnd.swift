/// Why a deck has no more frames.
public enum DeckEnd: BitwiseCopyable, Equatable, Sendable {
    /// All that the stream holds was given.
    case complete
    /// Its bytes could not be read to the end.
    case readFailed(errno: Int32)
    /// The decoder cannot go on.
    case decodeFailed

    public var isComplete: Bool {
        @_noLocks @_noAllocation get {
            if case .complete = self { true } else { false }
        }
    }
}
