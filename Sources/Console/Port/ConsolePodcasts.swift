/// Podcasts that are subscribed to. Control thread; nothing waits.
public protocol ConsolePodcasts: AnyObject {
    /// Subscribes to a feed; answered once it could be read, or could not.
    /// - Parameter name: what it is called until it was read; where nil, it is subscribed to only if it can be.
    func subscribe(toFeed address: String, name: String?) throws(ConsoleError) -> Awaited<Void>
    /// - Parameter feed: its address, its name, or its folder's.
    func unsubscribe(fromFeed feed: String) throws(ConsoleError)
    /// Whether something is subscribed to by this address, name or folder.
    func isFeed(_ feed: String) -> Bool
    /// Has feeds asked for now.
    /// - Parameter feed: nil for all.
    func refresh(feed: String?) throws(ConsoleError)
    func subscriptions() -> Pages<SubscriptionDescription>
}

/// A podcast that is subscribed to.
public struct SubscriptionDescription: Sendable {
    public var address: String
    /// The address without what may be secret in it.
    public var shownAddress: String
    public var title: String
    /// Its folder.
    public var uri: String
    public var episodes: Int
    /// Of these never played.
    public var unheard: Int
    /// When it was last asked for, seconds since 1970; 0 for never.
    public var checkedSeconds: Int64
    /// Why that failed; "" where it did not.
    public var problem: String

    public init(
        address: String, shownAddress: String, title: String, uri: String, episodes: Int, unheard: Int,
        checkedSeconds: Int64, problem: String
    ) {
        self.address = address
        self.shownAddress = shownAddress
        self.title = title
        self.uri = uri
        self.episodes = episodes
        self.unheard = unheard
        self.checkedSeconds = checkedSeconds
        self.problem = problem
    }
}
