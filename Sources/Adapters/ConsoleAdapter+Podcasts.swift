import Console
import Library
import Model
import Posix
import Speaker
import Streams

extension ConsoleAdapter {
    /// A server that has not sent its feed by then takes long.
    private static let patienceMilliseconds = 20_000

    public func subscribe(toFeed address: String, name: String?) throws(ConsoleError) -> Awaited<Void> {
        guard speaker.streaming.podcasts.port != nil else { throw ConsoleError(.permission, Streaming.isOff) }
        if let problem = StreamAddress.problem(address) { throw ConsoleError(.argument, "Bad address: " + problem) }
        if library.feed(address: address) != nil { throw ConsoleError(.exists, "subscribed to already") }
        if library.podcastsFolder == nil { throw ConsoleError(.system, "Podcasts need the folder of a library") }
        let awaited = Awaited<Void>()
        if let name {
            if !speaker.streaming.podcasts.subscribe(address, title: name) {
                throw ConsoleError(.system, "The subscription could not be saved")
            }
            awaited.settle(.success(()))
            return awaited
        }
        timers.schedule(at: timers.now.adding(milliseconds: ConsoleAdapter.patienceMilliseconds)) { [self] in
            if awaited.outcome != nil { return }
            awaited.settle(
                .failure(ConsoleError(.system, "The server takes long: see what \"subscriptions\" says in a while")))
            didCome()
        }
        speaker.streaming.podcasts.subscribe(address) { [self] problem in
            awaited.settle(problem.isEmpty ? .success(()) : .failure(ConsoleError(.system, problem)))
            didCome()
        }
        return awaited
    }

    public func unsubscribe(fromFeed feed: String) throws(ConsoleError) {
        guard let known = self.feed(feed) else { throw ConsoleError(.noExist, "not subscribed to this feed") }
        speaker.streaming.podcasts.unsubscribe(known)
    }

    public func isFeed(_ feed: String) -> Bool { self.feed(feed) != nil }

    public func refresh(feed: String?) throws(ConsoleError) {
        guard speaker.streaming.podcasts.port != nil else { throw ConsoleError(.permission, Streaming.isOff) }
        guard let feed else { return speaker.streaming.podcasts.refresh(library.feeds()) }
        guard let known = self.feed(feed) else { throw ConsoleError(.noExist, "not subscribed to this feed") }
        speaker.streaming.podcasts.refresh([known])
    }

    /// By its address, its name or its folder.
    func feed(_ name: String) -> Feed? {
        if StreamAddress.isOne(name) { return library.feed(address: name) }
        let folder = Feed.folderName + "/"
        return library.feed(named: name.begins(with: folder) ? name.dropping(bytes: folder.utf8.count) : name)
    }

    public func subscriptions() -> Pages<(feed: Feed, shownAddress: String, episodes: Int, unheard: Int)> {
        let feeds = pages(of: library.feeds())
        return { [library] limit in
            feeds(limit)?.map { feed in
                let counts = library.episodeCounts(of: feed.id)
                return (feed, StreamAddress.shown(feed.address), counts.all, counts.unheard)
            }
        }
    }
}
