import Model

/// What the speaker was doing, so that it can go on after a power cut. The queue has rows of its own: `QueueEntry`.
public struct SpeakerState: Equatable, Sendable {
    /// Which of the queue is playing, paused or chosen.
    public var currentSongID: Int?
    /// The item of it. A queue that is the library has new song ids after a restart.
    public var currentItemID: Item.ID?
    /// False where it was paused or stopped.
    public var isPlaying: Bool
    /// 0…100.
    public var volumePercent: Int
    /// The song id for the next entry added; never used before.
    public var nextSongID: Int
    /// Nobody has changed the queue: it is the whole library in its order, and follows it.
    public var queueIsLibrary: Bool

    public init(
        currentSongID: Int? = nil, currentItemID: Item.ID? = nil, isPlaying: Bool = false, volumePercent: Int = 100,
        nextSongID: Int = 1, queueIsLibrary: Bool = false
    ) {
        self.currentSongID = currentSongID
        self.currentItemID = currentItemID
        self.isPlaying = isPlaying
        self.volumePercent = volumePercent
        self.nextSongID = nextSongID
        self.queueIsLibrary = queueIsLibrary
    }

    /// Song ids that count on from here without end, whatever a damaged page says.
    static let mostSongID = 1 << 30
}
