// SPDX-License-Identifier: Apache-2.0
import Media

/// Facts about a track that the player learns during playback.
extension Player {
    /// Counts a track's length and makes its seek table, unless these are known; the delegate gets the result.
    public func measure(_ track: Track) {
        tables.find(track) { [self] table in
            if let table { didFind(table, of: track) }
        }
    }

    func didFind(_ table: SeekTable, of track: Track) {
        func learn(_ known: inout Track) {
            guard known.source == track.source else { return }
            known.seekTable = table
            known.durationMilliseconds = table.durationMilliseconds
        }
        heard.update(learn)
        if wish != nil { learn(&wish!.track) }
        delegate.playerDidMeasure(track, table)
    }

    /// True if the wanted position has not arrived from a network yet.
    public var isWaitingForBytes: Bool { wish?.waitsForBytes ?? false }

    /// Handles new bytes of a wanted track from a network.
    public func streamsDidAdvance() {
        // Preparing a deck opens the stream and walks over its beginning again, so wait until there is more to find.
        if wish?.track.source.stream?.isMissingBytes != true { wish?.waitsForBytes = false }
        if following?.track.source.stream?.isMissingBytes != true { following?.waitsForBytes = false }
        advance()
    }
}
