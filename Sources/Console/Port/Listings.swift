import Model

/// The queue as it stood at one moment: edits made meanwhile are not seen. Cheap to make and to keep.
public protocol QueueListing: AnyObject {
    var count: Int { get }
    /// The number that stays with the entry at a position, which exists.
    func songID(at position: Int) -> Int
    /// The entries at these positions, which exist, with their `entry` filled in; without those that the library has forgotten.
    func songs(_ positions: Range<Int>) -> [SongDescription]
}

/// What is to be listed, in portions: the next ones, at most so many, for which no more than some hundred rows are looked at. There may be
/// none although some follow; nil behind the last.
public typealias Pages<Element> = (_ limit: Int) -> [Element]?

/// Sentences that were found, in portions: the next ones, at most so many, once the worker has answered. There may be none although some
/// follow; nil after the last.
public typealias SpokenListing = (_ limit: Int) -> Awaited<[SpokenHit]?>

/// What is at hand, in portions.
public func pages<Element>(of elements: [Element]) -> Pages<Element> {
    var left = elements[...]
    return { limit in
        if left.isEmpty { return nil }
        defer { left = left.dropFirst(max(1, limit)) }
        return Array(left.prefix(max(1, limit)))
    }
}

/// What stands at places, in portions, up to where there is nothing more.
func pages<Element>(_ range: Range<Int>, _ find: @escaping (Range<Int>) -> [Element]) -> Pages<Element> {
    var left = range
    return { limit in
        if left.isEmpty { return nil }
        let page = left.prefix(limit)
        let found = find(page)
        left = (found.count < page.count ? left.upperBound : page.upperBound)..<left.upperBound
        return found
    }
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
