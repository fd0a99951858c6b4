import CPosix
import Library
import Posix

// What the library will bring itself.

public struct QueueEntry: Equatable, Sendable {
    public var songID: Int
    public var itemID: Item.ID
    public init(songID: Int, itemID: Item.ID) {
        self.songID = songID
        self.itemID = itemID
    }
}

public enum QueueChange: Sendable {
    case insert([QueueEntry], after: Int?)
    case remove(first: Int, last: Int)
    case replace([QueueEntry])
    case followLibrary
}

public final class LogJob {
    let path: String
    var failure: String?
    init(path: String) { self.path = path }
    public func run() {}
}

extension Library {
    public var wholeQueue: () -> [QueueEntry]? {
        get { { nil } }
        set {}
    }
    public func restoredQueue() -> [QueueEntry] {
        (restoredState?.queue ?? []).map { QueueEntry(songID: $0.songID, itemID: $0.itemID) }
    }
    public func saveQueue(_ change: QueueChange) {}
    public func logJob(isIdle: Bool) -> LogJob? { nil }
    public func finish(_ job: LogJob) -> String? { nil }
}

extension SpeakerState {
    public var currentItemID: Item.ID? { queue.first { $0.songID == currentSongID }?.itemID }
    init(
        currentSongID: Int?, currentItemID: Item.ID?, isPlaying: Bool, volumePercent: Int, nextSongID: Int,
        queueIsLibrary: Bool
    ) {
        self.init(
            queue: [], currentSongID: currentSongID, isPlaying: isPlaying, volumePercent: volumePercent,
            nextSongID: nextSongID, queueIsLibrary: queueIsLibrary)
    }
}
