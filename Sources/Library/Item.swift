/// One piece of audio that the library knows, with what it remembers of it.
public struct Item: Sendable {
    /// Stays the same for as long as the database lives; never given to another item.
    public typealias ID = Int64

    public let id: ID
    public var identity: ContentIdentity
    /// Where the file is, or was last seen.
    public var path: String
    public var fileBytes: Int64
    /// The file's last modification, seconds since 1970.
    public var fileModifiedSeconds: Int64
    /// Never empty: the file's name where the tags have no title.
    public var title: String
    public var artist: String
    public var album: String
    /// nil while nobody knows.
    public var durationMilliseconds: Int?
    /// Path of the transcript, or "embedded"; nil for none.
    public var transcript: String?
    /// Path of the picture, or "embedded"; nil for none.
    public var artwork: String?
    /// When the library first saw it, seconds since 1970.
    public var addedSeconds: Int64
    /// False where the file was not there when last looked for.
    public var isPresent: Bool
    /// Where playing it stopped.
    public var positionMilliseconds: Int
    public var playCount: Int
    public var isFavourite: Bool

    /// Where to play on: where it stopped, but from the start where that was in the last 5 seconds.
    public var resumeMilliseconds: Int {
        guard let durationMilliseconds else { return positionMilliseconds }
        return positionMilliseconds > durationMilliseconds - 5000 ? 0 : positionMilliseconds
    }
}

/// What looking into a file found: everything about an item but what the library itself remembers.
public struct Probe: Sendable {
    public var identity: ContentIdentity
    public var path: String
    public var fileBytes: Int64
    /// Seconds since 1970.
    public var fileModifiedSeconds: Int64
    /// Empty where the tags have none; the file's name then stands for it.
    public var title: String
    public var artist: String
    public var album: String
    /// nil where only playing it through would tell.
    public var durationMilliseconds: Int?
    /// Path of the transcript, or "embedded"; nil for none.
    public var transcript: String?
    /// Path of the picture, or "embedded"; nil for none.
    public var artwork: String?

    public init(
        identity: ContentIdentity, path: String, fileBytes: Int64, fileModifiedSeconds: Int64, title: String = "",
        artist: String = "", album: String = "", durationMilliseconds: Int? = nil, transcript: String? = nil,
        artwork: String? = nil
    ) {
        self.identity = identity
        self.path = path
        self.fileBytes = fileBytes
        self.fileModifiedSeconds = fileModifiedSeconds
        self.title = title
        self.artist = artist
        self.album = album
        self.durationMilliseconds = durationMilliseconds
        self.transcript = transcript
        self.artwork = artwork
    }
}
