import Console
import Core
import Library
import Media
import Speaker

/// The queue as it stood when it was asked for.
final class QueueSnapshot: QueueListing {
    private let names: SongNames
    private let library: Library
    private let entries: [Queue.Entry]

    init(_ queue: Queue, _ library: Library, _ names: SongNames) {
        entries = queue.entries
        self.library = library
        self.names = names
    }

    var count: Int { entries.count }

    func songID(at position: Int) -> Int { entries[position].songID }

    func songs(_ positions: Range<Int>) -> [SongDescription] {
        // What the library has forgotten is missing, so the items are matched with their entries one by one.
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
            song.entry = SpeakerStatus.QueueEntry(position: position, id: entry.songID, priority: entry.priority)
            songs.append(song)
            next += 1
        }
        return songs
    }
}

/// Folders and songs of the library, a folder before what is in it, from one folder down.
final class FolderListing: EntryListing {
    /// A folder that is being told.
    private struct Level {
        let folder: String
        var lastFolder: String?
        var hasToldFolders = false
        var cursor: ItemCursor?
    }

    private let names: SongNames
    private let library: Library
    private let isRecursive: Bool
    private var levels: [Level]

    init(_ folder: String, recursive: Bool, _ library: Library, _ names: SongNames) {
        self.library = library
        self.names = names
        isRecursive = recursive
        levels = [Level(folder: folder)]
    }

    func next(_ limit: Int) -> [LibraryEntry]? {
        if levels.isEmpty { return nil }
        var page: [LibraryEntry] = []
        while page.count < limit, let level = levels.last {
            let top = levels.count - 1
            if !level.hasToldFolders {
                let most = isRecursive ? 1 : limit - page.count
                let found = library.folderPage(in: level.folder, after: level.lastFolder, limit: most)
                for folder in found.folders { page.append(.folder(uri: names.uri(of: folder), modifiedSeconds: nil)) }
                levels[top].lastFolder = found.last
                levels[top].hasToldFolders = found.last == nil
                if isRecursive, let folder = found.folders.first { levels.append(Level(folder: folder)) }
                // As many rows as a portion may look at.
                if found.folders.isEmpty && found.last != nil { break }
                continue
            }
            let found = library.items(
                ItemQuery(folder: level.folder, isRecursive: false), after: level.cursor, limit: limit - page.count)
            for item in found.items { page.append(.song(names.song(item))) }
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

/// The chapters of a file, as songs.
final class ChapterListing: EntryListing {
    private let names: SongNames
    private let item: Item
    private let chapters: [Chapter]
    private var told = 0

    init(_ item: Item, _ chapters: [Chapter], _ names: SongNames) {
        self.names = names
        self.item = item
        self.chapters = chapters
    }

    func next(_ limit: Int) -> [LibraryEntry]? {
        if told == chapters.count { return nil }
        let page = told..<min(chapters.count, told + limit)
        told = page.upperBound
        return page.map { .song(names.song(item, chapter: $0 + 1, of: chapters)) }
    }
}

extension Library {
    /// The song that a path on the console names: a file, or a chapter of one.
    /// - Parameter isPresent: a file that is gone is none.
    func song(at uri: String, _ names: SongNames, isPresent: Bool = false) -> SongDescription? {
        guard let item = item(at: uri, names), item.isPresent || !isPresent else { return nil }
        guard names.uri(of: item.path) != uri, let (_, number) = SongNames.chapter(uri) else { return names.song(item) }
        let song = names.song(item, chapter: number, of: chapters(of: item.id))
        return song.chapter > 0 ? song : nil
    }

    /// The file that a path on the console names, or one of whose chapters it names.
    func item(at uri: String, _ names: SongNames) -> Item? {
        if let item = item(path: names.path(of: uri)) { return item }
        return SongNames.chapter(uri).flatMap { item(path: names.path(of: $0.file)) }
    }
}

/// One song.
final class SongListing: EntryListing {
    private var song: SongDescription?

    init(_ song: SongDescription) { self.song = song }

    func next(_ limit: Int) -> [LibraryEntry]? {
        defer { song = nil }
        return song.map { [.song($0)] }
    }
}

/// The songs that a query means.
final class QueryListing: EntryListing {
    private let names: SongNames
    private let library: Library
    private let query: ItemQuery
    private var cursor: ItemCursor?
    private var isOver = false

    init(_ query: ItemQuery, _ library: Library, _ names: SongNames) {
        self.query = query
        self.library = library
        self.names = names
    }

    func next(_ limit: Int) -> [LibraryEntry]? {
        if isOver { return nil }
        let page = library.items(query, after: cursor, limit: limit)
        cursor = page.next
        isOver = page.next == nil
        return page.items.map { .song(names.song($0)) }
    }
}

/// How many songs a query means.
final class QueryTally: SongTally {
    private let library: Library
    private let query: ItemQuery
    private var cursor: ItemCursor?
    private var isOver = false

    init(_ query: ItemQuery, _ library: Library) {
        self.query = query
        self.library = library
    }

    func next() -> [SongCount]? {
        if isOver { return nil }
        let counted = library.count(query, after: cursor)
        cursor = counted.next
        isOver = counted.next == nil
        return [SongCount(songs: counted.items, milliseconds: counted.durationMilliseconds)]
    }
}

/// How many of the songs that a query means have each text of a tag.
final class GroupTally: SongTally {
    private let library: Library
    private let query: ItemQuery
    private let tag: Tag
    private var cursor: ValueCursor?
    private var isOver = false
    /// As many groups as are told at once.
    private static let mostGroups = 100

    init(_ query: ItemQuery, groupedBy tag: Tag, _ library: Library) {
        self.query = query
        self.tag = tag
        self.library = library
    }

    func next() -> [SongCount]? {
        if isOver { return nil }
        let page = library.count(query, groupedBy: [.tag(tag)], after: cursor, limit: GroupTally.mostGroups)
        cursor = page.next
        isOver = page.next == nil
        return page.rows.map { row in
            SongCount(group: row.texts.first, songs: row.items, milliseconds: row.durationMilliseconds)
        }
    }
}

/// The library in numbers.
final class LibraryTally: StatisticsTally {
    private let counting: Counting
    private var statistics: LibraryStatistics

    /// - Parameter statistics: what needs no counting.
    init(_ library: Library, _ statistics: LibraryStatistics) {
        counting = Counting(library)
        self.statistics = statistics
    }

    func next() -> LibraryStatistics? {
        guard let counts = counting.next() else { return nil }
        statistics.artists = counts.artists
        statistics.albums = counts.albums
        statistics.songs = counts.items
        statistics.totalSeconds = counts.durationMilliseconds / 1000
        return statistics
    }
}

/// The different values of tags.
final class TagValues: ValueListing {
    private let names: SongNames
    private let library: Library
    private let columns: [ItemFilter.Column]
    private let filter: ItemFilter
    private var last: ValueCursor?
    private var isOver = false

    init(_ columns: [ItemFilter.Column], _ filter: ItemFilter, _ library: Library, _ names: SongNames) {
        self.columns = columns
        self.filter = filter
        self.library = library
        self.names = names
    }

    func next(_ limit: Int) -> [[String]]? {
        if isOver { return nil }
        let page = library.values(
            of: columns[columns.count - 1], groupedBy: columns.dropLast(), filter: filter, root: names.root,
            after: last, limit: limit)
        last = page.next
        isOver = page.next == nil
        return page.rows
    }
}
