// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Media
import Model
import Playback
import Posix
import Workers

/// Playback from a network: items that are http or https addresses instead of files, and episodes of podcasts.
public final class Streaming {
    public static let isOff =
        "streams are off: set enabled = yes under [network] in the configuration, and start the speaker anew"

    /// The network's port; nil if the network must not be used.
    public var port: (any StreamPort)?
    public let podcasts: Podcasts
    let recordings: RemoteRecordings
    private let library: Library
    private let player: any PlayerPort
    private let audience: Audience

    init(
        _ library: Library, player: any PlayerPort, podcasts: Podcasts, worker: any Performer, audience: Audience
    ) {
        self.library = library
        self.player = player
        self.podcasts = podcasts
        recordings = RemoteRecordings(library, worker: worker)
        self.audience = audience
    }

    /// Returns the item of an address, and makes it if it is unknown. nil if it cannot be saved.
    public func item(of address: String) -> Item? {
        if let known = library.item(path: address) {
            if !known.isPresent { library.setPresent([known.id], true) }
            return library.item(known.id)
        }
        return library.upsert(Probe(stream: address))
    }

    /// Returns the source of an item.
    func source(of item: Item) -> MediaSource {
        guard item.isStream, let port else { return .file(path: item.path) }
        guard item.isEpisode else { return port.source(of: item.path) ?? .file(path: item.path) }
        guard let episode = library.episode(item.id) else { return .file(path: item.path) }
        let source = port.source(
            of: item.path, address: episode.address, name: episode.cacheName, feed: episode.feedOrigin)
        return source ?? .file(path: item.path)
    }

    /// Returns the source of an item at an address, which may contain its picture. nil for all others.
    public func recording(_ item: Item) -> MediaSource? {
        guard item.isStream, !item.isEpisode, let track = player.track, track.id == item.id, !track.isLive else {
            return nil
        }
        return track.source
    }

    /// The port that asks servers for the transcript beside a recording; nil for never.
    public var wordsPort: (any FeedPort)? {
        get { recordings.wordsPort }
        set { recordings.wordsPort = newValue }
    }

    // MARK: The current item's state

    /// Returns whether the item waits for the network.
    func isAwaited(_ item: Item) -> Bool {
        if !item.isStream || !player.wantsToPlay { return false }
        if port?.waitMessage(of: item.path) != nil || player.isWaitingForBytes { return true }
        guard let stream = player.track?.source.stream else { return false }
        if !stream.isReady { return true }
        // All buffered audio has played.
        return !player.isAdvancing && player.hasDevice && stream.mayBringMore
            && port?.aheadMilliseconds(of: item.path) ?? 1000 < 1000
    }

    /// Returns the reason of the wait, in short.
    func reason(_ item: Item) -> Trouble { port?.waitReason(of: item.path) ?? .streamAwaited }

    /// Returns the playing time of an item's buffered bytes; nil for an item that is no stream.
    func bufferedMilliseconds(_ item: Item) -> Int? {
        if !item.isStream { return nil }
        if let track = player.track, track.source.stream?.isWhole == true, let duration = track.durationMilliseconds {
            return max(0, duration - player.positionMilliseconds)
        }
        return port?.aheadMilliseconds(of: item.path)
    }

    /// Returns the rendition being fetched, in words; nil if there is no choice.
    func rendition(_ item: Item) -> String? { item.isStream ? port?.rendition(of: item.path) : nil }

    /// Returns the reason why a stream waits; nil while it does not.
    func trouble(_ item: Item) -> String? {
        if !item.isStream { return nil }
        if let message = port?.waitMessage(of: item.path) { return message }
        guard player.isWaitingForBytes, player.positionMilliseconds > 0, let stream = player.track?.source.stream,
            stream.isReady, !stream.takesJumps
        else { return nil }
        return stream.name + ": the server gives no parts of it: waiting until it is fetched so far"
    }

    // MARK: Reports of streams

    /// Takes a station's name and title. The title becomes the item's title, and the name its MPD name.
    /// - Parameters:
    ///   - title: nil for no change.
    ///   - name: nil for no change.
    /// - Returns: the item; nil if nothing of it has changed.
    func didSay(_ address: String, title: String?, name: String?) -> ItemID? {
        // An episode keeps its podcast's title, at any server.
        guard let item = library.item(path: address), item.isStream, !item.isEpisode else { return nil }
        var probe = Probe(stream: address)
        let known = name ?? item.tags[.name] ?? ""
        let words = title ?? ""
        probe.tags = TagList()
        if !known.isEmpty { probe.tags.append(.name, known) }
        if !words.isEmpty || !known.isEmpty { probe.tags.append(.title, words.isEmpty ? known : words) }
        _ = library.upsert(probe)
        return item.id
    }

    /// Returns whether the bytes under way are outdated, and forgets them: the server has another recording, or no decoder can start in the
    /// middle of a station's stream. The address must then be requested again, a recording from the same place.
    func isStale(_ track: Track, _ item: Item, _ error: PlaybackError) -> Bool {
        guard item.id == track.id, item.isStream, let port, case .file(let cause) = error,
            cause.code == PosixError.staleCode
        else { return false }
        if track.source.stream?.isLive == false { audience.warn(cause.message) }
        port.forget(item.path)
        return true
    }

    /// Returns the reason why no bytes of a track come, in words for the listener; nil for a track that is no stream.
    func failure(_ track: Track) -> String? {
        guard let item = library.item(track.id), item.isStream else { return nil }
        guard let port else { return track.source.name + ": " + Streaming.isOff }
        return port.failure(of: item.path).map { track.source.name + ": " + $0 }
    }
}

extension Item {
    /// True if the item has an address and no file.
    public var isStream: Bool { path.utf8.first != UInt8(ascii: "/") || isEpisode }

    /// True for an episode of a podcast: its path only gives its place in lists. No file has audio of length 0.
    public var isEpisode: Bool { path.utf8.first == UInt8(ascii: "/") && identity.audioBytes == 0 }
}
