// SPDX-License-Identifier: Apache-2.0
import Core
import Media
import Model

/// The facts from a file: everything about an item but what the library itself remembers.
public struct Probe: Sendable {
    public var identity: ContentIdentity
    public var path: String
    public var fileBytes: Int64
    /// Seconds since 1970.
    public var fileModifiedSeconds: Int64
    /// If it has no title, the file's name is the title.
    public var tags: TagList
    /// nil where only playing it through would tell.
    public var durationMilliseconds: Int?
    /// Path of the picture, or "embedded"; nil for none.
    public var artwork: String?
    /// The key of the picture; nil for none, or where it is not known.
    public var cover: Cover?
    /// In order, within the duration; empty for none.
    public var chapters: [Chapter]
    /// Of the printed book, in order; empty for none.
    public var pages: [Chapter] = []
    /// Another one where a file beside it that says more of it is another; 0 for none.
    public var sidecarStamp: Int64
    /// The gains that its tags give.
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
