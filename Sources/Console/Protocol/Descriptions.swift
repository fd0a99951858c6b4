// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Wire

/// Writes songs and favorites into an answer.
extension ResponseBuffer {
    mutating func song(_ song: SongDescription, _ tags: TagSet) {
        field("file", path: song.uri)
        if let bounds = song.bounds {
            let end = bounds.upperBound == .max ? "" : Seconds.text(bounds.upperBound)
            field("Range", Seconds.text(bounds.lowerBound) + "-" + end)
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

    mutating func favourite(_ favourite: Favourite, _ names: SongNames) {
        let item = favourite.item
        field("file", path: names.uri(of: item.path))
        field("Title", item.title)
        if let milliseconds = item.durationMilliseconds { field("duration", milliseconds: milliseconds) }
        field("favourite", item.id)
        field("added", date: favourite.addedSeconds)
        field("position", milliseconds: item.positionMilliseconds)
        if let artwork = item.artwork { field("artwork", path: names.uri(of: artwork)) }
    }

    /// Rounds to seconds, never negative. In 64 bits, since a duration may fill an `Int` of 32 bits.
    static func roundedSeconds(_ milliseconds: Int) -> Int64 { (max(0, Int64(milliseconds)) + 500) / 1000 }
}
