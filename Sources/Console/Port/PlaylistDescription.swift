// SPDX-License-Identifier: Apache-2.0
public struct PlaylistDescription: Sendable {
    public var name: String
    /// Seconds since 1970.
    public var modifiedSeconds: Int64?

    public init(name: String, modifiedSeconds: Int64? = nil) {
        self.name = name
        self.modifiedSeconds = modifiedSeconds
    }
}

/// A change of a stored playlist.
public enum PlaylistChange: Sendable {
    case clear, remove
    case rename(to: String)
    /// As much of the range as there is.
    case removeEntries(Range<Int>)
    case move(Int, to: Int)
}

/// An entry of a playlist.
public struct PlaylistEntry: Sendable {
    /// The path relative to the library's folder, or what else stands there.
    public var uri: String
    /// nil if it is no song of the library, or the caller asked for no songs.
    public var song: SongDescription?

    public init(uri: String, song: SongDescription? = nil) {
        self.uri = uri
        self.song = song
    }
}

/// The entries of a playlist, in portions.
public protocol PlaylistListing: AnyObject {
    /// True while the worker reads the next ones.
    var isWaiting: Bool { get }
    /// At most `limit` more entries, none while it waits; nil behind the last.
    func next(_ limit: Int, withSongs: Bool) throws(ConsoleError) -> [PlaylistEntry]?
}

/// The future entries of a playlist, collected in portions.
public protocol PlaylistDraft: AnyObject {
    /// Throws `.playlistMax` where a playlist takes no more.
    func append(_ uri: String) throws(ConsoleError)
    /// Puts it before the entry at that place, or at the end.
    func add(at position: Int?) -> Awaited<Void>
    /// Makes a new playlist of it.
    func save() -> Awaited<Void>
}
