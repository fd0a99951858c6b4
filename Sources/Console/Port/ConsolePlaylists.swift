/// What the console needs for stored playlists. Control thread; what waits for a disk is `Awaited`, and comes within some seconds
/// as a failure where the disk does not answer. `ConsoleServer.goOn` and `SerialConsole.goOn` are called when something has come.
///
/// A playlist of the library's folder is named by its path there; it can be read and not changed.
public protocol ConsolePlaylists: AnyObject {
    /// Those that are always there, then the stored ones.
    func playlists() -> Awaited<[PlaylistDescription]>
    /// The same without waiting for a disk that hangs: then those that were there when they were last looked at.
    func playlistsKnown() -> Awaited<[PlaylistDescription]>
    func playlist(_ name: String) throws(ConsoleError) -> PlaylistListing
    /// Entries for a playlist that can be changed or made.
    func draft(forPlaylist name: String) throws(ConsoleError) -> PlaylistDraft
    func clearPlaylist(_ name: String) throws(ConsoleError) -> Awaited<Void>
    func removePlaylist(_ name: String) throws(ConsoleError) -> Awaited<Void>
    func renamePlaylist(_ name: String, to new: String) throws(ConsoleError) -> Awaited<Void>
    /// As much of the range as there is.
    func removeFromPlaylist(_ name: String, _ range: Range<Int>) throws(ConsoleError) -> Awaited<Void>
    func moveInPlaylist(_ name: String, from: Int, to: Int) throws(ConsoleError) -> Awaited<Void>
}

public struct PlaylistDescription: Sendable {
    public var name: String
    /// Seconds since 1970.
    public var modifiedSeconds: Int64?

    public init(name: String, modifiedSeconds: Int64? = nil) {
        self.name = name
        self.modifiedSeconds = modifiedSeconds
    }
}

/// An entry of a playlist.
public struct PlaylistEntry: Sendable {
    /// The path relative to the library's folder, or what else stands there.
    public var uri: String
    /// nil where that is no song of the library, or songs were not asked for.
    public var song: SongDescription?

    public init(uri: String, song: SongDescription? = nil) {
        self.uri = uri
        self.song = song
    }
}

/// The entries of a playlist, in portions.
public protocol PlaylistListing: AnyObject {
    /// The next ones are being read.
    var isWaiting: Bool { get }
    /// At most `limit` more entries, none while it waits; nil behind the last.
    func next(_ limit: Int, withSongs: Bool) throws(ConsoleError) -> [PlaylistEntry]?
}

/// What is to be put into a playlist, collected in portions.
public protocol PlaylistDraft: AnyObject {
    /// Throws `.playlistMax` where a playlist takes no more.
    func append(_ uri: String) throws(ConsoleError)
    /// Puts it before the entry at that place, or at the end.
    func add(at position: Int?) -> Awaited<Void>
    /// Makes a new playlist of it.
    func save() -> Awaited<Void>
}
