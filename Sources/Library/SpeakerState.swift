// SPDX-License-Identifier: Apache-2.0
import Model

/// The speaker's state for resuming after a power cut. The queue has rows of its own: `QueueEntry`.
public struct SpeakerState: Equatable, Sendable {
    /// The song id of the current entry.
    public var currentSongID: Int?
    /// The item of the current entry. A queue that is the library has new song ids after a restart.
    public var currentItemID: Item.ID?
    /// False if it was paused or stopped.
    public var isPlaying: Bool
    /// The volume, 0…100.
    public var volumePercent: Int
    /// The song id for the next added entry; never used before.
    public var nextSongID: Int
    /// True if the queue has no edits: it is the whole library in its order, and follows it.
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

    /// The largest song id from which ids count on, even on a damaged page.
    static let mostSongID = 1 << 30
}
