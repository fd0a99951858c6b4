// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Model
import Playlists
import Posix

/// Keeps the files of stored playlists and the household's playlists alike. Any program may write a playlist's file, so it is read after
/// changes here, and before the household's records are carried. Control thread; the worker reads and writes files, one at a time.
final class PlaylistSharing {
    /// The age up to which a file's time is not trusted: a second change may have the same time.
    private static let freshSeconds: Int64 = 2
    private static let restMilliseconds: Int64 = 60_000
    /// The limit of examined files.
    private static let mostFiles = 1000

    private let library: Library
    private let store: PlaylistStore
    private let names: SongNames
    private let timers: any Timers
    private var isLooking = false
    private var looksAgain = false
    private var lookedAt: MonotonicTime?
    /// Called when a file was written or removed.
    var didWrite: () -> Void = {}
    /// Called when others need a new record.
    var didNote: () -> Void = {}

    init(_ library: Library, _ store: PlaylistStore, _ names: SongNames, _ timers: any Timers) {
        self.library = library
        self.store = store
        self.names = names
        self.timers = timers
    }

    /// True once everything here is known: others' records can be compared with it.
    var hasLooked: Bool { lookedAt != nil }

    /// Looks, unless the last look was less than a minute ago.
    func lookSometimes() {
        if let lookedAt, timers.now.milliseconds(since: lookedAt) < PlaylistSharing.restMilliseconds { return }
        look()
    }

    /// Looks again after the speaker has joined or left a household.
    func lookAnew() {
        lookedAt = nil
        look()
    }

    func look() {
        if !library.isOfHousehold {
            lookedAt = nil
            return
        }
        if isLooking {
            looksAgain = true
            return
        }
        isLooking = true
        store.list { [self] result in
            guard case .success(let found) = result else { return end() }
            let now = wallClockSeconds()
            read(
                found.prefix(PlaylistSharing.mostFiles).filter { entry in
                    if SmartList(name: entry.name) != nil { return false }
                    guard let known = library.sharedPlaylist(entry.name) else { return true }
                    if known.modifiedSeconds != entry.modifiedSeconds { return true }
                    return !known.isDue && entry.modifiedSeconds >= now - PlaylistSharing.freshSeconds
                }[...])
        }
    }

    private func end() {
        isLooking = false
        if looksAgain {
            looksAgain = false
            look()
        }
    }

    /// Notes that a listener removed or renamed a playlist.
    func didRemove(_ name: String) {
        if !library.isOfHousehold { return }
        library.noteRemoved(playlist: name)
        didNote()
    }

    // MARK: Files

    private func read(_ entries: ArraySlice<PlaylistFolder.Entry>) {
        guard let entry = entries.first else {
            lookedAt = timers.now
            return write(after: "")
        }
        store.read(entry.name) { [self] result in
            if case .success(let text) = result {
                let isNews = library.note(
                    playlist: entry.name, shared(text), modifiedSeconds: entry.modifiedSeconds)
                if isNews { didNote() }
            }
            read(entries.dropFirst())
        }
    }

    /// Returns the shared entries; nil if an entry is local to this speaker, or the record would be too long.
    private func shared(_ text: PlaylistText) -> [String]? {
        if text.count > Library.mostSharedEntries { return nil }
        var entries: [String] = []
        for index in 0..<text.count {
            let uri = names.uri(written: text[index], in: "")
            let path = PlaylistPath.isURL(text[index]) ? uri : names.path(of: uri)
            guard let name = library.sharedName(ofEntry: path) else { return nil }
            entries.append(name)
        }
        return entries
    }

    private func write(after name: String) {
        guard let due = library.duePlaylist(after: name) else { return end() }
        if !due.playlist.isDue {
            // In a turn of its own.
            timers.schedule(at: timers.now) { [self] in write(after: due.playlist.name) }
            return
        }
        let text = due.lines.map { lines in
            var text = PlaylistText()
            for line in lines { text.append(line.pathBytes[...]) }
            return text
        }
        store.replace(due.playlist.name, text, modifiedSeconds: due.playlist.modifiedSeconds) { [self] result in
            switch result {
            case .success(let modified):
                library.wrote(due, modifiedSeconds: modified)
                didWrite()
            // Another program has written it meanwhile: that version is read first.
            case .failure(.exists): looksAgain = true
            case .failure: break
            }
            write(after: due.playlist.name)
        }
    }
}
