import Core
import Model
import Posix
import SQLite

/// What a filter looks at, where SQLite has it: until the next row.
struct ItemRow {
    enum Column: Int32 { case id, duration, path, pathKey, modified, added, tags, isPresent }
    /// Selected in the order of `Column`.
    static let columns = "item.id, duration, path, pathKey, fileModified, added, tags, isPresent"
    static let tables = "item LEFT JOIN itemTags ON itemTags.item = item.id"

    let id: Item.ID
    let path: UnsafeRawBufferPointer
    let modified: Int64
    let added: Int64
    let tags: UnsafeRawBufferPointer

    init(_ row: Statement) {
        id = row.integer(Column.id)
        path = row.rawBytes(Column.path)
        modified = row.integer(Column.modified)
        added = row.integer(Column.added)
        tags = row.rawBytes(Column.tags)
    }
}

/// A filter made ready to be asked of many items.
struct ItemMatch {
    private indirect enum Term {
        case and([Term])
        case not(Term)
        case text(ItemFilter.Column, TextMatch, [UInt8], foldsCase: Bool)
        case pattern(ItemFilter.Column, TextPattern)
        case base(folder: [UInt8])
        case modifiedSince(Int64)
        case addedSince(Int64)
        case among(ItemSet)
    }

    private let term: Term
    /// What `.file` leaves out.
    private let rootBytes: Int

    init(_ filter: ItemFilter, root: String) {
        term = ItemMatch.term(filter)
        rootBytes = root.isEmpty ? 0 : Folders.prefix(root).utf8.count
    }

    private static func term(_ filter: ItemFilter) -> Term {
        switch filter {
        case .and(let terms): .and(terms.map { term($0) })
        case .not(.not(let other)): term(other)
        case .not(let other): .not(term(other))
        case .match(let column, let comparison, let text, let foldsCase):
            .text(column, comparison.match, Array((foldsCase ? text.lowerCase : text).utf8), foldsCase: foldsCase)
        case .pattern(let column, let pattern): .pattern(column, pattern)
        case .base(let path): path.isEmpty ? .and([]) : .base(folder: Array(Folders.prefix(path).utf8))
        case .modifiedSince(let seconds): .modifiedSince(seconds)
        case .addedSince(let seconds): .addedSince(seconds)
        case .among(let set): .among(set)
        }
    }

    func holds(_ row: ItemRow) -> Bool { holds(term, row) }

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

    /// Of several texts one is enough.
    /// - Parameter isEmptyEnough: the answer for an item that lacks the tag and what stands in for it.
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
            guard let source = TagIndex.source(of: tag, TagIndex.mask(row.tags)) else { return isEmptyEnough }
            TagList.visit(row.tags) { tag, range in
                if isFound || tag != source { return }
                isFound = holds(UnsafeRawBufferPointer(rebasing: row.tags[range]))
            }
        }
        return isFound
    }
}

extension ItemFilter.Comparison {
    fileprivate var match: TextMatch {
        switch self {
        case .equals: .same
        case .begins: .begins
        case .contains: .contains
        }
    }
}

extension UnsafeRawBufferPointer {
    /// As a path, in a folder that ends with "/".
    func isBelow(_ folder: [UInt8]) -> Bool {
        count >= folder.count && folder.elementsEqual(self[..<folder.count])
    }

    /// Whether it is of something in a folder below the one.
    func isDeeper(_ folder: [UInt8]) -> Bool {
        count > folder.count && self[folder.count...].contains(UInt8(ascii: "/"))
    }
}
