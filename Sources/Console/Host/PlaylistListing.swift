// SPDX-License-Identifier: Apache-2.0
import Wire

/// A change of a stored playlist.
enum PlaylistChange: Sendable {
    case clear, remove
    case rename(to: String)
    /// Removes the part of the range that exists.
    case removeEntries(Range<Int>)
    case move(Int, to: Int)
}

/// An entry of a playlist.
struct PlaylistEntry: Sendable {
    /// The path relative to the library's folder, or any other text of the entry.
    var uri: String
    /// The song; nil if it is none of the library, or if the caller needs no songs.
    var song: SongDescription?

    init(uri: String, song: SongDescription? = nil) {
        self.uri = uri
        self.song = song
    }
}

/// The entries of a playlist, in portions.
protocol PlaylistListing: AnyObject {
    /// True while the worker reads the next entries.
    var isWaiting: Bool { get }
    /// Returns at most `limit` more entries, none while it waits; nil behind the last.
    func next(_ limit: Int, withSongs: Bool) throws(ConsoleError) -> [PlaylistEntry]?
}
