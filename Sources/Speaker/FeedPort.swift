// SPDX-License-Identifier: Apache-2.0
import Library
import Media

/// The fetcher of podcasts; nil without a usable network. Control thread; nothing waits.
public protocol FeedPort: AnyObject {
    /// - Parameters:
    ///   - entityTag: the server's last answer, or ""; likewise `lastModified`.
    ///   - finish: called once, later.
    func fetchFeed(
        _ address: String, entityTag: String, lastModified: String, finish: @escaping (FeedAnswer) -> Void)
    /// Fetches a whole episode ahead of playback, or another file that a feed names.
    /// - Parameters:
    ///   - name: its name in the cache.
    ///   - feed: the address at which the listener subscribed to its feed.
    ///   - isUrgent: true if a client waits: the request goes before and beside the fetching ahead.
    ///   - finish: called once, later: with the file, or nil and the reason.
    func fetch(
        _ address: String, name: String, feed: String, isDocument: Bool, isUrgent: Bool,
        finish: @escaping (MediaSource?, _ problem: String) -> Void)
    /// Fetches a transcript that may lie beside a recording's address.
    /// - Parameter finish: called once, later; with nil if there is none.
    func fetchWords(beside address: String, finish: @escaping (MediaSource?) -> Void)
    /// Lets the cache evict the file of this name first, since the listener heard it.
    func tellHeard(_ name: String)
}

public enum FeedAnswer {
    case feed(any FeedReading)
    /// The feed has not changed; with its new address, if it has moved permanently.
    case unchanged(movedTo: String)
    case failed(String)
}

/// A feed's episodes, a page at a time: the worker's thread reads them, and the control thread looks at them in between.
public protocol FeedReading: AnyObject {
    /// Reads a page with one access to the disk. An empty page is the end.
    func readPage()
    /// The feed's head, known after the first page; nil if there is none.
    var head: FeedHead? { get }
    var page: [EpisodeDraft] { get }
}
