// SPDX-License-Identifier: Apache-2.0
import CXXHash
import Media
import Model

/// A feed's own facts.
public struct FeedHead: Sendable {
    public var title = ""
    public var author = ""
    public var details = ""
    public var picture = ""
    public var entityTag = ""
    public var lastModified = ""
    /// Its permanent new address; "" where it has not.
    public var movedTo = ""
    /// The unusable part of it, in words for a person; "" where all was.
    public var notice = ""
    /// A listener should start with the oldest.
    public var isSerial = false

    public init() {}
}

/// A feed's facts about an episode. A stranger's words: the reader has held them to bounds.
public struct EpisodeDraft: Sendable {
    /// Its name for ever within its feed.
    public var identity: String
    public var title = ""
    /// Of its sound.
    public var address: String
    public var author = ""
    public var details = ""
    public var picture = ""
    /// Seconds since 1970; 0 where the feed does not say.
    public var publishedSeconds: Int64 = 0
    /// Nil where it does not say.
    public var durationSeconds: Int64?
    /// Its number by season and episode: a season counts a hundred thousand. 0 where the feed does not say.
    public var number: Int64 = 0
    public var transcript = ""
    public var transcriptType = ""
    public var chapters = ""
    /// Its chapters, where the feed itself has them. The file named in `chapters` counts more, once it was read.
    public var marks: [Chapter] = []

    public init(identity: String, address: String) {
        self.identity = identity
        self.address = address
    }

    /// Another one where the feed says something else, its address left out: those have tokens that change with each look.
    var stamp: Int64 {
        var text = title + "\u{0}" + author + "\u{0}" + details + "\u{0}" + picture + "\u{0}\(publishedSeconds)\u{0}"
        text += "\(durationSeconds ?? -1)\u{0}" + transcript + "\u{0}" + transcriptType + "\u{0}" + chapters
        if number > 0 { text += "\u{0}#\(number)" }
        for mark in marks { text += "\u{0}\(mark.startMilliseconds) " + mark.title }
        return Int64(bitPattern: xxHash64(Array(text.utf8), seed: 0) | 1)
    }
}

/// An item that is an episode of a podcast.
public struct Episode: Sendable {
    public let item: Item.ID
    public let feed: Feed.ID
    /// The address at which its feed was subscribed to.
    public let feedOrigin: String
    /// Of its sound, as the feed named it last.
    public let address: String
    /// Seconds since 1970; 0 if unknown.
    public let publishedSeconds: Int64
    /// Addresses; "" for none.
    public let picture: String
    public let transcript: String
    public let transcriptType: String
    public let chapters: String
    public let state: EpisodeState
    /// Its name in the cache: the same for ever.
    public let cacheName: String
    /// As `EpisodeDraft` has it.
    let number: Int64
}

public struct EpisodeState: OptionSet, Sendable {
    public let rawValue: Int64

    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// All of it is in the cache, as far as is known.
    public static let isFetched = EpisodeState(rawValue: 1)
    /// Its chapters were read.
    public static let hasChapters = EpisodeState(rawValue: 2)
}
