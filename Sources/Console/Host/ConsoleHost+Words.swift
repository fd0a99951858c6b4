// SPDX-License-Identifier: Apache-2.0
import Library
import Model
import Scanning
import Speaker
import Wire

/// Spoken words.
extension ConsoleHost {
    /// Finds sentences with all these words: phrases in quotes, `*` behind a prefix. nil if there is no word in it.
    func said(_ words: String) -> SpokenListing? {
        guard let spoken, let search = SpokenSearch(spoken, words) else { return nil }
        return { [self] limit in
            let awaited = Awaited<[SpokenHit]?>()
            stored.wait(awaited) { done in search.next(limit) { done(.success($0)) } }
            return awaited
        }
    }

    /// Returns the songs in which these words occur; none if there is no word in it.
    func songs(saying words: String) -> Awaited<ItemSet> {
        guard let spoken, let search = SpokenSearch(spoken, words) else { return Awaited(.success(ItemSet())) }
        let awaited = Awaited<ItemSet>()
        stored.wait(awaited) { done in search.items { done(.success($0)) } }
        return awaited
    }

    /// Plays a song from a place on.
    func play(song identifier: Int64, fromMilliseconds milliseconds: Int) throws(ConsoleError) {
        guard speaker.library.item(identifier) != nil else { throw ConsoleError(.noExist, "No such song") }
        try checkOutput()
        if !speaker.play(identifier, fromMilliseconds: milliseconds, asked: turnBegan()) {
            throw ConsoleError(.playlistMax, "Playlist is too large")
        }
    }
}
