// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import SQLite

/// The columns for a filter, in SQLite's memory: valid until the next row.
extension ItemRow {
    enum Column: Int32 { case id, duration, path, pathKey, modified, added, tags, isPresent }
    /// The columns in the order of `Column`.
    static let columns = "item.id, duration, path, pathKey, fileModified, added, tags, isPresent"
    static let columnsWithoutTags = "item.id, duration, path, pathKey, fileModified, added, NULL, isPresent"
    static let tables = "item LEFT JOIN itemTags ON itemTags.item = item.id"

    init(_ row: Statement) {
        self.init(
            id: row.integer(Column.id), path: row.rawBytes(Column.path), modified: row.integer(Column.modified),
            added: row.integer(Column.added), tags: row.rawBytes(Column.tags))
    }
}

extension ItemFilter {
    /// Returns the exact text that all matches have in a tag, if the filter asks for one: an index finds it.
    func exact() -> (tag: Tag, text: [UInt8])? {
        switch self {
        case .match(.tag(let tag), .equals, let text, false):
            text.isEmpty || text.utf8.count > TagIndex.mostTextBytes ? nil : (tag, Array(text.utf8))
        case .and(let terms): terms.lazy.compactMap { $0.exact() }.first
        default: nil
        }
    }
}
