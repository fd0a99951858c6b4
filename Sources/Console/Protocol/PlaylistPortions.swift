import Core
import Model

/// The names of the playlists.
func playlistNamePortions(_ names: [PlaylistDescription]) -> Portions {
    // A name is told sooner than a song.
    let most = WorkBudget.turn * 8
    return PagePortions(pages(of: names), most: most) { playlist, response in
        response.field("playlist", path: playlist.name)
        if let seconds = playlist.modifiedSeconds { response.field("Last-Modified", date: seconds) }
    }
}

/// One answer behind the other.
final class JoinedPortions: Portions {
    private var parts: [Portions]

    init(_ parts: [Portions]) { self.parts = parts }

    var isWaiting: Bool { parts.first?.isWaiting ?? false }

    func give(_ budget: inout WorkBudget, _ response: inout ResponseBuffer) throws(ConsoleError) -> Bool {
        guard let part = parts.first else { return true }
        if try part.give(&budget, &response) { parts.removeFirst() }
        return parts.isEmpty
    }
}

/// The entries of a playlist.
final class PlaylistEntryPortions: Portions {
    private static let pathsForASong = 8
    private let listing: PlaylistListing
    /// nil for the paths alone.
    private let tags: TagSet?

    init(_ listing: PlaylistListing, tags: TagSet?) {
        self.listing = listing
        self.tags = tags
    }

    var isWaiting: Bool { listing.isWaiting }

    func give(_ budget: inout WorkBudget, _ response: inout ResponseBuffer) throws(ConsoleError) -> Bool {
        let each = tags == nil ? PlaylistEntryPortions.pathsForASong : 1
        let limit = max(1, budget.left) * each
        guard let entries = try listing.next(limit, withSongs: tags != nil) else { return true }
        budget.take(max(1, entries.count / each))
        for entry in entries {
            if let tags, let song = entry.song {
                response.song(song, tags)
            } else {
                response.field("file", path: entry.uri)
            }
        }
        return false
    }
}

/// Puts the songs of a playlist into the queue.
final class LoadPortions: Portions {
    private let speaker: ConsoleSpeaker
    private let listing: PlaylistListing
    private var window: Window
    private var position: Int?
    private var hasAdded = false
    /// The first that cannot be played.
    private var missing: String?

    /// - Parameter position: where the first goes; nil for the end.
    init(_ speaker: ConsoleSpeaker, _ listing: PlaylistListing, window: Range<Int>, before position: Int?) {
        self.speaker = speaker
        self.listing = listing
        self.window = Window(window)
        self.position = position
    }

    var onlyTells: Bool { false }
    var isWaiting: Bool { listing.isWaiting }

    func give(_ budget: inout WorkBudget, _ response: inout ResponseBuffer) throws(ConsoleError) -> Bool {
        guard !window.isOver, let entries = try listing.next(max(1, budget.left), withSongs: true) else {
            // What is missing is left out, as by MPD. Where nothing else was there, a person is told.
            if let missing, !hasAdded {
                let words =
                    Session.isURL(missing) ? "Streams cannot be played: " : "Nothing of it is in the library: "
                throw ConsoleError(.playlistLoad, words + Argument.shortened(missing))
            }
            return true
        }
        budget.take(max(1, entries.count))
        var songs: [SongDescription] = []
        for entry in entries where window.takesNext() {
            if let song = entry.song {
                songs.append(song)
            } else if speaker.status.takesStreams, let address = Session.streamAddress(entry.uri) {
                songs.append(try speaker.stream(at: address))
            } else if missing == nil {
                missing = entry.uri
            }
        }
        if songs.isEmpty { return false }
        // Somebody else may have made the queue shorter meanwhile.
        let place = position.map { min($0, speaker.status.queueLength) }
        _ = try speaker.addToQueue(songs, before: place)
        hasAdded = true
        position = place.map { $0 + songs.count }
        return false
    }
}

/// Puts what a listing lists into a playlist: collects it, and then has it written.
final class DraftPortions: Portions {
    /// What the songs come from.
    enum Songs {
        case library(Pages<LibraryEntry>)
        case queue(QueueListing)
        case nothingMore
    }

    /// What is done with them.
    enum Purpose {
        case add(at: Int?)
        case save
    }

    private var songs: Songs
    private var window: Window
    private let draft: PlaylistDraft
    private let purpose: Purpose
    private var nextPosition = 0
    private var hasAppended = false
    private var change: Portions?

    init(_ songs: Songs, window: Range<Int> = 0..<Argument.maximum, into draft: PlaylistDraft, _ purpose: Purpose) {
        self.songs = songs
        self.window = Window(window)
        self.draft = draft
        self.purpose = purpose
        if case .nothingMore = songs { hasAppended = true }
    }

    var onlyTells: Bool { false }
    var isWaiting: Bool { change?.isWaiting ?? false }

    func give(_ budget: inout WorkBudget, _ response: inout ResponseBuffer) throws(ConsoleError) -> Bool {
        if let change { return try change.give(&budget, &response) }
        if try collect(&budget) {
            songs = .nothingMore
            // Nothing found is no playlist.
            if case .add = purpose, !hasAppended { return true }
            switch purpose {
            case .add(let position): change = changed(draft.add(at: position))
            case .save: change = changed(draft.save())
            }
        }
        return false
    }

    /// True once all is there.
    private func collect(_ budget: inout WorkBudget) throws(ConsoleError) -> Bool {
        switch songs {
        case .library(let listing):
            guard !window.isOver, let entries = listing(max(1, budget.left)) else { return true }
            budget.take(WorkBudget.pageCost)
            for case .song(let song) in entries where window.takesNext() {
                try draft.append(song.uri)
                hasAppended = true
            }
        case .queue(let queue):
            let end = min(queue.count, nextPosition + max(1, budget.left))
            budget.take(max(1, end - nextPosition))
            for song in queue.songs(nextPosition..<end) { try draft.append(song.uri) }
            nextPosition = end
            return end == queue.count
        case .nothingMore: return true
        }
        return false
    }
}
