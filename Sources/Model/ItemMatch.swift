// SPDX-License-Identifier: Apache-2.0
import Core
import Posix

/// The columns for a filter, in their buffers: valid until these move.
public struct ItemRow {
    public let id: Item.ID
    public let path: UnsafeRawBufferPointer
    /// The time of the last change in seconds since 1970.
    public let modified: Int64
    public let added: Int64
    /// The tags in the form of `TagList`.
    public let tags: UnsafeRawBufferPointer

    public init(
        id: Item.ID, path: UnsafeRawBufferPointer, modified: Int64, added: Int64, tags: UnsafeRawBufferPointer
    ) {
        self.id = id
        self.path = path
        self.modified = modified
        self.added = added
        self.tags = tags
    }
}

/// A prepared filter for matching many items.
public struct ItemMatch: Sendable {
    private indirect enum Term: Sendable {
        case and([Term])
        case not(Term)
        case text(ItemFilter.Column, ItemFilter.Comparison, [UInt8], foldsCase: Bool)
        case pattern(ItemFilter.Column, TextPattern)
        case base(folder: [UInt8])
        case modifiedSince(Int64)
        case addedSince(Int64)
        case among(ItemSet)
    }

    private let term: Term
    /// The number of bytes that `.file` leaves out.
    private let rootBytes: Int

    public init(_ filter: ItemFilter, root: String = "") {
        term = ItemMatch.term(filter)
        rootBytes = root.isEmpty ? 0 : root.folderPrefix.utf8.count
    }

    private static func term(_ filter: ItemFilter) -> Term {
        switch filter {
        case .and(let terms): .and(terms.map { term($0) })
        case .not(.not(let other)): term(other)
        case .not(let other): .not(term(other))
        case .match(let column, let comparison, let text, let foldsCase):
            .text(column, comparison, foldsCase ? text.searchFolded : Array(text.utf8), foldsCase: foldsCase)
        case .pattern(let column, let pattern): .pattern(column, pattern)
        case .base(let path): path.isEmpty ? .and([]) : .base(folder: Array(path.folderPrefix.utf8))
        case .modifiedSince(let seconds): .modifiedSince(seconds)
        case .addedSince(let seconds): .addedSince(seconds)
        case .said: .among(ItemSet())
        case .among(let set): .among(set)
        }
    }

    public func holds(_ row: ItemRow) -> Bool { holds(term, row) }

    private func holds(_ term: Term, _ row: ItemRow) -> Bool {
        switch term {
        case .and(let terms): return terms.allSatisfy { holds($0, row) }
        case .not(let term): return !holds(term, row)
        case .base(let folder): return row.path.isBelow(folder) || row.path.elementsEqual(folder.dropLast())
        case .modifiedSince(let seconds): return row.modified >= seconds
        case .addedSince(let seconds): return row.added >= seconds
        case .among(let set): return set.contains(row.id)
        case .pattern(let column, let pattern):
            return isAny(column, row, isEmptyEnough: pattern.text.isEmpty) { pattern.isFound(in: $0) }
        case .text(let column, let match, let needle, let foldsCase):
            return needle.withUnsafeBytes { needle in
                isAny(column, row, isEmptyEnough: needle.isEmpty) { text in
                    foldsCase ? match.matches(text, needle) : match.matchesExactly(text, needle)
                }
            }
        }
    }

    /// Returns whether one of an item's texts matches.
    /// - Parameter isEmptyEnough: the answer for an item that lacks the tag and its fallback.
    private func isAny(
        _ column: ItemFilter.Column, _ row: ItemRow, isEmptyEnough: Bool, _ holds: (UnsafeRawBufferPointer) -> Bool
    ) -> Bool {
        var isFound = false
        switch column {
        case .file: return holds(UnsafeRawBufferPointer(rebasing: row.path.dropFirst(rootBytes)))
        case .any:
            TagList.visit(row.tags) { tag, range in
                if isFound || !tag.isOfMPD { return }
                isFound = holds(UnsafeRawBufferPointer(rebasing: row.tags[range]))
            }
        case .tag(let tag):
            guard let source = TagList.source(of: tag, TagList.mask(row.tags)) else { return isEmptyEnough }
            TagList.visit(row.tags) { tag, range in
                if isFound || tag != source { return }
                isFound = holds(UnsafeRawBufferPointer(rebasing: row.tags[range]))
            }
        }
        return isFound
    }
}

/// Comparing texts, byte by byte or ignoring case.
extension ItemFilter.Comparison {
    /// Returns whether `text` is, begins with or contains `needle`.
    func matchesExactly(_ text: UnsafeRawBufferPointer, _ needle: UnsafeRawBufferPointer) -> Bool {
        matches(text, needle) { $0 }
    }

    /// Returns whether `text`, folded as a search does, is, begins with or contains `needle`.
    func matches(_ text: UnsafeRawBufferPointer, _ needle: UnsafeRawBufferPointer) -> Bool {
        if text.allSatisfy({ $0 < 0x80 }) {
            return matches(text, needle) { $0.lowerCase }
        }
        return String(decoding: text, as: UTF8.self).searchFolded.withUnsafeBytes { matches($0, needle) { $0 } }
    }

    private func matches(
        _ text: UnsafeRawBufferPointer, _ needle: UnsafeRawBufferPointer, _ folded: (UInt8) -> UInt8
    ) -> Bool {
        let room = text.count - needle.count
        if room < 0 || (self == .equals && room != 0) { return false }
        var start = 0
        while start <= room {
            var count = 0
            while count < needle.count && folded(text[start + count]) == needle[count] { count += 1 }
            if count == needle.count { return true }
            if self != .contains { return false }
            start += 1
        }
        return false
    }
}

extension String {
    /// The folder's path with the "/" behind it that begins every path below.
    public var folderPrefix: String { utf8.last == UInt8(ascii: "/") ? self : self + "/" }
}

extension UnsafeRawBufferPointer {
    /// Returns whether this path is below a folder that ends with "/".
    public func isBelow(_ folder: [UInt8]) -> Bool {
        count >= folder.count && folder.elementsEqual(self[..<folder.count])
    }

    /// Returns whether this path is in a subfolder of that folder.
    public func isDeeper(_ folder: [UInt8]) -> Bool {
        count > folder.count && self[folder.count...].contains(UInt8(ascii: "/"))
    }
}
