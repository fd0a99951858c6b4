// SPDX-License-Identifier: Apache-2.0
import Media

/// A thing to play, with the facts that the player needs.
public struct Track {
    /// The library's identifier.
    public var id: Int64
    /// The number of its queue entry, since the same item may be queued twice.
    public var entry: Int
    public var source: MediaSource
    /// The duration; nil if unknown, exact once the seek table is known.
    public var durationMilliseconds: Int?
    /// The seek table; the player finds a missing one.
    public var seekTable: SeekTable?
    /// The speed in thousandths: milliseconds of the track in a second.
    public var speed: Int
    /// True if playback shortens its silences.
    public var shortensSilences = false
    /// The gain in 1/65536; nil leaves every bit unchanged.
    public var gain: Int?

    public init(
        id: Int64, entry: Int = 0, source: MediaSource, durationMilliseconds: Int?, seekTable: SeekTable?,
        speed: Int = 1000
    ) {
        self.id = id
        self.entry = entry
        self.source = source
        self.durationMilliseconds = durationMilliseconds
        self.seekTable = seekTable
        self.speed = speed
    }

    /// Copies speed, silences and gain from another track.
    mutating func take(waysOf other: Track) {
        speed = other.speed
        shortensSilences = other.shortensSilences
        gain = other.gain
    }

    /// Returns true if both sound alike and stand for the same entry, regardless of other facts.
    func isPlayed(as other: Track) -> Bool {
        id == other.id && entry == other.entry && source == other.source && speed == other.speed
            && shortensSilences == other.shortensSilences && (gain == nil) == (other.gain == nil)
    }
}
