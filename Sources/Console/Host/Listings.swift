// SPDX-License-Identifier: Apache-2.0
import Model

/// A list in portions: each call returns the next elements, at most `limit`, and looks at no more than some hundred rows. A portion may be
/// empty although some follow; nil behind the last.
typealias Pages<Element> = (_ limit: Int) -> [Element]?

/// Found sentences in portions: the next ones, at most `limit`, once the worker has answered. A portion may be empty although some follow;
/// nil behind the last.
typealias SpokenListing = (_ limit: Int) -> Awaited<[SpokenHit]?>

/// Lists elements in memory, in portions.
func pages<Element>(of elements: [Element]) -> Pages<Element> {
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

/// A file or folder on the disk.
struct FileDescription: Equatable, Sendable {
    var name: String
    /// The size; nil for a folder.
    var bytes: Int64?
    var modifiedSeconds: Int64
}

/// A number of songs.
struct SongCount: Sendable {
    /// The common value of the group; nil without a grouping.
    var group: String?
    var songs: Int
    var milliseconds: Int64
}
