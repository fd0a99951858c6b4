// SPDX-License-Identifier: Apache-2.0
import Core
import Media

/// The network's interface for the speaker; nil where there is none to be used. Control thread; nothing waits.
public protocol StreamPort: AnyObject {
    /// Returns the source of an address of http or https; nil where that cannot be begun.
    func source(of address: String) -> MediaSource?
    /// The same for an episode of a podcast.
    /// - Parameters:
    ///   - path: of its item: its name in all that follows.
    ///   - name: its name in the cache.
    func source(of path: String, address: String, name: String, feed: String) -> MediaSource?
    /// The present bytes of an address are outdated: it is asked for anew.
    func forget(_ address: String)
    /// Why nothing of it comes at the moment, in words; nil while it does.
    func waitMessage(of address: String) -> String?
    /// The same in short; nil if unknown.
    func waitReason(of address: String) -> Trouble?
    /// Why nothing of it will come, in words; nil while it may.
    func failure(of address: String) -> String?
    /// For how long what is there and was not read yet will play; nil where it is not wanted at present.
    func aheadMilliseconds(of address: String) -> Int?
    /// Returns the rendition being fetched, in words; nil where there is no choice.
    func rendition(of address: String) -> String?
}
