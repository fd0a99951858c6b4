// SPDX-License-Identifier: Apache-2.0
import Library
import Model
import Playlists
import Posix
import Speaker
import Wire
import Workers

/// The console's playlists: the speaker's own, the stored ones, and those in the library's folder. Control thread.
final class StoredPlaylists {
    /// The time after which a disk counts as not answering.
    static let patienceMilliseconds = 10_000
    /// The time for which a folder's list waits for the stored playlists.
    private static let shortPatienceMilliseconds = 250

    let library: Library
    let names: SongNames
    /// The store; nil without stored playlists.
    private let store: PlaylistStore?
    /// The sharing with the household; nil without stored playlists.
    let sharing: PlaylistSharing?
    private let timers: any Timers
    /// The time of the library's last change in seconds since 1970, which is also that of the speaker's own lists.
    private(set) var libraryChangedSeconds: Int64
    /// The stored playlists, as last found.
    private var known: [PlaylistFolder.Entry] = []
    /// Called when an awaited answer has come.
    var didCome: () -> Void = {}
    /// Called when a stored playlist was made, changed or removed.
    var didChange: () -> Void = {}

    init(_ library: Library, _ names: SongNames, _ store: PlaylistStore?, timers: any Timers) {
        self.library = library
        self.names = names
        self.store = store
        self.timers = timers
        libraryChangedSeconds = library.restoredChangedSeconds ?? wallClockSeconds()
        sharing = store.map { PlaylistSharing(library, $0, names, timers) }
    }

    func libraryDidChange() {
        libraryChangedSeconds = wallClockSeconds()
        library.save(changedSeconds: libraryChangedSeconds)
    }

    /// Lists the permanent playlists, then the stored ones.
    func list() -> Awaited<[PlaylistFolder.Entry]> {
        let own = ownLists
        guard let store else { return Awaited(.success(own)) }
        let awaited = Awaited<[PlaylistFolder.Entry]>()
        wait(awaited) { [self] done in
            store.list { [self] result in
                switch result {
                case .success(let found):
                    known = found.filter { SmartList(name: $0.name) == nil }
                    done(.success(own + known))
                case .failure(let error): done(.failure(ConsoleError(error)))
                }
            }
        }
        return awaited
    }

    private var ownLists: [PlaylistFolder.Entry] {
        SmartList.allCases.map { PlaylistFolder.Entry(name: $0.name, modifiedSeconds: libraryChangedSeconds) }
    }

    /// Finds the names of the stored playlists, and calls back later; never if the disk does not answer.
    func findNames(_ finish: @escaping ([String]) -> Void) {
        store?.list { result in
            if case .success(let found) = result { finish(found.map { $0.name }) }
        }
    }

    /// Lists the same as `list`, but falls back to the last result if the disk does not answer at once.
    func listKnown() -> Awaited<[PlaylistFolder.Entry]> {
        let awaited = list()
        if awaited.outcome != nil { return awaited }
        // A late timer changes nothing.
        timers.schedule(at: timers.now.adding(milliseconds: StoredPlaylists.shortPatienceMilliseconds)) { [self] in
            if awaited.outcome != nil { return }
            awaited.settle(.success(ownLists + known))
            didCome()
        }
        return awaited
    }

    /// Acts once the stored playlist is known to exist.
    func ifThere<Value>(_ name: String, _ act: @escaping () -> Result<Value, ConsoleError>) -> Awaited<Value> {
        let none = ConsoleError(.noExist, "No book, item, playlist or station is called so: \(name)")
        guard let store else { return Awaited(.failure(none)) }
        let awaited = Awaited<Value>()
        wait(awaited) { done in
            store.list { result in
                switch result {
                case .success(let found): done(found.contains { $0.name == name } ? act() : .failure(none))
                case .failure(let error): done(.failure(ConsoleError(error)))
                }
            }
        }
        return awaited
    }

    func listing(_ name: String) throws(ConsoleError) -> PlaylistListing {
        if let smart = SmartList(name: name) { return SmartListing(smart, library, names) }
        guard let store else { throw ConsoleError(PlaylistError.noSuchPlaylist) }
        // A playlist in the library's folder, by its path there.
        var file: (path: String, format: PlaylistFormat)?
        if let format = PlaylistFormat(fileName: name), SongNames.isBelow(name), !names.root.isEmpty {
            file = (names.path(of: name), format)
        }
        if (try? PlaylistFolder.check(name)) != nil {
            return PlaylistPagesListing(self, store.pages(of: name, otherwise: file), folder: "")
        }
        guard let file else { throw ConsoleError(PlaylistError.noSuchPlaylist) }
        return PlaylistPagesListing(self, store.pages(ofFile: file.path, file.format), folder: name.pathFolder)
    }

    // MARK: Changes

    /// Returns the store, if the playlist can be changed.
    private func changeable(_ name: String) throws(ConsoleError) -> PlaylistStore {
        do throws(PlaylistError) { try PlaylistFolder.check(name) } catch { throw ConsoleError(error) }
        if SmartList(name: name) != nil {
            throw ConsoleError(.permission, "\(name) is made by the speaker itself and cannot be changed")
        }
        guard let store else { throw ConsoleError(.noExist, "Stored playlists are disabled") }
        return store
    }

    /// Returns an empty draft for a playlist that can be changed or made.
    func draft(for name: String) throws(ConsoleError) -> StoredDraft { StoredDraft(self, try changeable(name), name) }

    func change(_ name: String, _ change: PlaylistChange) throws(ConsoleError) -> Awaited<Void> {
        let store = try changeable(name)
        switch change {
        case .clear: return self.change { store.change(name, .clear, finish: $0) }
        case .remove: return self.change { done in store.remove(name) { [self] in finish(name, $0, done) } }
        case .removeEntries(let range): return self.change { store.change(name, .remove(range), finish: $0) }
        case .move(let from, let to): return self.change { store.change(name, .move(from, to: to), finish: $0) }
        case .rename(let new):
            if SmartList(name: new) != nil { throw ConsoleError(.exists, "Playlist exists already") }
            _ = try changeable(new)
            return self.change(existsMessage: "Playlist exists already") { done in
                store.rename(name, to: new) { [self] in finish(name, $0, done) }
            }
        }
    }

    /// Notes that the name no longer exists.
    private func finish(_ name: String, _ result: Result<Void, PlaylistError>, _ done: PlaylistStore.Finish) {
        if case .success = result { sharing?.didRemove(name) }
        done(result)
    }

    /// Starts a change.
    fileprivate func change(
        existsMessage: String = "Playlist already exists",
        _ begin: (@escaping PlaylistStore.Finish) -> Void
    ) -> Awaited<Void> {
        let awaited = Awaited<Void>()
        wait(awaited) { done in
            begin { [self] result in
                switch result {
                case .success:
                    didChange()
                    sharing?.look()
                    done(.success(()))
                case .failure(.exists): done(.failure(ConsoleError(.exists, existsMessage)))
                case .failure(let error): done(.failure(ConsoleError(error)))
                }
            }
        }
        return awaited
    }

    /// Waits for the work that `begin` starts, but not forever.
    func wait<Value>(
        _ awaited: Awaited<Value>, _ begin: (@escaping (Result<Value, ConsoleError>) -> Void) -> Void
    ) {
        let timers = timers
        let limit = timers.schedule(at: timers.now.adding(milliseconds: StoredPlaylists.patienceMilliseconds)) {
            [self] in
            awaited.settle(.failure(ConsoleError(PlaylistError.hangs)))
            didCome()
        }
        begin { [self] outcome in
            timers.cancel(limit)
            awaited.settle(outcome)
            didCome()
        }
    }
}

extension ConsoleError {
    /// Uses MPD's wording, if it has any.
    init(_ error: PlaylistError) {
        switch error {
        case .noSuchPlaylist: self.init(.noExist, "No such playlist")
        case .badName: self.init(.argument, "Bad playlist name")
        case .exists: self.init(.exists, "Playlist already exists")
        case .badIndex: self.init(.argument, "Bad song index")
        case .badMove: self.init(.argument, "Bad range")
        case .badPosition: self.init(.argument, "Bad position")
        case .tooLarge:
            self.init(
                .playlistMax,
                "Playlist is too large: at most \(PlaylistText.mostEntries) entries in \(PlaylistText.mostBytes >> 20) MB"
            )
        case .disk(let error): self.init(.system, error.message)
        case .hangs: self.init(.system, "The disk does not answer")
        }
    }
}

/// The entries of a playlist that is read page by page.
final class PlaylistPagesListing: PlaylistListing {
    private let playlists: StoredPlaylists
    private let pages: PlaylistPages
    /// The base of its relative paths, in the console's form.
    private let folder: String
    private var page = PlaylistText()
    private var nextIndex = 0
    private var awaited: Awaited<PlaylistText?>?

    init(_ playlists: StoredPlaylists, _ pages: PlaylistPages, folder: String) {
        self.playlists = playlists
        self.pages = pages
        self.folder = folder
    }

    var isWaiting: Bool { awaited.map { $0.outcome == nil } ?? false }

    func next(_ limit: Int, withSongs: Bool) throws(ConsoleError) -> [PlaylistEntry]? {
        if nextIndex == page.count {
            guard let awaited else {
                ask()
                return []
            }
            switch awaited.outcome {
            case nil: return []
            case .failure(let error): throw error
            case .success(nil): return nil
            case .success(let found?):
                page = found
                nextIndex = 0
                self.awaited = nil
            }
        }
        let end = min(page.count, nextIndex + limit)
        defer { nextIndex = end }
        return (nextIndex..<end).map { entry(page[$0], withSong: withSongs) }
    }

    private func ask() {
        let awaited = Awaited<PlaylistText?>()
        self.awaited = awaited
        playlists.wait(awaited) { done in
            pages.next { result in
                switch result {
                case .success(let text): done(.success(text))
                case .failure(let error): done(.failure(ConsoleError(error)))
                }
            }
        }
    }

    private func entry(_ bytes: ArraySlice<UInt8>, withSong: Bool) -> PlaylistEntry {
        let uri = playlists.names.uri(written: bytes, in: folder)
        if !withSong || PlaylistPath.isURL(bytes) { return PlaylistEntry(uri: uri) }
        if let song = playlists.library.song(at: uri, playlists.names) { return PlaylistEntry(uri: uri, song: song) }
        // The name may be spelled in another way.
        for other in PlaylistPath.otherSpellings(bytes, root: playlists.names.root.pathBytes) {
            let uri = playlists.names.uri(written: other[...], in: folder)
            if let item = playlists.library.item(path: playlists.names.path(of: uri)) {
                return PlaylistEntry(uri: uri, song: playlists.names.song(item))
            }
        }
        return PlaylistEntry(uri: uri)
    }
}

extension SongNames {
    /// Returns the console's form of an entry.
    /// - Parameter folder: the base of relative paths, in the console's form.
    func uri(written bytes: ArraySlice<UInt8>, in folder: String) -> String {
        String(pathBytes: PlaylistPath.uri(bytes, in: folder.pathBytes, root: root.pathBytes))
    }
}

/// The future content of a playlist, collected in portions.
final class StoredDraft {
    private let playlists: StoredPlaylists
    private let store: PlaylistStore
    private let name: String
    private var text = PlaylistText()

    init(_ playlists: StoredPlaylists, _ store: PlaylistStore, _ name: String) {
        self.playlists = playlists
        self.store = store
        self.name = name
    }

    /// Throws `.playlistMax` if the playlist is full.
    func append(_ uri: String) throws(ConsoleError) {
        if !text.append(uri.pathBytes[...]) { throw ConsoleError(PlaylistError.tooLarge) }
    }

    /// Inserts the draft before the entry at that position, or at the end.
    func add(at position: Int?) -> Awaited<Void> {
        playlists.change { store.change(name, .insert(text, at: position), finish: $0) }
    }

    /// Makes a new playlist of the draft.
    func save() -> Awaited<Void> { playlists.change { store.make(name, text, finish: $0) } }
}
