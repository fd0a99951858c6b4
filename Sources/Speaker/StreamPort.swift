// SPDX-License-Identifier: Apache-2.0
import Core
import Media

/// The network's interface for the speaker; nil without a usable network. Control thread; nothing waits.
public protocol StreamPort: AnyObject {
    /// Returns the source of an http or https address; nil if it cannot start.
    func source(of address: String) -> MediaSource?
    /// Returns the source of a podcast's episode.
    /// - Parameters:
    ///   - path: the item's path, which names the source in all other calls.
    ///   - name: its name in the cache.
    func source(of path: String, address: String, name: String, feed: String) -> MediaSource?
    /// Forgets the outdated bytes of an address, so that it is requested again.
    func forget(_ address: String)
    /// Returns the reason why no bytes come at the moment, in words; nil while they come.
    func waitMessage(of address: String) -> String?
    /// Returns the same reason in short; nil if unknown.
    func waitReason(of address: String) -> Trouble?
    /// Returns the reason why no bytes will come, in words; nil while they may.
    func failure(of address: String) -> String?
    /// Returns the playing time of the buffered bytes; nil if the stream is not wanted at present.
    func aheadMilliseconds(of address: String) -> Int?
    /// Returns the rendition being fetched, in words; nil if there is no choice.
    func rendition(of address: String) -> String?
}
