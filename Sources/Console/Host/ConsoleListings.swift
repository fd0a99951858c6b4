// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Media
import Model
import Speaker
import Streams

/// The queue at one moment: later edits do not show. Cheap to make and to keep.
final class QueueSnapshot {
    private let names: SongNames
    private let library: Library
    private let entries: [QueueEntry]

    init(_ queue: Queue, _ library: Library, _ names: SongNames) {
        entries = queue.entries
        self.library = library
        self.names = names
    }

    var count: Int { entries.count }

    /// Returns the permanent number of the entry at a position, which exists.
    func songID(at position: Int) -> Int { entries[position].songID }

    /// Returns the songs at these positions, which exist, with their `entry` set; without those that the library has forgotten.
    func songs(_ positions: Range<Int>) -> [SongDescription] {
        // Forgotten items are missing here, so each item is matched with its entry.
        let items = library.items(positions.map { entries[$0].itemID })
        var songs: [SongDescription] = []
        songs.reserveCapacity(items.count)
        var next = 0
        var (file, chapters): (ItemID, [Chapter]) = (0, [])
        for position in positions where next < items.count && items[next].id == entries[position].itemID {
            let entry = entries[position]
            if entry.chapter > 0 && file != entry.itemID {
                (file, chapters) = (entry.itemID, library.chapters(of: entry.itemID))
            }
            var song =
                entry.chapter == 0
                ? names.song(items[next]) : names.song(items[next], chapter: Int(entry.chapter), of: chapters)
            song.entry = SpeakerStatus.QueuePlace(position: position, id: entry.songID, priority: entry.priority)
            songs.append(song)
            next += 1
        }
        return songs
    }
}

extension SongNames {
    /// Lists folders and songs of the library from one folder down, each folder before its content.
    func pages(below folder: String, recursive isRecursive: Bool, _ library: Library) -> Pages<LibraryEntry> {
        /// A folder in the answer.
        struct Level {
            let folder: String
            var lastFolder: String?
            var hasToldFolders = false
            var cursor: ItemCursor?
        }
        var levels = [Level(folder: folder)]
        return { limit in
            if levels.isEmpty { return nil }
            var page: [LibraryEntry] = []
            while page.count < limit, let level = levels.last {
                let top = levels.count - 1
                if !level.hasToldFolders {
                    let most = isRecursive ? 1 : limit - page.count
                    let found = library.folderPage(in: level.folder, after: level.lastFolder, limit: most)
                    for folder in found.folders { page.append(.folder(uri: uri(of: folder), modifiedSeconds: nil)) }
                    levels[top].lastFolder = found.last
                    levels[top].hasToldFolders = found.last == nil
                    if isRecursive, let folder = found.folders.first { levels.append(Level(folder: folder)) }
                    // As many rows as a portion may look at.
                    if found.folders.isEmpty && found.last != nil { break }
                    continue
                }
                let found = library.items(
                    ItemQuery(folder: level.folder, isRecursive: false), after: level.cursor, limit: limit - page.count)
                for item in found.items { page.append(.song(song(item))) }
                if let cursor = found.next {
                    levels[top].cursor = cursor
                    // As many rows as a portion may look at.
                    if found.items.isEmpty { break }
                } else {
                    levels.removeLast()
                }
            }
            return page
        }
    }

    /// Lists the chapters of a file, as songs.
    func pages(_ chapters: [Chapter], of item: Item) -> Pages<LibraryEntry> {
        let numbers = Console.pages(of: Array(1...max(1, chapters.count)))
        return { limit in numbers(limit)?.map { .song(song(item, chapter: $0, of: chapters)) } }
    }

    /// Lists the songs of a query.
    func pages(_ query: ItemQuery, _ library: Library) -> Pages<LibraryEntry> {
        var (cursor, isOver): (ItemCursor?, Bool) = (nil, false)
        return { limit in
            if isOver { return nil }
            let page = library.items(query, after: cursor, limit: limit)
            (cursor, isOver) = (page.next, page.next == nil)
            return page.items.map { .song(song($0)) }
        }
    }
}

extension Library {
    /// Counts the songs of a query; with a tag, for each of its texts.
    func tally(_ query: ItemQuery, groupedBy tag: Tag?) -> Pages<SongCount> {
        var (cursor, texts): (ItemCursor?, ValueCursor?) = (nil, nil)
        var isOver = false
        return { [self] limit in
            if isOver { return nil }
            guard let tag else {
                let counted = count(query, after: cursor)
                (cursor, isOver) = (counted.next, counted.next == nil)
                return [SongCount(songs: counted.items, milliseconds: counted.durationMilliseconds)]
            }
            let page = count(query, groupedBy: [.tag(tag)], after: texts, limit: limit)
            (texts, isOver) = (page.next, page.next == nil)
            return page.rows.map { row in
                SongCount(group: row.texts.first, songs: row.items, milliseconds: row.durationMilliseconds)
            }
        }
    }

    /// Lists the different values of tags in the songs of a query.
    func values(of tags: [Tag], _ query: ItemQuery) -> Pages<[String]> {
        var (cursor, isOver): (ValueCursor?, Bool) = (nil, tags.isEmpty)
        return { [self] limit in
            if isOver { return nil }
            let page = values(
                of: .tag(tags[tags.count - 1]), groupedBy: tags.dropLast().map { .tag($0) }, query, after: cursor,
                limit: limit)
            (cursor, isOver) = (page.next, page.next == nil)
            return page.rows
        }
    }

    /// Returns the song at a console's path: a file, or a chapter of one.
    /// - Parameter isPresent: true excludes missing files.
    func song(at uri: String, _ names: SongNames, isPresent: Bool = false) -> SongDescription? {
        guard let item = item(at: uri, names), item.isPresent || !isPresent else { return nil }
        guard names.uri(of: item.path) != uri, let (_, number) = SongNames.chapter(uri) else { return names.song(item) }
        let song = names.song(item, chapter: number, of: chapters(of: item.id))
        return song.chapter > 0 ? song : nil
    }

    /// Returns the file that a console's path names; for the path of a chapter, the chapter's file.
    func item(at uri: String, _ names: SongNames) -> Item? {
        if let item = item(path: StreamAddress.isOne(uri) ? uri : names.path(of: uri)) { return item }
        return SongNames.chapter(uri).flatMap { item(path: names.path(of: $0.file)) }
    }
}
