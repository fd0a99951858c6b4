/// The queue as it stood at one moment: edits made meanwhile are not seen. Cheap to make and to keep.
public protocol QueueListing: AnyObject {
    var count: Int { get }
    /// The number that stays with the entry at a position, which exists.
    func songID(at position: Int) -> Int
    /// The entries at these positions, which exist, with their `entry` filled in; without those that the library has forgotten.
    func songs(_ positions: Range<Int>) -> [SongDescription]
}

/// What of the library is to be listed, in portions.
public protocol EntryListing: AnyObject {
    /// The next entries, at most `limit` of them, for which no more than some hundred rows are looked at: there may be none although
    /// some follow. nil behind the last.
    func next(_ limit: Int) -> [LibraryEntry]?
}

/// The different values of tags, in portions and as `EntryListing` has it.
public protocol ValueListing: AnyObject {
    /// A row has a text of each tag asked for, the empty one where a song has none.
    func next(_ limit: Int) -> [[String]]?
}

/// The library in numbers, which are counted in portions as `EntryListing` has it.
public protocol StatisticsTally: AnyObject {
    /// Counts the next portion: the numbers once all is counted, nil where something is left.
    func next() -> LibraryStatistics?
}

/// How many songs there are, counted in portions as `EntryListing` has it.
public protocol SongTally: AnyObject {
    /// Of the next portion; nil behind the last. What follows may belong to the same group.
    func next() -> [SongCount]?
}

/// A file or folder as the disk has it.
public struct FileDescription: Equatable, Sendable {
    public var name: String
    /// nil for a folder.
    public var bytes: Int64?
    public var modifiedSeconds: Int64

    public init(name: String, bytes: Int64?, modifiedSeconds: Int64) {
        self.name = name
        self.bytes = bytes
        self.modifiedSeconds = modifiedSeconds
    }
}

/// Songs counted.
public struct SongCount: Sendable {
    /// What they have in common; nil where nothing was asked for.
    public var group: String?
    public var songs: Int
    public var milliseconds: Int64

    public init(group: String? = nil, songs: Int, milliseconds: Int64) {
        self.group = group
        self.songs = songs
        self.milliseconds = milliseconds
    }
}
