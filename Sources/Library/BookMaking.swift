// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Posix
import SQLite

/// Derives books from the files of a folder.
///
/// The files of a folder are one book if they name at most one album; files without an album count with it. Folders in it such as "CD 1"
/// and "Disc 2" belong to the book.
///
/// A file that is as long as a book, or has chapters, is a book of its own in three cases: it lies in the library's own folder; the folder
/// names several albums; or the folder names none, all files are so, and they have chapters or are not named as parts of one thing.
///
/// Files are ordered by disc and track if each has a track and no two are the same; else by name.
struct BookMaking {
    /// The limit of files in a book.
    static let mostItems = 1500

    struct File {
        var id: Item.ID
        var path: String
        /// The file's key in the library's order: by its name, or, in a book with an order of its own, by its position there.
        var key: [UInt8] = []
        /// The key of the file's name alone.
        var nameKey: [UInt8] = []
        var tags: TagList
        var added: Int64
        var hasChapters: Bool
        /// 0 if unknown.
        var durationMilliseconds: Int64 = 0
        /// The number in the name of the disc's folder; 0 in the book's own folder.
        var disc: Int64
    }

    /// The shortest duration of a file that may be a whole book.
    static let leastBookMilliseconds: Int64 = 15 * 60_000

    struct Draft {
        /// The one file; 0 for a whole folder.
        var item: Item.ID
        var items: [Item.ID]
        var title = ""
        var author = ""
        var narrator = ""
        var series = ""
        var seriesPart = ""
        var year = ""
        var genre = ""
        var language = ""
        var added: Int64 = 0
    }

    /// Returns the number of a disc's folder ("CD 1", "Disc 02", "disk-3"); nil for any other name.
    static func disc(_ name: String) -> Int64? {
        let bytes = Array(name.lowerCase.utf8)
        for word in ["cd", "disc", "disk"] where bytes.starts(with: word.utf8) {
            var rest = bytes[word.utf8.count...]
            while let first = rest.first, [0x20, 0x2D, 0x2E, 0x5F].contains(first) { rest = rest.dropFirst() }
            if rest.isEmpty || rest.count > 3 || !rest.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) { return nil }
            return rest.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
        }
        return nil
    }

    /// - Parameters:
    ///   - files: in the order of their names.
    ///   - isRoot: true for the library's own folder: files in it are no book together.
    static func drafts(_ files: [File], folder: String, isRoot: Bool) -> [Draft] {
        if files.isEmpty || files.count > mostItems { return [] }
        let albums = files.map { albumKey($0.tags[.album] ?? "") }
        let named = albums.filter { !$0.isEmpty }
        let isOne =
            named.allSatisfy { $0 == named[0] }
            && !(named.isEmpty && files.count > 1 && files.allSatisfy { $0.mayBeBook }
                && (files.allSatisfy { $0.hasChapters } || !areParts(files.map { $0.path.pathStem.pathName })))
        if isOne && !isRoot {
            return [
                draft(
                    ordered(files), item: 0,
                    title: files.lazy.compactMap { $0.tags[.album] }.first ?? folder.pathName.readable)
            ]
        }
        return files.filter { $0.mayBeBook }.map { file in
            draft(
                [file], item: file.id,
                title: file.tags[.album] ?? file.tags[.title] ?? file.path.pathStem.pathName.readable)
        }
    }

    /// Returns whether files are named as parts of one thing: each has a number, or all begin alike.
    static func areParts(_ names: [String]) -> Bool {
        if names.allSatisfy({ $0.utf8.contains { $0 >= 0x30 && $0 <= 0x39 } }) { return true }
        let keys = names.map { Array($0.lowerCase.utf8) }
        var shared = keys.first?[...] ?? []
        for key in keys {
            var count = 0
            for (one, other) in zip(shared, key) {
                if one != other { break }
                count += 1
            }
            shared = shared.prefix(count)
        }
        // "The " alone does not make names alike.
        return shared.count > 4
    }

    private static func draft(_ files: [File], item: Item.ID, title: String) -> Draft {
        func first(_ tag: Tag) -> String { files.lazy.compactMap { $0.tags[tag] }.first ?? "" }
        var draft = Draft(item: item, items: files.map { $0.id }, title: title)
        draft.author = first(.albumArtist)
        if draft.author.isEmpty { draft.author = first(.artist) }
        draft.narrator = first(.narrator)
        draft.series = first(.series)
        draft.seriesPart = first(.seriesPart)
        draft.year = String(decoding: first(.date).utf8.prefix(4), as: UTF8.self)
        draft.genre = first(.genre)
        draft.language = first(.language)
        draft.added = files.reduce(0) { max($0, $1.added) }
        return draft
    }

    private static func ordered(_ files: [File]) -> [File] {
        var places: [(disc: Int64, track: Int64, file: File)] = []
        for file in files {
            guard let track = number(file.tags[.track]), track > 0 else { return files }
            let disc = file.disc > 0 ? file.disc : number(file.tags[.disc]) ?? 1
            places.append((disc, track, file))
        }
        places.sort { ($0.disc, $0.track) < ($1.disc, $1.track) }
        for (left, right) in zip(places, places.dropFirst()) where left.disc == right.disc && left.track == right.track
        {
            return files
        }
        return places.map { $0.file }
    }

    private static func number(_ text: String?) -> Int64? {
        guard let text else { return nil }
        let bytes = Array(text.utf8)
        return bytes.withUnsafeBytes { TagIndex.number($0) }
    }

    /// Returns the common key of the discs of one album: without "(Disc 1)", ", CD 2" at its end, and without regard to capitals.
    static func albumKey(_ album: String) -> [UInt8] {
        var key = Array(album.lowerCase.utf8)[...]
        let separators: [UInt8] = [0x20, 0x28, 0x29, 0x2C, 0x2D, 0x2E, 0x3A, 0x5B, 0x5D, 0x5F]
        func trim() { while let last = key.last, separators.contains(last) { key.removeLast() } }
        trim()
        let whole = key
        var digits = 0
        while let last = key.last, last >= 0x30 && last <= 0x39 {
            key.removeLast()
            digits += 1
        }
        if digits == 0 || digits > 3 { return Array(whole) }
        trim()
        for word in ["disc", "disk", "cd"]
        where key.count > word.utf8.count && key.suffix(word.utf8.count).elementsEqual(word.utf8) {
            key.removeLast(word.utf8.count)
            guard let last = key.last, separators.contains(last) else { return Array(whole) }
            trim()
            return Array(key)
        }
        return Array(whole)
    }
}

extension BookMaking.File {
    fileprivate var mayBeBook: Bool {
        hasChapters || durationMilliseconds >= BookMaking.leastBookMilliseconds || path.pathExtension == "m4b"
    }
}

extension Library {
    /// Notes that something in this folder changed. The next request makes its books anew.
    static func noteBook(in folder: String, _ database: Database) throws(SQLiteError) {
        try database.cached(
            "INSERT OR IGNORE INTO bookToDo(folder) SELECT id FROM folder WHERE path = ?", .text(bookFolder(folder))
        ).run()
    }

    /// Returns the folder of the book to which the files in this one belong: the parent of a folder such as "CD 1".
    static func bookFolder(_ folder: String) -> String {
        BookMaking.disc(folder.pathName) == nil || folder.pathFolder == folder ? folder : folder.pathFolder
    }

    /// Makes the books of at most `folders` changed folders, and of no more than some thousand files.
    /// - Returns: true if changed folders remain.
    @discardableResult
    public func updateBooks(folders: Int = 4) -> Bool {
        var files = 0
        for _ in 0..<folders {
            let next: String?? = read(else: nil) { (database) throws(SQLiteError) in
                try database.cached(
                    "SELECT path FROM bookToDo JOIN folder ON folder.id = bookToDo.folder LIMIT 1"
                ).first { $0.text(0) }
            }
            guard let next, let folder = next else { return false }
            files += makeBooks(in: folder)
            if files > BookMaking.mostItems / 4 { break }
        }
        return read(else: false) { (database) throws(SQLiteError) in
            try database.cached("SELECT 1 FROM bookToDo LIMIT 1").hasRow()
        }
    }

    /// - Returns: the number of files examined.
    @discardableResult
    func makeBooks(in folder: String) -> Int {
        var files = bookFiles(in: folder, disc: 0)
        if let feed = feed(folder: folder) {
            replaceBooks(in: folder, feedDraft(feed, files).map { [$0] } ?? [])
            return files.count
        }
        if files.count <= BookMaking.mostItems {
            for inner in folderPage(in: folder, after: nil, limit: 200).folders {
                guard let disc = BookMaking.disc(inner.pathName) else { continue }
                files += bookFiles(in: inner, disc: disc)
                if files.count > BookMaking.mostItems { break }
            }
        }
        // A file at its book's own place returns to that of its name before another look.
        files.sort { $0.disc != $1.disc ? $0.disc < $1.disc : $0.nameKey.lexicographicallyPrecedes($1.nameKey) }
        let drafts = BookMaking.drafts(files, folder: folder, isRoot: folder == root || folder == "/")
        batch {
            arrange(files, drafts)
            replaceBooks(in: folder, drafts)
        }
        return files.count
    }

    private func replaceBooks(in folder: String, _ drafts: [BookMaking.Draft]) {
        write(else: ()) { (database) throws(SQLiteError) in
            let row = try database.cached("SELECT id FROM folder WHERE path = ?", .text(folder))
            defer { row.reset() }
            guard try row.step() else { return }
            let id = row.integer(0)
            try Books.replace(id, drafts, database)
            try database.cached("DELETE FROM bookToDo WHERE folder = ?", .integer(id)).run()
        }
    }

    /// Stores the own order of a book as the library's order, folder by folder. Lists, the queue and playback use that.
    private func arrange(_ files: [BookMaking.File], _ drafts: [BookMaking.Draft]) {
        var byID: [Item.ID: BookMaking.File] = [:]
        for file in files { byID[file.id] = file }
        for draft in drafts {
            var rest = draft.items.compactMap { byID[$0] }[...]
            while let folder = rest.first?.path.pathFolder {
                let inFolder = rest.prefix { $0.path.pathFolder == folder }
                rest = rest.dropFirst(inFolder.count)
                arrange(inFolder, in: folder)
            }
        }
    }

    /// - Parameter files: adjacent files of a book, all in one folder.
    private func arrange(_ files: ArraySlice<BookMaking.File>, in folder: String) {
        let isByName = zip(files, files.dropFirst()).allSatisfy { !$1.nameKey.lexicographicallyPrecedes($0.nameKey) }
        let wanted = files.indices.map {
            isByName ? files[$0].nameKey : naturalKey("\(folder)/\($0) \(files[$0].path.pathName)")
        }
        if zip(files, wanted).allSatisfy({ $0.key == $1 }) { return }
        write(else: ()) { (database) throws(SQLiteError) in
            for (file, key) in zip(files, wanted) where file.key != key {
                try database.cached("UPDATE item SET pathKey = ? WHERE id = ?", .blob(key), .integer(file.id)).run()
            }
        }
        rearranged += files.map { $0.id }
    }

    /// Returns the items that moved in the library's order, in their new order, and forgets them.
    public func takeRearranged() -> [Item.ID] {
        defer { rearranged = [] }
        return rearranged
    }

    private func bookFiles(in folder: String, disc: Int64) -> [BookMaking.File] {
        let query = ItemQuery(folder: folder, isRecursive: false)
        return read(else: []) { (database) throws(SQLiteError) in
            var files: [BookMaking.File] = []
            var keys: [Value]?
            repeat {
                var budget = Library.mostExamined
                keys = try Walk(query).go(on: keys, &budget, database) { row in
                    let path = row.text(ItemRow.Column.path)
                    files.append(
                        BookMaking.File(
                            id: row.integer(ItemRow.Column.id), path: path,
                            key: row.bytes(ItemRow.Column.pathKey), nameKey: naturalKey(path),
                            tags: TagList(bytes: row.bytes(ItemRow.Column.tags)),
                            added: row.integer(ItemRow.Column.added), hasChapters: false,
                            durationMilliseconds: row.integer(ItemRow.Column.duration), disc: disc))
                    return files.count <= BookMaking.mostItems
                }
            } while keys != nil && files.count <= BookMaking.mostItems
            for place in files.indices {
                let row = try database.cached("SELECT 1 FROM itemChapters WHERE item = ?", .integer(files[place].id))
                defer { row.reset() }
                files[place].hasChapters = try row.step()
            }
            return files
        }
    }
}
