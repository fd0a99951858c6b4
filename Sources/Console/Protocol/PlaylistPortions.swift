// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Playlists
import Wire

extension Portions {
    /// Lists the names of the playlists.
    static func playlistNames(_ names: [PlaylistFolder.Entry]) -> Portions {
        // A name costs less than a song.
        .pages(Console.pages(of: names), most: WorkBudget.turn * 8) { playlist, response in
            response.field("playlist", path: playlist.name)
            response.field("Last-Modified", date: playlist.modifiedSeconds)
        }
    }

    /// Lists the entries of a playlist; only their paths without tags.
    static func entries(of listing: PlaylistListing, tags: TagSet?) -> Portions {
        let costOfASong = tags == nil ? 8 : 1
        return Portions(isWaiting: listing.isWaiting) { budget, response throws(ConsoleError) in
            let limit = max(1, budget.left) * costOfASong
            guard let entries = try listing.next(limit, withSongs: tags != nil) else { return true }
            budget.take(max(1, entries.count / costOfASong))
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

    /// Adds the songs of a playlist to the queue.
    /// - Parameter position: the position of the first; nil for the end.
    static func load(
        _ listing: PlaylistListing, window: Range<Int>, into host: ConsoleHost, before position: Int?
    ) -> Portions {
        var (window, position) = (Window(window), position)
        var hasAdded = false
        /// The first entry that cannot play.
        var missing: String?
        return Portions(onlyTells: false, isWaiting: listing.isWaiting) { budget, _ throws(ConsoleError) in
            guard !window.isOver, let entries = try listing.next(max(1, budget.left), withSongs: true) else {
                // Leaves missing entries out, as MPD does. If no entry is left, the client gets an error.
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
                } else if host.status.takesStreams, let address = Session.streamAddress(entry.uri) {
                    songs.append(try host.stream(at: address))
                } else if missing == nil {
                    missing = entry.uri
                }
            }
            if songs.isEmpty { return false }
            try host.addToQueue(songs, next: &position)
            hasAdded = true
            return false
        }
    }

    /// Collects the entries of a playlist, and then writes it.
    /// - Parameters:
    ///   - collect: appends the next part to a draft; returns true once all is there.
    ///   - write: writes the draft; nil for an empty result, which makes no playlist.
    static func draft(
        collect: @escaping (inout WorkBudget) throws(ConsoleError) -> Bool, write: @escaping () -> Awaited<Void>?
    ) -> Portions {
        var written: Portions?
        return Portions(onlyTells: false, isWaiting: written?.isWaiting ?? false) {
            budget, response throws(ConsoleError) in
            if let written { return try written.give(&budget, &response) }
            if try !collect(&budget) { return false }
            guard let change = write() else { return true }
            written = .change(change)
            return false
        }
    }

    /// Adds the songs of a listing to a playlist.
    static func add(
        _ listing: @escaping Pages<LibraryEntry>, window: Range<Int> = 0..<Argument.maximum, to draft: StoredDraft,
        at position: Int?
    ) -> Portions {
        var window = Window(window)
        var isEmpty = true
        return .draft(
            collect: { budget throws(ConsoleError) in
                guard !window.isOver, let entries = listing(max(1, budget.left)) else { return true }
                budget.take(WorkBudget.pageCost)
                for case .song(let song) in entries where window.takesNext() {
                    try draft.append(song.uri)
                    isEmpty = false
                }
                return false
            }, write: { isEmpty ? nil : draft.add(at: position) })
    }

    /// Makes a playlist of the queue.
    static func save(_ queue: QueueSnapshot, as draft: StoredDraft) -> Portions {
        var next = 0
        return .draft(
            collect: { budget throws(ConsoleError) in
                let end = min(queue.count, next + max(1, budget.left))
                budget.take(max(1, end - next))
                for song in queue.songs(next..<end) { try draft.append(song.uri) }
                next = end
                return end == queue.count
            }, write: { draft.save() })
    }
}
