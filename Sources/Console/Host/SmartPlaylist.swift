// SPDX-License-Identifier: Apache-2.0
import Library
import Model
import Playlists
import Wire

/// Playlists that are always there, and that the library computes anew for each request.
extension SmartList {
    var name: String {
        switch self {
        case .newest: "Newest"
        case .unfinished: "Unfinished"
        case .favourites: "Favourites"
        case .mostPlayed: "Most played"
        case .finished: "Finished"
        }
    }

    init?(name: String) {
        guard let found = SmartList.allCases.first(where: { $0.name == name }) else { return nil }
        self = found
    }
}

/// The entries of such a playlist, a page at a time.
final class SmartListing: PlaylistListing {
    /// The limit of a page, as for the library's pages.
    private static let mostInPage = 64
    private let playlist: SmartList
    private let library: Library
    private let names: SongNames
    private var offset = 0

    init(_ playlist: SmartList, _ library: Library, _ names: SongNames) {
        self.playlist = playlist
        self.library = library
        self.names = names
    }

    var isWaiting: Bool { false }

    func next(_ limit: Int, withSongs: Bool) throws(ConsoleError) -> [PlaylistEntry]? {
        let limit = min(limit, SmartListing.mostInPage)
        let ids = library.smart(playlist, offset: offset, limit: limit)
        if ids.isEmpty { return nil }
        offset += ids.count
        return library.items(ids).map { item in
            let song = names.song(item)
            return PlaylistEntry(uri: song.uri, song: song)
        }
    }
}
