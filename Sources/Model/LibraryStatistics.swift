// SPDX-License-Identifier: Apache-2.0
/// The number of present items, their total length, and the time of the last change.
public struct LibraryStatistics: Equatable, Sendable {
    public var items: Int
    public var artists: Int
    public var albums: Int
    public var durationMilliseconds: Int64
    /// Since the speaker started.
    public var uptimeSeconds: Int64 = 0
    /// When the library was last another than before, seconds since 1970.
    public var updatedSeconds: Int64 = 0
    /// Time played since start.
    public var playedSeconds: Int64 = 0
    /// On each of the last seven days, today last; nil where the clock is not known.
    public var week: HeardWeek?
    /// Seconds listened, and times that the card ran dry, in each of the last hours.
    public var heardHours: HourlyCounts?
    public var underrunHours: HourlyCounts?

    public init(items: Int = 0, artists: Int = 0, albums: Int = 0, durationMilliseconds: Int64 = 0) {
        self.items = items
        self.artists = artists
        self.albums = albums
        self.durationMilliseconds = durationMilliseconds
    }
}
