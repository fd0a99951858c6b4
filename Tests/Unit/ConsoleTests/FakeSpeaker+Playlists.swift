// SPDX-License-Identifier: Apache-2.0
import Posix

@testable import Console

/// Stored playlists in a dictionary. With `hangs` no worker answers before `answer` is called.
extension FakeSpeaker {
    func playlists() -> Awaited<[PlaylistDescription]> {
        let names = stored.keys.sorted().map { PlaylistDescription(name: $0, modifiedSeconds: 1_700_000_000) }
        return awaited(.success([PlaylistDescription(name: "Newest")] + names))
    }

    func playlistsKnown() -> Awaited<[PlaylistDescription]> { playlists() }

    func playlist(_ name: String) throws(ConsoleError) -> PlaylistListing {
        FakePlaylist(self, awaited(stored[name].map { .success($0) } ?? .failure(FakeSpeaker.noSuchPlaylist)))
    }

    func draft(forPlaylist name: String) throws(ConsoleError) -> PlaylistDraft {
        if name.isEmpty || name.contains("/") || name.pathBytes != Array(name.utf8) {
            throw ConsoleError(.argument, "Bad playlist name")
        }
        return FakeDraft(self, name)
    }

    func change(playlist name: String, _ change: PlaylistChange) throws(ConsoleError) -> Awaited<Void> {
        switch change {
        case .clear: return edit(name) { $0 = [] }
        case .remove:
            let wasThere = stored.removeValue(forKey: name) != nil
            return awaited(wasThere ? .success(()) : .failure(FakeSpeaker.noSuchPlaylist))
        case .rename(let new):
            if stored[new] != nil { return awaited(.failure(ConsoleError(.exists, "Playlist exists already"))) }
            stored[new] = stored.removeValue(forKey: name)
            return awaited(.success(()))
        case .removeEntries(let range): return edit(name) { $0.removeSubrange(range.clamped(to: 0..<$0.count)) }
        case .move(let from, let to): return edit(name) { $0.insert($0.remove(at: from), at: to) }
        }
    }

    fileprivate func edit(_ name: String, _ body: (inout [String]) -> Void) -> Awaited<Void> {
        guard var entries = stored[name] else { return awaited(.failure(FakeSpeaker.noSuchPlaylist)) }
        body(&entries)
        stored[name] = entries
        return awaited(.success(()))
    }

    func awaited<Value>(_ outcome: Result<Value, ConsoleError>) -> Awaited<Value> {
        if !hangs { return Awaited(outcome) }
        let awaited = Awaited<Value>()
        unanswered.append { awaited.settle(outcome) }
        return awaited
    }

    /// The worker answers what it was asked.
    func answerAwaited() {
        let all = unanswered
        unanswered = []
        for answer in all { answer() }
    }

    private static let noSuchPlaylist = ConsoleError(.noExist, "No such playlist")
}

final class FakePlaylist: PlaylistListing {
    private let speaker: FakeSpeaker
    private let entries: Awaited<[String]>
    private var offset = 0

    init(_ speaker: FakeSpeaker, _ entries: Awaited<[String]>) {
        self.speaker = speaker
        self.entries = entries
    }

    var isWaiting: Bool { entries.outcome == nil }

    func next(_ limit: Int, withSongs: Bool) throws(ConsoleError) -> [PlaylistEntry]? {
        guard let outcome = entries.outcome else { return [] }
        let all = try outcome.get()
        if offset == all.count { return nil }
        let page = all[offset...].prefix(min(limit, 2))
        offset += page.count
        return page.map { uri in PlaylistEntry(uri: uri, song: withSongs ? speaker.librarySong(uri) : nil) }
    }
}

final class FakeDraft: PlaylistDraft {
    private let speaker: FakeSpeaker
    private let name: String
    private var uris: [String] = []

    init(_ speaker: FakeSpeaker, _ name: String) {
        self.speaker = speaker
        self.name = name
    }

    func append(_ uri: String) throws(ConsoleError) {
        if uri.pathBytes == Array(uri.utf8) { uris.append(uri) }
    }

    func add(at position: Int?) -> Awaited<Void> {
        let count = speaker.stored[name]?.count ?? 0
        if let position, position > count {
            return speaker.awaited(.failure(ConsoleError(.argument, "Bad position")))
        }
        speaker.stored[name, default: []].insert(contentsOf: uris, at: position ?? count)
        return speaker.awaited(.success(()))
    }

    func save() -> Awaited<Void> {
        if speaker.stored[name] != nil {
            return speaker.awaited(.failure(ConsoleError(.exists, "Playlist already exists")))
        }
        speaker.stored[name] = uris
        return speaker.awaited(.success(()))
    }
}
