// SPDX-License-Identifier: Apache-2.0
import Model
import Posix
import SQLite

/// The rows of `folder`: the folders, by their parents.
enum Folders {
    /// Returns the range of keys below a folder, without its end. "a" and "A" share keys: the path decides.
    static func keys(below folder: String) -> (start: [UInt8], end: [UInt8]) {
        let start = naturalKey(folder.folderPrefix)
        var end = start
        // The key ends with the 1 of "/".
        end[end.count - 1] = 2
        return (start, end)
    }

    /// Returns the row of a folder, and makes it and its parents if they are missing. Returns 0 for anything but a folder of an absolute
    /// path.
    @discardableResult
    static func row(_ path: String, _ database: Database) throws(SQLiteError) -> Int64 {
        guard path.utf8.first == UInt8(ascii: "/") else { return 0 }
        let known = try database.cached("SELECT id FROM folder WHERE path = ?", .text(path))
        if try known.step() {
            defer { known.reset() }
            return known.integer(0)
        }
        let parent = path == "/" ? 0 : try row(path.pathFolder, database)
        try database.cached(
            "INSERT INTO folder(parent, path, pathKey) VALUES(?, ?, ?)", .integer(parent), .text(path),
            .blob(naturalKey(path.folderPrefix))
        ).run()
        return database.lastInsertedRowID
    }

    /// Makes the rows for all present items.
    static func fill(_ database: Database) throws(SQLiteError) {
        let paths = try database.prepare("SELECT path FROM item ORDER BY path")
        var last = ""
        while try paths.step() {
            let folder = paths.text(0).pathFolder
            if folder != last { try row(folder, database) }
            last = folder
        }
    }
}

extension Library {
    /// Returns the folders directly in `folder` that have an item somewhere below: whole paths, in folder order.
    public func folders(in folder: String) -> [String] {
        folderPage(in: folder, after: nil, limit: .max, mostRows: .max).folders
    }

    /// Returns a page of these folders. A page is empty if all the rows it looked at were of empty folders.
    /// - Parameters:
    ///   - last: the end of the last page; nil for the first page.
    ///   - mostRows: the limit of rows to look at.
    /// - Returns: `last` for the next page; nil behind the last folder.
    public func folderPage(
        in folder: String, after last: String?, limit: Int, mostRows: Int = 1000
    ) -> (folders: [String], last: String?) {
        let name = folder.utf8.count > 1 && folder.utf8.last == UInt8(ascii: "/") ? Folders.trimmed(folder) : folder
        return read(else: ([], nil)) { (database) throws(SQLiteError) in
            let lastKey = last.map { naturalKey($0.folderPrefix) } ?? []
            let rows = try database.prepare(
                """
                SELECT path, pathKey FROM folder WHERE parent = (SELECT id FROM folder WHERE path = ?)
                  AND (pathKey, path) > (?, ?) ORDER BY pathKey, path
                """, .text(name), .blob(lastKey), .text(last ?? ""))
            var folders: [String] = []
            var looked = 0
            var last: String?
            while try rows.step() {
                let path = rows.text(0)
                last = path
                if try hasItems(below: path, rows.bytes(1), database) { folders.append(path) }
                looked += 1
                if folders.count >= limit || looked >= mostRows { return (folders, last) }
            }
            return (folders, nil)
        }
    }

    /// Returns the folders directly in `folder` that have an item somewhere below, and the items directly in it, both in folder order.
    /// - Parameter limit: of each; twice as many rows of items are looked at.
    public func contents(ofFolder folder: String, limit: Int) -> (folders: [String], items: [Item.ID]) {
        let folders = folderPage(in: folder, after: nil, limit: limit, mostRows: limit).folders
        let query = ItemQuery(folder: folder, isRecursive: false)
        var items: [Item.ID] = []
        var cursor: ItemCursor?
        for _ in 0..<max(1, limit / (Library.mostExamined / 2)) where items.count < limit {
            let page = itemIDs(query, after: cursor, limit: limit - items.count)
            items += page.ids
            cursor = page.next
            if cursor == nil { break }
        }
        return (folders, items)
    }

    private func hasItems(below folder: String, _ key: [UInt8], _ database: Database) throws(SQLiteError) -> Bool {
        guard !key.isEmpty else { return false }
        var end = key
        end[end.count - 1] = 2
        let prefix = folder.folderPrefix
        return try database.cached(
            """
            SELECT 1 FROM item WHERE isPresent = 1 AND pathKey >= ? AND pathKey < ? AND substr(path, 1, ?) = ? LIMIT 1
            """, .blob(key), .blob(end), .integer(prefix.unicodeScalars.count), .text(prefix)
        ).hasRow()
    }
}

extension Folders {
    /// Returns a path without the "/" at its end.
    fileprivate static func trimmed(_ path: String) -> String {
        var bytes = Array(path.utf8)
        while bytes.count > 1 && bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }
}
