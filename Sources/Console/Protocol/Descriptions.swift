import Core

/// How songs and favourites stand in an answer.
extension ResponseBuffer {
    mutating func song(_ song: SongDescription, _ tags: TagSet) {
        field("file", path: song.uri)
        if let bounds = song.bounds {
            let end = bounds.upperBound == .max ? "" : ResponseBuffer.seconds(bounds.upperBound)
            field("Range", ResponseBuffer.seconds(bounds.lowerBound) + "-" + end)
        }
        if let seconds = song.modifiedSeconds { field("Last-Modified", date: seconds) }
        if let seconds = song.addedSeconds { field("Added", date: seconds) }
        if let format = song.tags[.format] { field("Format", format) }
        song.tags.visit { tag, range in
            if tags.contains(tag) { field(tag.name, song.tags.bytes[range]) }
        }
        if let milliseconds = song.durationMilliseconds {
            field("Time", ResponseBuffer.roundedSeconds(milliseconds))
            field("duration", milliseconds: milliseconds)
        }
        if let entry = song.entry {
            field("Pos", entry.position)
            field("Id", entry.id)
            if entry.priority > 0 { field("Prio", Int(entry.priority)) }
        }
    }

    mutating func favourite(_ favourite: FavouriteDescription) {
        field("file", path: favourite.uri)
        field("Title", favourite.title)
        if let milliseconds = favourite.durationMilliseconds { field("duration", milliseconds: milliseconds) }
        field("favourite", favourite.identifier)
        field("added", date: favourite.addedSeconds)
        if let milliseconds = favourite.lastPositionMilliseconds { field("position", milliseconds: milliseconds) }
        if let artwork = favourite.artwork { field("artwork", path: artwork) }
    }

    /// Never negative. In 64 bits, since a duration may be as long as an `Int` of 32 can say.
    static func roundedSeconds(_ milliseconds: Int) -> Int64 { (max(0, Int64(milliseconds)) + 500) / 1000 }
}
