// SPDX-License-Identifier: Apache-2.0
import Media

/// Facts about a track that appear while it plays.
extension Player {
    /// Counts a track's length and finds how to begin anywhere in it, unless these are known; the delegate gets the result.
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

    /// True if the wanted place has yet to come from a network.
    public var isWaitingForBytes: Bool { wish?.waitsForBytes ?? false }

    /// A network has brought more bytes of a wanted track.
    public func streamsDidAdvance() {
        // Getting a deck ready opens the stream and goes through its beginning anew: wait until there is more to find.
        if wish?.track.source.stream?.isMissingBytes != true { wish?.waitsForBytes = false }
        if following?.track.source.stream?.isMissingBytes != true { following?.waitsForBytes = false }
        advance()
    }
}
