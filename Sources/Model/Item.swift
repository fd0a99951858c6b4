// SPDX-License-Identifier: Apache-2.0
import Core

/// A file of the library, with the memory of its audio.
public struct Item: Sendable {
    /// The permanent number of an item in the database; never given to another item.
    public typealias ID = ItemID

    public let id: ID
    /// The audio. Files of the same audio share it, and with it position, play count, favorite and duration.
    public let contentID: Int64
    public var identity: ContentIdentity
    /// The file's path, or its last known one.
    public var path: String
    public var fileBytes: Int64
    /// The file's last modification, in seconds since 1970.
    public var fileModifiedSeconds: Int64
    /// The title, never empty: the file's name if the tags have none.
    public var title: String
    public var artist: String
    public var album: String
    /// All tags, including title, artist and album.
    public var tags: TagList
    /// The duration; nil if unknown.
    public var durationMilliseconds: Int?
    /// The path of the picture, or "embedded"; nil for none.
    public var artwork: String?
    /// The time when the library first saw it, in seconds since 1970.
    public var addedSeconds: Int64
    /// False if the file was missing at the last check.
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

    /// The distance from the end at which a stopped item starts anew.
    public static let endMilliseconds = 5000

    /// Returns the usual length of a recording's credits at its end: a twentieth of it, at least 5 s and at most two minutes.
    public static func creditsMilliseconds(duration: Int) -> Int { max(endMilliseconds, min(duration / 20, 120_000)) }

    /// The place to resume at: the last place, but the start if that was in the last 5 seconds.
    public var resumeMilliseconds: Int {
        guard let durationMilliseconds else { return positionMilliseconds }
        return positionMilliseconds > durationMilliseconds - Item.endMilliseconds ? 0 : positionMilliseconds
    }
}
