/// A favourite as it is remembered, whether or not its file is there at the moment.
public struct FavouriteDescription: Sendable {
    /// The order of `favourite list`.
    public enum Order: Sendable {
        case newest
        case title
        case duration
        case mostPlayed
    }

    public var identifier: Int64
    /// Path relative to the library's folder.
    public var uri: String
    public var title: String
    /// Where its picture is; nil where it has none.
    public var artwork: String?
    public var durationMilliseconds: Int?
    /// When it was added, seconds since 1970.
    public var addedSeconds: Int64
    /// Where playback last was in it.
    public var lastPositionMilliseconds: Int?

    public init(
        identifier: Int64, uri: String, title: String, artwork: String? = nil, durationMilliseconds: Int? = nil,
        addedSeconds: Int64, lastPositionMilliseconds: Int? = nil
    ) {
        self.identifier = identifier
        self.uri = uri
        self.title = title
        self.artwork = artwork
        self.durationMilliseconds = durationMilliseconds
        self.addedSeconds = addedSeconds
        self.lastPositionMilliseconds = lastPositionMilliseconds
    }
}
