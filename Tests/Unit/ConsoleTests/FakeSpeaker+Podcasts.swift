// SPDX-License-Identifier: Apache-2.0
import Console
import Model

extension FakeSpeaker {
    func subscribe(
        toFeed address: String, name: String?, order: Feed.Order??
    ) throws(ConsoleError) -> Awaited<Void> {
        feeds.append(name.map { address + " " + $0 } ?? address)
        return Awaited(.success(()))
    }

    func unsubscribe(fromFeed feed: String) throws(ConsoleError) { feeds.removeAll { $0 == feed } }

    func isFeed(_ feed: String) -> Bool { feeds.contains(feed) }

    func refresh(feed: String?) throws(ConsoleError) { feeds.append("refresh " + (feed ?? "all")) }

    func subscriptions() -> Pages<(feed: Feed, shownAddress: String, episodes: Int, unheard: Int)> {
        pages(of: feeds.map { (Feed(id: 1, address: $0 + "?secret", name: "T", title: "T"), $0, 3, 2) })
    }
}
