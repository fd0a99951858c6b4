// SPDX-License-Identifier: Apache-2.0
/// The number of present items, their total length, and the time of the last change.
public struct LibraryStatistics: Equatable, Sendable {
    public var items: Int
    public var artists: Int
    public var albums: Int
    public var durationMilliseconds: Int64
    /// The seconds since the speaker started.
    public var uptimeSeconds: Int64 = 0
    /// The time of the library's last change, in seconds since 1970.
    public var updatedSeconds: Int64 = 0
    /// The listening time since the start.
    public var playedSeconds: Int64 = 0
    /// The listening time of each of the last seven days, today last; nil with an unknown clock.
    public var week: HeardWeek?
    /// The seconds listened, and the underruns of the card, in each of the last hours.
    public var heardHours: HourlyCounts?
    public var underrunHours: HourlyCounts?

    public init(items: Int = 0, artists: Int = 0, albums: Int = 0, durationMilliseconds: Int64 = 0) {
        self.items = items
        self.artists = artists
        self.albums = albums
        self.durationMilliseconds = durationMilliseconds
    }
}
