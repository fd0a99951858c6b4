// SPDX-License-Identifier: Apache-2.0
import Media

/// Something to play, as the player needs to know it.
public struct Track {
    /// The library's identifier.
    public var id: Int64
    /// The number of its entry in the queue, since the same item may stand there twice.
    public var entry: Int
    public var source: MediaSource
    /// Nil until known; exact once the seek table is.
    public var durationMilliseconds: Int?
    /// The seek table; found by the player where it is nil.
    public var seekTable: SeekTable?
    /// The speed in thousandths: milliseconds of it that pass in a second.
    public var speed: Int
    /// True if its silences are shortened.
    public var shortensSilences = false
    /// The gain in 1/65536; nil to leave it as it is, to the last bit.
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

    /// Is played in the ways that another is.
    mutating func take(waysOf other: Track) {
        speed = other.speed
        shortensSilences = other.shortensSilences
        gain = other.gain
    }

    /// Returns whether both sound alike and stand for the same entry, whatever else is known of them.
    func isPlayed(as other: Track) -> Bool {
        id == other.id && entry == other.entry && source == other.source && speed == other.speed
            && shortensSilences == other.shortensSilences && (gain == nil) == (other.gain == nil)
    }
}
