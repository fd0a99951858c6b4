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

/// One place in the queue. The same item may stand there twice; its song id tells the places apart.
public struct QueueEntry: Equatable, Sendable {
    public var songID: Int
    public var itemID: Item.ID
    /// Of MPD's: 0…255.
    public var priority: UInt8
    /// The number of the item's chapter that alone is played, from 1 on; 0 for the whole item.
    public var chapter: UInt16

    public init(songID: Int, itemID: Item.ID, priority: UInt8 = 0, chapter: UInt16 = 0) {
        self.songID = songID
        self.itemID = itemID
        self.priority = priority
        self.chapter = chapter
    }
}

/// An edit of the queue.
public enum QueueChange: Sendable {
    /// After the song of that id; nil: before all others.
    case insert([QueueEntry], after: Int?)
    /// Neighbours, from the one to the other.
    case remove(first: Int, last: Int)
    /// The neighbours from the one song to the other stand in this order now, behind a third; nil: before all others.
    case reorder([QueueEntry], first: Int, last: Int, after: Int?)
    /// The one stands where the other stood.
    case swap(QueueEntry, QueueEntry)
    /// Neighbours, from the one to the other, are of this priority now.
    case prioritise(first: Int, last: Int, UInt8)
    /// Nothing of what was is left.
    case replace([QueueEntry])
    /// Nobody has changed it (any more): it is the library and takes no rows.
    case followLibrary
}
