// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Media
import Model
import Posix
import Transcript
import Workers

extension Podcasts {
    /// The episodes to fetch ahead, one after the other.
    struct Keeping {
        var waiting: [Item.ID] = []
        var current: Item.ID?
        var isBusy: Bool { current != nil || !waiting.isEmpty }
    }

    /// Fetches the next episodes of a feed, whole; heard ones may go.
    func keepAhead(_ feed: Feed.ID) {
        for episode in library.fetchedEpisodes() where episode.feed == feed && library.isFinished(episode.item) {
            port?.tellHeard(episode.cacheName)
            library.setState(.isFetched, false, of: episode.item)
        }
        guard settings.keptEpisodes > 0, let known = library.feed(feed) else { return }
        for episode in library.nextEpisodes(of: known, limit: settings.keptEpisodes)
        where !library.isFinished(episode.item) && keeping.current != episode.item
            && !keeping.waiting.contains(episode.item)
        {
            keeping.waiting.append(episode.item)
        }
        keepNext()
    }

    private func keepNext() {
        guard keeping.current == nil, let port else { return }
        while !keeping.waiting.isEmpty {
            let id = keeping.waiting.removeFirst()
            guard let episode = library.episode(id) else { continue }
            keeping.current = id
            return port.fetch(
                episode.address, name: episode.cacheName, feed: episode.feedOrigin, isDocument: false, isUrgent: false
            ) {
                [self] file, problem in
                if file != nil {
                    library.setState(.isFetched, true, of: id)
                    places.didWrite()
                } else if let item = library.item(id) {
                    audience.warn("\(item.title): not fetched ahead: \(problem)")
                }
                keepDocuments(episode)
            }
        }
    }

    /// Fetches an episode's documents, so that they are there without a network, too.
    private func keepDocuments(_ episode: Episode) {
        if !episode.transcript.isEmpty {
            port?.fetch(
                episode.transcript, name: episode.transcriptName, feed: episode.feedOrigin, isDocument: true,
                isUrgent: false
            ) { [self] file, _ in if let file { find(words(episode, file), of: episode) } }
        }
        if !episode.picture.isEmpty {
            port?.fetch(
                episode.picture, name: episode.pictureName, feed: episode.feedOrigin, isDocument: true, isUrgent: false
            ) { _, _ in }
        }
        readChapters(episode, isUrgent: false) {}
        keeping.current = nil
        keepNext()
    }

    /// Fetches the current item's words and chapters, if they come from a network.
    /// - Parameter chaptersDidCome: called if new chapters have come.
    func follow(_ item: Item, _ transcripts: TranscriptFollower, chaptersDidCome: @escaping () -> Void) {
        guard item.isEpisode, let port, let episode = library.episode(item.id) else { return }
        if !episode.transcript.isEmpty {
            port.fetch(
                episode.transcript, name: episode.transcriptName, feed: episode.feedOrigin, isDocument: true,
                isUrgent: true
            ) {
                [self] file, problem in
                guard let file else { return audience.warn("\(item.title): no transcript: \(problem)") }
                transcripts.read(words(episode, file), of: item.id)
                find(words(episode, file), of: episode)
            }
        }
        readChapters(episode, isUrgent: true, finish: chaptersDidCome)
    }

    /// Notes that all of an episode is there: it plays again without a network.
    public func streamIsWhole(_ path: String) {
        guard let item = library.item(path: path), item.isEpisode else { return }
        library.setState(.isFetched, true, of: item.id)
        places.didWrite()
    }

    private func words(_ episode: Episode, _ file: MediaSource) -> FetchedTranscript {
        FetchedTranscript(
            file, type: episode.transcriptType, durationMilliseconds: library.item(episode.item)?.durationMilliseconds)
    }

    /// Adds an episode's words to the search.
    private func find(_ words: FetchedTranscript, of episode: Episode) {
        scans?.takeIn(words, of: episode.item, name: episode.transcriptName)
    }

    /// Reads an episode's chapters, if its feed names a file of them that was not read.
    /// - Parameter finish: called if they are there now.
    private func readChapters(_ episode: Episode, isUrgent: Bool, finish: @escaping () -> Void) {
        if episode.chapters.isEmpty || episode.state.contains(.hasChapters) { return }
        port?.fetch(
            episode.chapters, name: episode.chaptersName, feed: episode.feedOrigin, isDocument: true, isUrgent: isUrgent
        ) {
            [self] file, _ in
            guard let file else { return }
            var chapters: [Chapter] = []
            _ = try? worker.perform(.background) {
                chapters = FetchedChapters.read(file)
                return .done
            } finish: { [self] outcome in
                guard outcome == .done else { return }
                library.setChapters(of: episode.item, chapters)
                places.didWrite()
                finish()
            }
        }
    }
}

extension Episode {
    public var transcriptName: String { cacheName + " transcript \(transcript.stableHash)" }
    public var chaptersName: String { cacheName + " chapters \(chapters.stableHash)" }
    /// The picture's name in the cache, which episodes with the same picture share.
    public var pictureName: String { Episode.pictureName(of: picture) }
    public static func pictureName(of address: String) -> String { "podcast picture \(address.stableHash)" }
}
