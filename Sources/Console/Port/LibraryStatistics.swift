/// The library in numbers, as the `stats` command tells it.
public struct LibraryStatistics: Sendable {
    public var artists: Int
    public var albums: Int
    public var songs: Int
    /// Since the speaker started.
    public var uptimeSeconds: Int64
    /// Of all items together.
    public var totalSeconds: Int64
    /// When the library was last scanned, seconds since 1970.
    public var updatedSeconds: Int64
    /// Time played since start.
    public var playedSeconds: Int64

    public init(
        artists: Int = 0, albums: Int = 0, songs: Int = 0, uptimeSeconds: Int64 = 0, totalSeconds: Int64 = 0,
        updatedSeconds: Int64 = 0, playedSeconds: Int64 = 0
    ) {
        self.artists = artists
        self.albums = albums
        self.songs = songs
        self.uptimeSeconds = uptimeSeconds
        self.totalSeconds = totalSeconds
        self.updatedSeconds = updatedSeconds
        self.playedSeconds = playedSeconds
    }
}

/// A place that sound goes to, as the `outputs` command tells it.
public struct OutputDescription: Sendable {
    /// The PCM's name: "hw:CARD=sndrpihifiberry".
    public var name: String
    /// "alsa", or what plays in its stead.
    public var plugin: String
    /// Whether sound may go to it.
    public var isEnabled: Bool

    public init(name: String, plugin: String, isEnabled: Bool) {
        self.name = name
        self.plugin = plugin
        self.isEnabled = isEnabled
    }
}
