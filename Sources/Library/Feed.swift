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
    /// The feed's permanent new address; "" if it has not moved.
    public var movedTo = ""
    /// A notice for the listener about the unusable part of the feed; "" if all was usable.
    public var notice = ""
    /// True if a listener should start with the oldest episode.
    public var isSerial = false

    public init() {}
}

/// A feed's facts about an episode. The text comes from a stranger: the reader has limited its length.
public struct EpisodeDraft: Sendable {
    /// The episode's permanent name within its feed.
    public var identity: String
    public var title = ""
    /// The address of its audio.
    public var address: String
    public var author = ""
    public var details = ""
    public var picture = ""
    /// The time of publication in seconds since 1970; 0 if the feed does not say.
    public var publishedSeconds: Int64 = 0
    /// The duration; nil if the feed does not say.
    public var durationSeconds: Int64?
    /// The number by season and episode: a season counts a hundred thousand. 0 if the feed does not say.
    public var number: Int64 = 0
    public var transcript = ""
    public var transcriptType = ""
    public var chapters = ""
    /// The chapters that the feed itself has. The file named in `chapters` takes precedence, once it was read.
    public var marks: [Chapter] = []

    public init(identity: String, address: String) {
        self.identity = identity
        self.address = address
    }

    /// A number that changes if the feed says something else. It ignores the address, which may have a token that changes with each look.
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
    /// The address at which the listener subscribed to its feed.
    public let feedOrigin: String
    /// The address of its audio, as the feed named it last.
    public let address: String
    /// The time of publication in seconds since 1970; 0 if unknown.
    public let publishedSeconds: Int64
    /// The addresses of its picture, transcript and chapters; "" for none.
    public let picture: String
    public let transcript: String
    public let transcriptType: String
    public let chapters: String
    public let state: EpisodeState
    /// The episode's permanent name in the cache.
    public let cacheName: String
    /// The number, as in `EpisodeDraft`.
    let number: Int64
}

public struct EpisodeState: OptionSet, Sendable {
    public let rawValue: Int64

    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// Set if the cache has all of the episode, as far as is known.
    public static let isFetched = EpisodeState(rawValue: 1)
    /// Set once its chapters were read.
    public static let hasChapters = EpisodeState(rawValue: 2)
}
