// SPDX-License-Identifier: Apache-2.0
import Model

/// The queue as it stood at one moment: later edits do not show. Cheap to make and to keep.
public protocol QueueListing: AnyObject {
    var count: Int { get }
    /// The number that stays with the entry at a position, which exists.
    func songID(at position: Int) -> Int
    /// The entries at these positions, which exist, with their `entry` filled in; without those that the library has forgotten.
    func songs(_ positions: Range<Int>) -> [SongDescription]
}

/// A list in portions: each call returns the next ones, at most `limit`, and looks at no more than some hundred rows. There may be none
/// although some follow; nil behind the last.
public typealias Pages<Element> = (_ limit: Int) -> [Element]?

/// Found sentences in portions: the next ones, at most so many, once the worker has answered. There may be none although some follow; nil
/// after the last.
public typealias SpokenListing = (_ limit: Int) -> Awaited<[SpokenHit]?>

/// Lists elements in memory, in portions.
public func pages<Element>(of elements: [Element]) -> Pages<Element> {
    var left = elements[...]
    return { limit in
        if left.isEmpty { return nil }
        defer { left = left.dropFirst(max(1, limit)) }
        return Array(left.prefix(max(1, limit)))
    }
}

/// Lists the elements at positions, in portions, up to the first empty one.
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
    /// The common value of the group; nil without a grouping.
    public var group: String?
    public var songs: Int
    public var milliseconds: Int64

    public init(group: String? = nil, songs: Int, milliseconds: Int64) {
        self.group = group
        self.songs = songs
        self.milliseconds = milliseconds
    }
}
