// SPDX-License-Identifier: Apache-2.0
import Core

/// One file that the library knows, with what it remembers of the audio in it.
public struct Item: Sendable {
    /// Stays the same for as long as the database lives; never given to another item.
    public typealias ID = ItemID

    public let id: ID
    /// The audio. Files of the same audio share it, and with it position, play count, favourite and duration.
    public let contentID: Int64
    public var identity: ContentIdentity
    /// The file's path, or its last known one.
    public var path: String
    public var fileBytes: Int64
    /// The file's last modification, seconds since 1970.
    public var fileModifiedSeconds: Int64
    /// Never empty: the file's name where the tags have no title.
    public var title: String
    public var artist: String
    public var album: String
    /// All that its tags say, title, artist and album included.
    public var tags: TagList
    /// nil if it is unknown.
    public var durationMilliseconds: Int?
    /// Path of the picture, or "embedded"; nil for none.
    public var artwork: String?
    /// When the library first saw it, seconds since 1970.
    public var addedSeconds: Int64
    /// False where the file was not there when last looked for.
    public var isPresent: Bool
    /// The place at which playback stopped.
    public var positionMilliseconds: Int
    public var playCount: Int
    public var isFavourite: Bool

    public init(
        id: ID, contentID: Int64 = 0, identity: ContentIdentity = ContentIdentity(hash: 0, audioBytes: 0), path: String,
        fileBytes: Int64 = 0, fileModifiedSeconds: Int64 = 0, title: String, artist: String = "", album: String = "",
        tags: TagList = TagList(), durationMilliseconds: Int? = nil, artwork: String? = nil, addedSeconds: Int64 = 0,
        isPresent: Bool = true, positionMilliseconds: Int = 0, playCount: Int = 0, isFavourite: Bool = false
    ) {
        self.id = id
        self.contentID = contentID
        self.identity = identity
        self.path = path
        self.fileBytes = fileBytes
        self.fileModifiedSeconds = fileModifiedSeconds
        self.title = title
        self.artist = artist
        self.album = album
        self.tags = tags
        self.durationMilliseconds = durationMilliseconds
        self.artwork = artwork
        self.addedSeconds = addedSeconds
        self.isPresent = isPresent
        self.positionMilliseconds = positionMilliseconds
        self.playCount = playCount
        self.isFavourite = isFavourite
    }

    /// Audio that stopped so near its end begins anew.
    public static let endMilliseconds = 5000

    /// The last milliseconds of a recording that are its credits as a rule: a twentieth of it, 5 s at least and two minutes at most.
    public static func creditsMilliseconds(duration: Int) -> Int { max(endMilliseconds, min(duration / 20, 120_000)) }

    /// The place to resume at: the stop, but the start if it was in the last 5 seconds.
    public var resumeMilliseconds: Int {
        guard let durationMilliseconds else { return positionMilliseconds }
        return positionMilliseconds > durationMilliseconds - Item.endMilliseconds ? 0 : positionMilliseconds
    }
}
