// SPDX-License-Identifier: Apache-2.0
import Core
import Media
import Model

/// The facts from a file: everything about an item except the library's own memory of it.
public struct Probe: Sendable {
    public var identity: ContentIdentity
    public var path: String
    public var fileBytes: Int64
    /// The file's time of modification in seconds since 1970.
    public var fileModifiedSeconds: Int64
    /// The tags. If they have no title, the file's name is the title.
    public var tags: TagList
    /// The duration; nil if only playing the whole file would tell.
    public var durationMilliseconds: Int?
    /// The path of the picture, or "embedded"; nil for none.
    public var artwork: String?
    /// The key of the picture; nil for none, or if it is unknown.
    public var cover: Cover?
    /// The chapters in order, within the duration; empty for none.
    public var chapters: [Chapter]
    /// The pages of the printed book, in order; empty for none.
    public var pages: [Chapter] = []
    /// A number that changes with the files beside it that describe it; 0 for none.
    public var sidecarStamp: Int64
    /// The gains in its tags.
    public var loudness = Loudness()

    public init(
        identity: ContentIdentity, path: String, fileBytes: Int64, fileModifiedSeconds: Int64,
        tags: TagList = TagList(), durationMilliseconds: Int? = nil, artwork: String? = nil,
        cover: Cover? = nil, chapters: [Chapter] = [], sidecarStamp: Int64 = 0
    ) {
        self.identity = identity
        self.path = path
        self.fileBytes = fileBytes
        self.fileModifiedSeconds = fileModifiedSeconds
        self.tags = tags
        self.durationMilliseconds = durationMilliseconds
        self.artwork = artwork
        self.cover = cover
        self.chapters = chapters
        self.sidecarStamp = sidecarStamp
    }
}
