// SPDX-License-Identifier: Apache-2.0
import Model

@testable import Console

extension FakeSpeaker {
    /// Every sentence that has the words as they are written, as one text.
    func said(_ words: String) -> SpokenListing? {
        let plain = words.filter { $0 != "\"" }
        if plain.isEmpty { return nil }
        sayings.append(words)
        let all = pages(of: sentences.filter { $0.text.contains(plain) })
        // Gives nothing at every other call, as a search may.
        var rests = true
        return { limit in
            rests.toggle()
            return Awaited(.success(rests ? all(limit) : []))
        }
    }

    func songs(saying words: String) -> Awaited<ItemSet> {
        sayings.append(words)
        return lateSongsSaying ?? Awaited(.success(songsSaying))
    }

    func play(song identifier: Int64, fromMilliseconds milliseconds: Int) throws(ConsoleError) {
        try act("play \(identifier) from \(milliseconds)", .player)
    }
}
