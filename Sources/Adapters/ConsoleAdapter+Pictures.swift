import Console
import Library
import Media
import Speaker

/// Pictures of songs.
extension ConsoleAdapter {
    public func picture(of uri: String, _ place: PicturePlace) throws(ConsoleError) -> Awaited<PictureDescription?> {
        guard let item = library.item(path: names.path(of: uri)) else {
            if case .tags = place { throw ConsoleError(.noExist, "No such song") }
            return Awaited(.success(nil))
        }
        guard let pictures else { return Awaited(.success(nil)) }
        let awaited = Awaited<PictureDescription?>()
        if item.isEpisode {
            stored.wait(awaited) { [self] done in fetchPicture(of: item, pictures, done) }
            return awaited
        }
        stored.wait(awaited) { done in pictures.picture(of: item.path, place, finish: done) }
        return awaited
    }

    /// An episode's, or its podcast's: all that have the same share it.
    private func fetchPicture(
        of item: Item, _ pictures: PictureShelf, _ done: @escaping (Result<PictureDescription?, ConsoleError>) -> Void
    ) {
        guard let port = speaker.podcasts.port, let episode = library.episode(item.id), !episode.picture.isEmpty else {
            return done(.success(nil))
        }
        let name = episode.pictureName
        if pictures.has(name, .tags) { return pictures.picture(of: name, .tags, finish: done) }
        port.fetch(episode.picture, name: name, isDocument: true, isUrgent: true) { file, problem in
            guard let file else { return done(.failure(ConsoleError(.system, "no picture: " + problem))) }
            pictures.picture(of: name, .tags, source: file, finish: done)
        }
    }
}
