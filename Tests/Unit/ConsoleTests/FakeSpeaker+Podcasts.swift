import Console

extension FakeSpeaker {
    func subscribe(toFeed address: String, name: String?) throws(ConsoleError) -> Awaited<Void> {
        feeds.append(name.map { address + " " + $0 } ?? address)
        return Awaited(.success(()))
    }

    func unsubscribe(fromFeed feed: String) throws(ConsoleError) { feeds.removeAll { $0 == feed } }

    func isFeed(_ feed: String) -> Bool { feeds.contains(feed) }

    func refresh(feed: String?) throws(ConsoleError) { feeds.append("refresh " + (feed ?? "all")) }

    func subscriptions() -> Pages<SubscriptionDescription> {
        pages(
            of: feeds.map {
                SubscriptionDescription(
                    address: $0 + "?secret", shownAddress: $0, title: "T", uri: "Podcasts/T", episodes: 3, unheard: 2,
                    checkedSeconds: 0, problem: "")
            })
    }
}
