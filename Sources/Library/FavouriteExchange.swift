// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Posix
import SQLite

/// Favorites and bookmarks as JSON, one object for each, for another speaker to import. SQLite writes and reads it.
///
/// An object knows its audio by `ContentIdentity`: it means the same audio on any speaker, under any file name. Path and title are for
/// readers of the file.
extension Library {
    /// The end of a page of `keptObjects`.
    public enum KeptCursor: Sendable {
        case favourites(after: Int64)
        case bookmarks(after: Int64)

        public static let start = KeptCursor.favourites(after: .min)
    }

    /// The result of importing an object.
    public enum Exchange: Sendable {
        case added, alreadyThere, notSaved
        /// The text is no object of ours.
        case refused
    }

    /// Returns a page of favorites and bookmarks, in the order of adding: favorites first, then bookmarks.
    public func keptObjects(after cursor: KeptCursor, limit: Int) -> (objects: [String], next: KeptCursor?) {
        read(else: ([], nil)) { (database) throws(SQLiteError) in
            let rows: Statement
            switch cursor {
            case .favourites(let last):
                rows = try database.cached(
                    """
                    SELECT revision, json_object('kind', 'favourite', 'hash', printf('%016x', hash), 'bytes', audioBytes,
                      'path', path, 'title', title, 'added', json_extract(value, '$.added'))
                    FROM fact JOIN content ON content.id = fact.content
                    LEFT JOIN item ON item.id = (SELECT file.id FROM item AS file WHERE file.content = content.id
                      ORDER BY file.isPresent DESC, file.id LIMIT 1)
                    WHERE kind = 'favourite' AND json_valid(value) AND revision > ? ORDER BY revision LIMIT ?
                    """, .integer(last), .integer(limit))
            case .bookmarks(let last):
                rows = try database.composed(
                    """
                    SELECT revision, json_object('kind', 'bookmark', 'hash', printf('%016x', hash), 'bytes', audioBytes,
                      'path', path, 'title', title, 'added', json_extract(value, '$.added'),
                      'milliseconds', \(Facts.milliseconds), 'words', json_extract(value, '$.words'))
                    FROM fact JOIN content ON content.id = fact.content
                    LEFT JOIN item ON item.id = (SELECT file.id FROM item AS file WHERE file.content = content.id
                      ORDER BY file.isPresent DESC, file.id LIMIT 1)
                    WHERE kind = 'bookmark' AND json_valid(value) AND revision > ? ORDER BY revision LIMIT ?
                    """, [.integer(last), .integer(limit)])
            }
            defer { rows.reset() }
            var objects: [String] = []
            var last: Int64 = 0
            while try rows.step() {
                last = rows.integer(0)
                objects.append(rows.text(1))
            }
            switch cursor {
            case .favourites:
                return (objects, objects.count < limit ? .bookmarks(after: .min) : .favourites(after: last))
            case .bookmarks: return (objects, objects.count < limit ? nil : .bookmarks(after: last))
            }
        }
    }

    /// Takes in an object that `keptObjects` has made on this speaker or another: as a record of that speaker and time.
    public func takeIn(keptObject object: String) -> Exchange {
        let record: SharedRecord? = read(else: nil) { (database) throws(SQLiteError) in
            try SharedRecord(keptObject: object, database)
        }
        guard let record else { return .refused }
        return switch merge(record) {
        case .added: .added
        case .older, .same, .later: .alreadyThere
        case .refused: .refused
        case .notSaved: .notSaved
        }
    }
}

extension SharedRecord {
    private enum Column: Int32 { case kind, hash, bytes, added, milliseconds, title, favourite, bookmark }

    /// nil if the object is neither a favorite nor a bookmark.
    init?(keptObject text: String, _ database: Database) throws(SQLiteError) {
        // Check for JSON first: SQLite's json functions fail the whole statement.
        let valid = try database.cached("SELECT json_valid(?)", .text(text))
        defer { valid.reset() }
        guard try valid.step(), valid.integer(0) != 0 else { return nil }
        let row = try database.cached(
            """
            SELECT json_extract(?1, '$.kind'), json_extract(?1, '$.hash'), json_extract(?1, '$.bytes'),
              json_extract(?1, '$.added'), json_extract(?1, '$.milliseconds'), json_extract(?1, '$.title'),
              json_object('added', json_extract(?1, '$.added')),
              json_object('added', json_extract(?1, '$.added'), 'words', ifnull(json_extract(?1, '$.words'), ''))
            WHERE json_type(?1, '$.hash') = 'text' AND json_type(?1, '$.bytes') = 'integer'
              AND json_type(?1, '$.added') = 'integer'
            """, .text(text))
        defer { row.reset() }
        guard try row.step(), let hash = UInt64(hexadecimal: row.text(Column.hash).utf8), row.integer(Column.bytes) >= 0
        else { return nil }
        var key = SharedKey(ContentIdentity(hash: hash, audioBytes: row.integer(Column.bytes)))
        let kind: Kind
        switch row.text(Column.kind) {
        case "favourite": kind = .favourite
        case "bookmark":
            guard let place = row.optionalInteger(Column.milliseconds) else { return nil }
            key.milliseconds = place
            kind = .bookmark
        default: return nil
        }
        self.init(
            kind: kind, key: key.words, value: row.text(kind == .favourite ? Column.favourite : .bookmark),
            time: HybridTime(milliseconds: Library.seconds(row.integer(Column.added)) * 1000), device: 0,
            name: Library.cut(row.text(Column.title)))
    }
}
