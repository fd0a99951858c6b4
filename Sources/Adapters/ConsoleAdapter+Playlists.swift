// SPDX-License-Identifier: Apache-2.0
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

    public func change(playlist name: String, _ change: PlaylistChange) throws(ConsoleError) -> Awaited<Void> {
        let store = try stored.changeable(name)
        switch change {
        case .clear: return stored.change { store.change(name, .clear, finish: $0) }
        case .remove: return stored.change { done in store.remove(name) { [self] in finish(name, $0, done) } }
        case .removeEntries(let range): return stored.change { store.change(name, .remove(range), finish: $0) }
        case .move(let from, let to): return stored.change { store.change(name, .move(from, to: to), finish: $0) }
        case .rename(let new):
            if SmartList(name: new) != nil { throw ConsoleError(.exists, "Playlist exists already") }
            _ = try stored.changeable(new)
            return stored.change(existsMessage: "Playlist exists already") { done in
                store.rename(name, to: new) { [self] in finish(name, $0, done) }
            }
        }
    }

    /// The name exists no more.
    private func finish(_ name: String, _ result: Result<Void, PlaylistError>, _ done: PlaylistStore.Finish) {
        if case .success = result { sharing?.didRemove(name) }
        done(result)
    }
}
