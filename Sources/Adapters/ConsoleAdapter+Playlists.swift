import Console
import Library
import Playlists

/// Stored playlists.
extension ConsoleAdapter {
    public func playlists() -> Awaited<[PlaylistDescription]> {
        stored.list(modifiedSeconds: libraryChangedSeconds)
    }

    public func playlistsKnown() -> Awaited<[PlaylistDescription]> {
        stored.listKnown(modifiedSeconds: libraryChangedSeconds)
    }

    public func playlist(_ name: String) throws(ConsoleError) -> PlaylistListing { try stored.listing(name) }

    public func draft(forPlaylist name: String) throws(ConsoleError) -> PlaylistDraft {
        StoredDraft(stored, try stored.changeable(name), name)
    }

    public func clearPlaylist(_ name: String) throws(ConsoleError) -> Awaited<Void> {
        let store = try stored.changeable(name)
        return stored.change { store.change(name, .clear, finish: $0) }
    }

    public func removePlaylist(_ name: String) throws(ConsoleError) -> Awaited<Void> {
        let store = try stored.changeable(name)
        return stored.change { store.remove(name, finish: $0) }
    }

    public func renamePlaylist(_ name: String, to new: String) throws(ConsoleError) -> Awaited<Void> {
        let store = try stored.changeable(name)
        if SmartList(name: new) != nil { throw ConsoleError(.exists, "Playlist exists already") }
        _ = try stored.changeable(new)
        return stored.change(existsMessage: "Playlist exists already") { store.rename(name, to: new, finish: $0) }
    }

    public func removeFromPlaylist(_ name: String, _ range: Range<Int>) throws(ConsoleError) -> Awaited<Void> {
        let store = try stored.changeable(name)
        return stored.change { store.change(name, .remove(range), finish: $0) }
    }

    public func moveInPlaylist(_ name: String, from: Int, to: Int) throws(ConsoleError) -> Awaited<Void> {
        let store = try stored.changeable(name)
        return stored.change { store.change(name, .move(from, to: to), finish: $0) }
    }
}
