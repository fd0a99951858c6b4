// SPDX-License-Identifier: Apache-2.0
import Library
import Playlists
import Wire

/// Stored playlists.
extension ConsoleHost {
    /// Those that are always there, then the stored ones.
    func playlists() -> Awaited<[PlaylistFolder.Entry]> {
        stored.list(modifiedSeconds: libraryChangedSeconds)
    }

    /// The same without waiting for a disk that hangs: then those that were there when they were last looked at.
    func playlistsKnown() -> Awaited<[PlaylistFolder.Entry]> {
        stored.listKnown(modifiedSeconds: libraryChangedSeconds)
    }

    /// Returns an empty draft for a playlist that can change or be made.
    func draft(forPlaylist name: String) throws(ConsoleError) -> StoredDraft {
        StoredDraft(stored, try stored.changeable(name), name)
    }

    func change(playlist name: String, _ change: PlaylistChange) throws(ConsoleError) -> Awaited<Void> {
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
