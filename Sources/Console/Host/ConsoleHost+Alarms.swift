// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Model
import Playlists
import Posix
import Speaker
import Streams
import Wire

/// Alarms.
extension ConsoleHost {
    /// Returns the name of an alarm's sound, for people.
    func words(_ sound: Alarm.Sound) -> String {
        switch sound {
        case .lastHeard: "what was heard last"
        case .item(let id): library.item(id).map { $0.title.isEmpty ? names.uri(of: $0.path) : $0.title } ?? "a tone"
        case .book(let id): library.book(of: id)?.title ?? "a tone"
        case .playlist(let name): name
        }
    }

    /// Adds an alarm.
    /// - Parameter name: a book, an item, a playlist or a station, a path or an address; nil for the last one that played.
    /// - Returns: its number, which may come later.
    func add(_ alarm: Alarm, playing name: String?) throws(ConsoleError) -> Awaited<Alarm.ID> {
        var alarm = alarm
        guard let name else { return Awaited(.success(try add(alarm))) }
        if let sound = try sound(name) {
            alarm.sound = sound
            return Awaited(.success(try add(alarm)))
        }
        // Only a playlist can have this name, and only the disk knows those.
        alarm.sound = .playlist(name)
        if SmartList(name: name) != nil { return Awaited(.success(try add(alarm))) }
        return stored.ifThere(name) { [self] in
            do throws(ConsoleError) { return .success(try add(alarm)) } catch { return .failure(error) }
        }
    }

    private func add(_ alarm: Alarm) throws(ConsoleError) -> Alarm.ID {
        guard let id = speaker.addAlarm(alarm) else {
            throw ConsoleError(.playlistMax, "There are \(Alarm.most) alarms already: remove one")
        }
        return id
    }

    /// Returns the sound of a name; nil if the library does not have it.
    private func sound(_ name: String) throws(ConsoleError) -> Alarm.Sound? {
        if StreamAddress.isOne(name) { return .item(try stream(at: name).identifier) }
        if let item = library.item(at: name, names) { return .item(item.id) }
        _ = library.updateBooks()
        let found = library.books(named: name, path: names.path(of: name))
        if found.isSure, let book = found.books.first.flatMap({ library.book($0.id) }) {
            return .book(of: book.left?.item ?? book.firstItem)
        }
        return library.item(titled: name).map { .item($0) }
    }

    /// Finds the items of a playlist that are in the library; none if it is unreadable.
    func items(ofPlaylist name: String, _ finish: @escaping ([ItemID]) -> Void) {
        guard let listing = try? stored.listing(name) else { return finish([]) }
        PlaylistItems(listing, timers, finish).goOn()
    }
}

/// The items of a playlist, read in turns of the loop.
private final class PlaylistItems {
    private static let mostItems = 1000
    private static let waitMilliseconds = 50

    private let listing: any PlaylistListing
    private let timers: any Timers
    private let finish: ([ItemID]) -> Void
    private var items: [ItemID] = []

    init(_ listing: any PlaylistListing, _ timers: any Timers, _ finish: @escaping ([ItemID]) -> Void) {
        self.listing = listing
        self.timers = timers
        self.finish = finish
    }

    func goOn() {
        guard items.count < PlaylistItems.mostItems, let entries = try? listing.next(100, withSongs: true) else {
            return finish(items)
        }
        for entry in entries { if let song = entry.song { items.append(song.identifier) } }
        // The disk answers within some seconds, or its failure ends the reading.
        timers.schedule(inMilliseconds: listing.isWaiting ? PlaylistItems.waitMilliseconds : 0) { [self] in goOn() }
    }
}
