import Core
import Speaker

@testable import Console

/// The fake's queue as it stood.
final class FakeQueue: QueueListing {
    private let speaker: FakeSpeaker
    private let entries: [Queue.Entry]

    init(_ speaker: FakeSpeaker, _ entries: [Queue.Entry]) {
        self.speaker = speaker
        self.entries = entries
    }

    var count: Int { entries.count }
    func songID(at position: Int) -> Int { entries[position].songID }
    func songs(_ positions: Range<Int>) -> [SongDescription] {
        speaker.songsLookedUp += positions.count
        return positions.map { speaker.song(entries[$0], at: $0) }
    }
}

final class FakeListing: EntryListing {
    private let speaker: FakeSpeaker
    private var left: ArraySlice<LibraryEntry>

    init(_ speaker: FakeSpeaker, _ entries: [LibraryEntry]) {
        self.speaker = speaker
        left = entries[...]
    }

    func next(_ limit: Int) -> [LibraryEntry]? {
        if left.isEmpty { return nil }
        let page = left.prefix(limit)
        speaker.songsLookedUp += page.count
        left = left.dropFirst(limit)
        return Array(page)
    }
}

final class FakeTally: SongTally {
    /// Of a group's name and a song's length.
    private let rows: ValueListing
    private let songs: EntryListing?

    init(_ rows: ValueListing, _ songs: EntryListing?) {
        self.rows = rows
        self.songs = songs
    }

    func next() -> [SongCount]? {
        if let songs {
            guard let page = songs.next(32) else { return nil }
            var milliseconds: Int64 = 0
            for case .song(let song) in page { milliseconds += Int64(song.durationMilliseconds ?? 0) }
            return [SongCount(songs: page.count, milliseconds: milliseconds)]
        }
        return rows.next(2)?.map { SongCount(group: $0[0], songs: 1, milliseconds: Int64($0[1])!) }
    }
}

/// Counted in three portions.
final class FakeStatistics: StatisticsTally {
    private let statistics: LibraryStatistics
    private var left = 3

    init(_ statistics: LibraryStatistics) { self.statistics = statistics }

    func next() -> LibraryStatistics? {
        left -= 1
        return left == 0 ? statistics : nil
    }
}

final class FakeValues: ValueListing {
    private var left: ArraySlice<[String]>

    init(_ rows: [[String]]) { left = rows[...] }

    func next(_ limit: Int) -> [[String]]? {
        if left.isEmpty { return nil }
        defer { left = left.dropFirst(limit) }
        return Array(left.prefix(limit))
    }
}
