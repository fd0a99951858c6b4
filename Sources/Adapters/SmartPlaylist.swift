import Console
import Library

/// A playlist that is always there, and is what the library says at the moment.
enum SmartPlaylist: CaseIterable {
    case newest, unfinished, favourites, mostPlayed, finished

    var name: String {
        switch self {
        case .newest: "Newest"
        case .unfinished: "Unfinished"
        case .favourites: "Favourites"
        case .mostPlayed: "Most played"
        case .finished: "Finished"
        }
    }

    static var served: [SmartPlaylist] { [.favourites] }

    init?(name: String) {
        guard let found = SmartPlaylist.served.first(where: { $0.name == name }) else { return nil }
        self = found
    }
}

/// Its entries, a page at a time.
final class SmartListing: PlaylistListing {
    /// As many as a page of the library may have.
    private static let mostInPage = 64
    private let playlist: SmartPlaylist
    private let library: Library
    private let names: SongNames
    private var offset = 0

    init(_ playlist: SmartPlaylist, _ library: Library, _ names: SongNames) {
        self.playlist = playlist
        self.library = library
        self.names = names
    }

    var isWaiting: Bool { false }

    func next(_ limit: Int, withSongs: Bool) throws(ConsoleError) -> [PlaylistEntry]? {
        let limit = min(limit, SmartListing.mostInPage)
        let items = library.favourites(by: .newest, offset: offset, limit: limit).map { $0.item }
        if items.isEmpty { return nil }
        offset += limit
        return items.map { item in
            let song = names.song(item)
            return PlaylistEntry(uri: song.uri, song: song)
        }
    }
}
