import Posix
import SQLite

/// Favourites and bookmarks as JSON, one object for each, so that another speaker can take them in. SQLite writes and reads it.
///
/// An object knows its audio by `ContentIdentity`: it means the same audio on any speaker, whatever the file is called there. Path
/// and title are for people who read the file.
extension Library {
    /// Where a page of `keptObjects` ended.
    public enum KeptCursor: Sendable {
        case favourites(after: Int64)
        case bookmarks(after: Int64)

        public static let start = KeptCursor.favourites(after: .min)
    }

    /// What taking an object in did.
    public enum Exchange: Sendable {
        case added, alreadyThere, notSaved
        /// It is no object of ours.
        case refused
    }

    /// A page of what is kept, in the order of adding: favourites, then bookmarks.
    public func keptObjects(after cursor: KeptCursor, limit: Int) -> (objects: [String], next: KeptCursor?) {
        read(else: ([], nil)) { (database) throws(SQLiteError) in
            let rows: Statement
            switch cursor {
            case .favourites(let last):
                rows = try database.cached(
                    """
                    SELECT sequence, json_object('kind', 'favourite', 'hash', printf('%016x', hash), 'bytes', audioBytes,
                      'path', path, 'title', title, 'added', favourite.added)
                    FROM favourite JOIN content ON content.id = favourite.content
                    LEFT JOIN item ON item.id = (SELECT file.id FROM item AS file WHERE file.content = content.id
                      ORDER BY file.isPresent DESC, file.id LIMIT 1)
                    WHERE sequence > ? ORDER BY sequence LIMIT ?
                    """, .integer(last), .integer(limit))
            case .bookmarks(let last):
                rows = try database.cached(
                    """
                    SELECT sequence, json_object('kind', 'bookmark', 'hash', printf('%016x', hash), 'bytes', audioBytes,
                      'path', path, 'title', title, 'added', bookmark.added, 'milliseconds', milliseconds, 'words', words)
                    FROM bookmark JOIN content ON content.id = bookmark.content
                    LEFT JOIN item ON item.id = (SELECT file.id FROM item AS file WHERE file.content = content.id
                      ORDER BY file.isPresent DESC, file.id LIMIT 1)
                    WHERE sequence > ? ORDER BY sequence LIMIT ?
                    """, .integer(last), .integer(limit))
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

    /// Takes in an object that `keptObjects` has made, here or elsewhere. Of audio that no file has yet it waits until one has it.
    public func takeIn(keptObject object: String) -> Exchange {
        write(else: .notSaved) { (database) throws(SQLiteError) in
            guard let kept = try KeptObject(object, database) else { return .refused }
            var result = Exchange.notSaved
            try database.transaction { () throws(SQLiteError) in
                try database.cached(
                    "INSERT OR IGNORE INTO content(hash, audioBytes) VALUES(?, ?)", .integer(kept.hash),
                    .integer(kept.audioBytes)
                ).run()
                let row = try database.cached(
                    "SELECT id FROM content WHERE hash = ? AND audioBytes = ?", .integer(kept.hash),
                    .integer(kept.audioBytes))
                defer { row.reset() }
                guard try row.step() else { return }
                let content = row.integer(0)
                row.reset()
                // As for audio that a scan finds.
                try database.cached(
                    "INSERT OR IGNORE INTO progress(content, milliseconds, saved, playCount) VALUES(?, 0, 0, 0)",
                    .integer(content)
                ).run()
                if let milliseconds = kept.milliseconds {
                    try database.cached(
                        "INSERT OR IGNORE INTO bookmark(content, milliseconds, words, added) VALUES(?, ?, ?, ?)",
                        .integer(content), .integer(milliseconds), .text(Library.cut(kept.words)),
                        .integer(kept.addedSeconds)
                    ).run()
                } else {
                    try database.cached(
                        "INSERT OR IGNORE INTO favourite(content, added) VALUES(?, ?)", .integer(content),
                        .integer(kept.addedSeconds)
                    ).run()
                }
                result = database.changes > 0 ? .added : .alreadyThere
            }
            return result
        }
    }
}

/// A favourite or a bookmark, read from JSON.
private struct KeptObject {
    let hash: Int64
    let audioBytes: Int64
    let addedSeconds: Int64
    /// nil for a favourite.
    let milliseconds: Int64?
    let words: String

    private enum Column: Int32 { case kind, hash, bytes, added, milliseconds, words }

    /// Nil where it is none.
    init?(_ text: String, _ database: Database) throws(SQLiteError) {
        // What is no JSON is an error of the statement, which would be one of the database.
        let valid = try database.cached("SELECT json_valid(?)", .text(text))
        defer { valid.reset() }
        guard try valid.step(), valid.integer(0) != 0 else { return nil }
        let row = try database.cached(
            """
            SELECT json_extract(?1, '$.kind'), json_extract(?1, '$.hash'), json_extract(?1, '$.bytes'),
              json_extract(?1, '$.added'), json_extract(?1, '$.milliseconds'), json_extract(?1, '$.words')
            WHERE json_type(?1, '$.hash') = 'text' AND json_type(?1, '$.bytes') = 'integer'
              AND json_type(?1, '$.added') = 'integer'
            """, .text(text))
        defer { row.reset() }
        guard try row.step(), let hash = KeptObject.hash(row.text(Column.hash)), row.integer(Column.bytes) > 0 else {
            return nil
        }
        self.hash = hash
        audioBytes = row.integer(Column.bytes)
        addedSeconds = Library.seconds(row.integer(Column.added))
        words = row.text(Column.words)
        switch row.text(Column.kind) {
        case "favourite": milliseconds = nil
        case "bookmark":
            guard let place = row.optionalInteger(Column.milliseconds), place >= 0, place <= Int64(Int32.max) else {
                return nil
            }
            milliseconds = place
        default: return nil
        }
    }

    /// Sixteen digits.
    private static func hash(_ text: String) -> Int64? {
        if text.utf8.count != 16 { return nil }
        var value: UInt64 = 0
        for byte in text.utf8 {
            let digit: UInt8
            switch byte {
            case 0x30...0x39: digit = byte - 0x30
            case 0x61...0x66: digit = byte - 0x61 + 10
            case 0x41...0x46: digit = byte - 0x41 + 10
            default: return nil
            }
            value = value << 4 | UInt64(digit)
        }
        return Int64(bitPattern: value)
    }
}
