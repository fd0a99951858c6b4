// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Speaker

@testable import Console

/// The fake's queue as it stood.
final class FakeQueue: QueueListing {
    private let speaker: FakeSpeaker
    private let entries: [QueueEntry]

    init(_ speaker: FakeSpeaker, _ entries: [QueueEntry]) {
        self.speaker = speaker
        self.entries = entries
    }

    var count: Int { entries.count }
    func songID(at position: Int) -> Int { entries[position].songID }
    func songs(_ positions: Range<Int>) -> [SongDescription] {
        speaker.songsLookedUp += positions.count
        return positions.map { speaker.song(entries[$0], at: $0) }
    }
}
