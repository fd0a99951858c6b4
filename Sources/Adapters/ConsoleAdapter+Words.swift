import Console
import Library
import Speaker

/// What is said.
extension ConsoleAdapter {
    public func said(_ words: String) -> Pages<SpokenDescription>? {
        guard let search = SpokenSearch(library, words) else { return nil }
        // The song of the last sentence: the next is often of the same.
        var song: (id: Item.ID, uri: String, title: String)?
        return { [names, library] limit in
            search.next(limit)?.compactMap { hit in
                if song?.id != hit.itemID {
                    song = library.item(hit.itemID).map { ($0.id, names.uri(of: $0.path), $0.title) }
                }
                return song.map {
                    SpokenDescription(
                        identifier: $0.id, uri: $0.uri, title: $0.title, milliseconds: hit.startMilliseconds,
                        text: hit.text)
                }
            }
        }
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
