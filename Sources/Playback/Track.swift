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
    /// How to begin anywhere in it; found by the player where it is nil.
    public var seekTable: SeekTable?
    /// How fast it is played, in thousandths: milliseconds of it that pass in a second.
    public var speed: Int
    /// Its silences are made shorter.
    public var shortensSilences = false
    /// What it is multiplied with, in 1/65536; nil to leave it as it is, to the last bit.
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

    /// Whether the one sounds as the other and stands for the same entry, whatever is known of them.
    func isPlayed(as other: Track) -> Bool {
        id == other.id && entry == other.entry && source == other.source && speed == other.speed
            && shortensSilences == other.shortensSilences && (gain == nil) == (other.gain == nil)
    }
}
