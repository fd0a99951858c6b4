// SPDX-License-Identifier: Apache-2.0
import Wire

/// A change of a stored playlist.
enum PlaylistChange: Sendable {
    case clear, remove
    case rename(to: String)
    /// As much of the range as there is.
    case removeEntries(Range<Int>)
    case move(Int, to: Int)
}

/// An entry of a playlist.
struct PlaylistEntry: Sendable {
    /// The path relative to the library's folder, or what else stands there.
    var uri: String
    /// nil if it is no song of the library, or the caller asked for no songs.
    var song: SongDescription?

    init(uri: String, song: SongDescription? = nil) {
        self.uri = uri
        self.song = song
    }
}

/// The entries of a playlist, in portions.
protocol PlaylistListing: AnyObject {
    /// True while the worker reads the next ones.
    var isWaiting: Bool { get }
    /// At most `limit` more entries, none while it waits; nil behind the last.
    func next(_ limit: Int, withSongs: Bool) throws(ConsoleError) -> [PlaylistEntry]?
}
