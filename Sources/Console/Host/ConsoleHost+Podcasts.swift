// SPDX-License-Identifier: Apache-2.0
import Library
import Model
import Posix
import Speaker
import Streams
import Wire

extension ConsoleHost {
    /// The wait for a server that is slow to send its feed.
    private static let patienceMilliseconds = 20_000

    /// Subscribes to a feed; answers once the feed was read, or failed.
    /// - Parameter name: its name until the first reading; if nil, the subscription needs a readable feed.
    /// - Parameter order: nil to keep it; an inner nil for the feed's own order.
    func subscribe(
        toFeed address: String, name: String?, order: Feed.Order??
    ) throws(ConsoleError) -> Awaited<Void> {
        guard speaker.streaming.podcasts.port != nil else { throw ConsoleError(.permission, Streaming.isOff) }
        if let problem = StreamAddress.problem(address) { throw ConsoleError(.argument, "Bad address: " + problem) }
        if let known = library.feed(address: address) {
            guard let order else { throw ConsoleError(.exists, "subscribed to already") }
            return try settled(setOrder(order, of: known))
        }
        if library.podcastsFolder == nil { throw ConsoleError(.system, "Podcasts need the folder of a library") }
        let awaited = Awaited<Void>()
        if let name {
            if !speaker.streaming.podcasts.subscribe(address, title: name) {
                throw ConsoleError(.system, "The subscription could not be saved")
            }
            return try settled(setOrder(order, ofFeedAt: address))
        }
        timers.schedule(at: timers.now.adding(milliseconds: ConsoleHost.patienceMilliseconds)) { [self] in
            if awaited.outcome != nil { return }
            awaited.settle(
                .failure(ConsoleError(.system, "The server takes long: see what \"subscriptions\" says in a while")))
            didCome()
        }
        speaker.streaming.podcasts.subscribe(address) { [self] problem in
            if problem.isEmpty { _ = setOrder(order, ofFeedAt: address) }
            awaited.settle(problem.isEmpty ? .success(()) : .failure(ConsoleError(.system, problem)))
            didCome()
        }
        return awaited
    }

    private func setOrder(_ order: Feed.Order??, ofFeedAt address: String) -> Bool {
        guard let order, let feed = library.feed(address: address) else { return true }
        return setOrder(order, of: feed)
    }

    private func setOrder(_ order: Feed.Order?, of feed: Feed) -> Bool {
        speaker.streaming.podcasts.setOrder(order, of: feed.id)
    }

    private func settled(_ isSaved: Bool) throws(ConsoleError) -> Awaited<Void> {
        if !isSaved { throw ConsoleError(.system, "The subscription could not be saved") }
        let awaited = Awaited<Void>()
        awaited.settle(.success(()))
        return awaited
    }

    /// - Parameter feed: its address, its name, or its folder's name.
    func unsubscribe(fromFeed feed: String) throws(ConsoleError) {
        guard let known = self.feed(feed) else { throw ConsoleError(.noExist, "not subscribed to this feed") }
        speaker.streaming.podcasts.unsubscribe(known)
    }

    /// Returns whether a subscription has this address, name or folder.
    func isFeed(_ feed: String) -> Bool { self.feed(feed) != nil }

    /// Refreshes feeds now.
    /// - Parameter feed: nil for all.
    func refresh(feed: String?) throws(ConsoleError) {
        guard speaker.streaming.podcasts.port != nil else { throw ConsoleError(.permission, Streaming.isOff) }
        guard let feed else { return speaker.streaming.podcasts.refresh(library.feeds()) }
        guard let known = self.feed(feed) else { throw ConsoleError(.noExist, "not subscribed to this feed") }
        speaker.streaming.podcasts.refresh([known])
    }

    /// Returns the feed with this address, name or folder.
    func feed(_ name: String) -> Feed? {
        if StreamAddress.isOne(name) { return library.feed(address: name) }
        let folder = Feed.folderName + "/"
        return library.feed(named: name.begins(with: folder) ? name.dropping(bytes: folder.utf8.count) : name)
    }

    /// Lists the subscriptions: each with its address without secret parts, the number of its episodes, and the number never played.
    func subscriptions() -> Pages<(feed: Feed, shownAddress: String, episodes: Int, unheard: Int)> {
        let feeds = pages(of: library.feeds())
        return { [library] limit in
            feeds(limit)?.map { feed in
                let counts = library.episodeCounts(of: feed.id)
                return (feed, StreamAddress.shown(feed.address), counts.all, counts.unheard)
            }
        }
    }
}
