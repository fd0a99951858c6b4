// SPDX-License-Identifier: Apache-2.0
import Library
import Media
import Model
import Posix
import Speaker
import Wire

/// Pictures of songs.
extension ConsoleHost {
    /// Returns the picture from the song's folder, or from its tags; nil if there is none. Throws `.noExist` for the tags of anything but a
    /// song.
    func picture(of uri: String, _ place: PicturePlace) throws(ConsoleError) -> Awaited<Picture?> {
        guard let item = library.item(at: uri, names) else {
            if case .tags = place { throw ConsoleError(.noExist, "No such song") }
            return cover(ofFeed: uri)
        }
        guard let pictures = disk?.pictures else { return Awaited(.success(nil)) }
        let awaited = Awaited<Picture?>()
        if item.isEpisode {
            stored.wait(awaited) { [self] done in
                let episode = library.episode(item.id)
                fetchPicture(at: episode?.picture ?? "", feed: episode?.feedOrigin ?? "", pictures, done)
            }
            return awaited
        }
        let source = item.isStream ? speaker.streaming.recording(item) : MediaSource.file(path: item.path)
        guard let source else { return Awaited(.success(nil)) }
        stored.wait(awaited) { done in pictures.picture(of: item.path, place, in: source, finish: done) }
        return awaited
    }

    /// Returns a podcast's picture, as the picture of the folder with its episodes.
    private func cover(ofFeed uri: String) -> Awaited<Picture?> {
        guard let pictures = disk?.pictures, uri.begins(with: Feed.folderName + "/"), let feed = feed(uri),
            !feed.picture.isEmpty
        else { return Awaited(.success(nil)) }
        let awaited = Awaited<Picture?>()
        stored.wait(awaited) { [self] done in fetchPicture(at: feed.picture, feed: feed.origin, pictures, done) }
        return awaited
    }

    /// Fetches the picture of an episode, or of its podcast: all with the same picture share it.
    private func fetchPicture(
        at address: String, feed: String, _ pictures: PictureShelf,
        _ done: @escaping (Result<Picture?, ConsoleError>) -> Void
    ) {
        guard let port = speaker.streaming.podcasts.port, !address.isEmpty else { return done(.success(nil)) }
        let name = Episode.pictureName(of: address)
        if pictures.has(name, .tags) { return pictures.picture(of: name, .tags, finish: done) }
        port.fetch(address, name: name, feed: feed, isDocument: true, isUrgent: true) { file, problem in
            guard let file else { return done(.failure(ConsoleError(.system, "no picture: " + problem))) }
            pictures.picture(of: name, .tags, source: file, finish: done)
        }
    }
}
