import Console
import Library
import Posix

/// The queue as it stood when it was asked for.
final class QueueSnapshot: QueueListing {
    private let adapter: ConsoleAdapter
    private let entries: [QueueEntry]

    init(_ adapter: ConsoleAdapter, _ entries: [QueueEntry]) {
        self.adapter = adapter
        self.entries = entries
    }

    var count: Int { entries.count }

    func songID(at position: Int) -> Int { entries[position].songID }

    func songs(_ positions: Range<Int>) -> [SongDescription] {
        var songs: [SongDescription] = []
        for position in positions {
            guard var song = adapter.song(entries[position].itemID) else { continue }
            song.entry = SpeakerStatus.QueueEntry(position: position, id: entries[position].songID)
            songs.append(song)
        }
        return songs
    }
}

/// Folders and songs of the library, a folder before what is in it.
final class FolderListing: EntryListing {
    private let adapter: ConsoleAdapter
    private let isRecursive: Bool
    /// What is still to be told, the next one last.
    private var left: [LibraryEntry]

    init(_ adapter: ConsoleAdapter, _ entries: [LibraryEntry], recursive: Bool) {
        self.adapter = adapter
        isRecursive = recursive
        left = entries.reversed()
    }

    func next(_ limit: Int) -> [LibraryEntry]? {
        if left.isEmpty { return nil }
        var page: [LibraryEntry] = []
        while page.count < limit, let entry = left.popLast() {
            page.append(entry)
            if isRecursive, case .folder(let uri, _) = entry {
                left.append(contentsOf: adapter.entries(uri).reversed())
            }
        }
        return page
    }
}

/// Those songs of a listing that match.
final class MatchListing: EntryListing {
    private let listing: EntryListing
    private let query: SongQuery
    /// In order, where there is one.
    private var sorted: [SongDescription] = []
    private var isSorted = false

    init(_ listing: EntryListing, _ query: SongQuery) {
        self.listing = listing
        self.query = query
    }

    func next(_ limit: Int) -> [LibraryEntry]? {
        if isSorted {
            if sorted.isEmpty { return nil }
            let page = sorted.suffix(limit).reversed().map { LibraryEntry.song($0) }
            sorted.removeLast(page.count)
            return page
        }
        guard let entries = listing.next(limit) else {
            guard let tag = query.order else { return nil }
            isSorted = true
            sorted.sort { left, right in
                query.isDescending ? left[tag] ?? "" < right[tag] ?? "" : right[tag] ?? "" < left[tag] ?? ""
            }
            return []
        }
        var page: [LibraryEntry] = []
        for case .song(let song) in entries where query.condition.matches(song) {
            if query.order == nil { page.append(.song(song)) } else { sorted.append(song) }
        }
        return page
    }
}

/// The different values of a tag of a listing's songs.
final class MatchValues: ValueListing {
    private let listing: EntryListing
    private let tag: Tag?
    private var values: Set<String> = []
    private var sorted: [String]?

    init(_ listing: EntryListing, _ tag: Tag?) {
        self.listing = listing
        self.tag = tag
    }

    func next(_ limit: Int) -> [String]? {
        if let left = sorted {
            if left.isEmpty { return nil }
            let page = left.suffix(limit).reversed()
            sorted?.removeLast(page.count)
            return Array(page)
        }
        if let entries = listing.next(limit) {
            for case .song(let song) in entries {
                let value = tag.map { song[$0] ?? "" } ?? song.uri
                if !value.isEmpty { values.insert(value) }
            }
        } else {
            sorted = values.sorted { $1 < $0 }
        }
        return []
    }
}

/// How many songs a listing has.
final class MatchTally: SongTally {
    private let listing: EntryListing

    init(_ listing: EntryListing) { self.listing = listing }

    func next() -> (songs: Int, milliseconds: Int64)? {
        guard let page = listing.next(64) else { return nil }
        var milliseconds: Int64 = 0
        for case .song(let song) in page { milliseconds += Int64(song.durationMilliseconds ?? 0) }
        return (page.count, milliseconds)
    }
}
