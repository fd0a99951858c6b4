import Model

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
    /// What is subscribed to: each with its address without what may be secret in it, how many episodes it has, and how many of them were
    /// never played.
    func subscriptions() -> Pages<(feed: Feed, shownAddress: String, episodes: Int, unheard: Int)>
}
