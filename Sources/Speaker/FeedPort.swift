// SPDX-License-Identifier: Apache-2.0
import Library
import Media

/// Who fetches podcasts; nil without a usable network. Control thread; nothing waits.
public protocol FeedPort: AnyObject {
    /// - Parameters:
    ///   - entityTag: the server's last answer, or ""; likewise `lastModified`.
    ///   - finish: called once, later.
    func fetchFeed(
        _ address: String, entityTag: String, lastModified: String, finish: @escaping (FeedAnswer) -> Void)
    /// Fetches an episode whole, ahead of the ear, or what else a feed names.
    /// - Parameters:
    ///   - name: its name in the cache.
    ///   - feed: the address at which a person subscribed to the feed that names it.
    ///   - isUrgent: somebody waits: before and beside the fetching ahead.
    ///   - finish: called once, later: with the file, or nil and the reason.
    func fetch(
        _ address: String, name: String, feed: String, isDocument: Bool, isUrgent: Bool,
        finish: @escaping (MediaSource?, _ problem: String) -> Void)
    /// Fetches words that may lie at an address beside a recording's.
    /// - Parameter finish: called once, later; with nil where there are none.
    func fetchWords(beside address: String, finish: @escaping (MediaSource?) -> Void)
    /// The cache may evict the file of this name first, since the listener heard it.
    func tellHeard(_ name: String)
}

public enum FeedAnswer {
    case feed(any FeedReading)
    /// As it was; with its address, where that is another for good.
    case unchanged(movedTo: String)
    case failed(String)
}

/// A feed's episodes, a page at a time: asked for on the worker's thread, looked at on the control thread in between.
public protocol FeedReading: AnyObject {
    /// One access to the disk. An empty page is the end.
    func readPage()
    /// Known after the first page; nil where there is none.
    var head: FeedHead? { get }
    var page: [EpisodeDraft] { get }
}
