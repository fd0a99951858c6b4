import Console
import Library
import Model
import Speaker

/// What is said.
extension ConsoleAdapter {
    public func said(_ words: String) -> Pages<SpokenHit>? {
        SpokenSearch(library, words).map { search in { search.next($0) } }
    }

    public func play(song identifier: Int64, fromMilliseconds milliseconds: Int) throws(ConsoleError) {
        guard speaker.library.item(identifier) != nil else { throw ConsoleError(.noExist, "No such song") }
        try checkOutput()
        if !speaker.play(identifier, fromMilliseconds: milliseconds, asked: turnBegan()) {
            throw ConsoleError(.playlistMax, "Playlist is too large")
        }
    }
}
