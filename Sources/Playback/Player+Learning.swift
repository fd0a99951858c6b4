import Media

/// What becomes known of a track while it plays.
extension Player {
    /// Counts a track's length, and how to begin anywhere in it, unless that is known; the delegate is told.
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

    /// What is to be heard has yet to come from a network.
    public var isWaitingForBytes: Bool { wish?.waitsForBytes ?? false }

    /// A network has brought more of what is to be played.
    public func streamsDidAdvance() {
        // Getting a deck ready opens the stream and goes through its beginning anew: not before there is more to be found.
        if wish?.track.source.stream?.isMissingBytes != true { wish?.waitsForBytes = false }
        if following?.track.source.stream?.isMissingBytes != true { following?.waitsForBytes = false }
        advance()
    }
}
