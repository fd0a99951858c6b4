import Console
import Library
import Speaker

/// What is said.
extension ConsoleAdapter {
    public func said(_ words: String) -> SpokenListing? {
        SpokenSearch(speaker.library, words).map { SpokenSearchListing($0, speaker.library, names) }
    }

    public var isReadingWords: Bool { scans.isReadingWords }

    public func play(song identifier: Int64, fromMilliseconds milliseconds: Int) throws(ConsoleError) {
        guard speaker.library.item(identifier) != nil else { throw ConsoleError(.noExist, "No such song") }
        try checkOutput()
        if !speaker.play(identifier, fromMilliseconds: milliseconds, asked: turnBegan()) {
            throw ConsoleError(.playlistMax, "Playlist is too large")
        }
    }
}

/// Sentences that were found, with the songs that they are in.
private final class SpokenSearchListing: SpokenListing {
    private let search: SpokenSearch
    private let library: Library
    private let names: SongNames
    /// The song of the last sentence: the next is often of the same.
    private var song: (id: Item.ID, uri: String, title: String)?

    init(_ search: SpokenSearch, _ library: Library, _ names: SongNames) {
        self.search = search
        self.library = library
        self.names = names
    }

    func next(_ limit: Int) -> [SpokenDescription]? {
        guard let hits = search.next(limit) else { return nil }
        var page: [SpokenDescription] = []
        for hit in hits {
            if song?.id != hit.itemID {
                guard let item = library.item(hit.itemID) else { continue }
                song = (item.id, names.uri(of: item.path), item.title)
            }
            guard let song else { continue }
            page.append(
                SpokenDescription(
                    identifier: song.id, uri: song.uri, title: song.title, milliseconds: hit.startMilliseconds,
                    text: hit.text))
        }
        return page
    }
}
