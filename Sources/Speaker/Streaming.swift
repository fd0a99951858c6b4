// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Media
import Model
import Playback
import Posix
import Workers

/// Playback from a network: items that are addresses of http or https and no files, and the episodes of podcasts.
public final class Streaming {
    public static let isOff =
        "streams are off: set enabled = yes under [network] in the configuration, and start the speaker anew"

    /// Nil where the network is not to be used.
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

    /// The item of an address, made where it is not known yet. Nil where it cannot be saved.
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

    /// Returns the source of an item at an address: its picture may stand in it. Nil for all else.
    public func recording(_ item: Item) -> MediaSource? {
        guard item.isStream, !item.isEpisode, let track = player.track, track.id == item.id, !track.isLive else {
            return nil
        }
        return track.source
    }

    /// Asks servers for the words beside a recording: by this port, or not at all.
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
        // All that was there has been heard.
        return !player.isAdvancing && player.hasDevice && stream.mayBringMore
            && port?.aheadMilliseconds(of: item.path) ?? 1000 < 1000
    }

    /// Why it waits, in short.
    func reason(_ item: Item) -> Trouble { port?.waitReason(of: item.path) ?? .streamAwaited }

    /// For how long what is there of what comes from a network will play; nil for what comes from nowhere else.
    func bufferedMilliseconds(_ item: Item) -> Int? {
        if !item.isStream { return nil }
        if let track = player.track, track.source.stream?.isWhole == true, let duration = track.durationMilliseconds {
            return max(0, duration - player.positionMilliseconds)
        }
        return port?.aheadMilliseconds(of: item.path)
    }

    /// Returns the rendition being fetched, in words; nil where there is no choice.
    func rendition(_ item: Item) -> String? { item.isStream ? port?.rendition(of: item.path) : nil }

    /// Why what plays from a network waits; nil while it does not.
    func trouble(_ item: Item) -> String? {
        if !item.isStream { return nil }
        if let message = port?.waitMessage(of: item.path) { return message }
        guard player.isWaitingForBytes, player.positionMilliseconds > 0, let stream = player.track?.source.stream,
            stream.isReady, !stream.takesJumps
        else { return nil }
        return stream.name + ": the server gives no parts of it: waiting until it is fetched so far"
    }

    // MARK: Reports of streams

    /// Takes a station's name and title: shown as the item's title, and its name as MPD has it.
    /// - Parameters:
    ///   - title: nil for what it was.
    ///   - name: nil for what it was.
    /// - Returns: the item; nil where nothing of it has changed.
    func didSay(_ address: String, title: String?, name: String?) -> ItemID? {
        // An episode keeps the title of its podcast, at any server.
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

    /// Returns whether the server has another recording than the one under way: it is to be asked for anew, from the same place in it. Or a
    /// station's middle is no beginning.
    func isStale(_ track: Track, _ item: Item, _ error: PlaybackError) -> Bool {
        guard item.id == track.id, item.isStream, let port, case .file(let cause) = error,
            cause.code == PosixError.staleCode
        else { return false }
        if track.source.stream?.isLive == false { audience.warn(cause.message) }
        port.forget(item.path)
        return true
    }

    /// Why nothing of a track comes, in words for a person; nil for what comes from no network.
    func failure(_ track: Track) -> String? {
        guard let item = library.item(track.id), item.isStream else { return nil }
        guard let port else { return track.source.name + ": " + Streaming.isOff }
        return port.failure(of: item.path).map { track.source.name + ": " + $0 }
    }
}

extension Item {
    /// It has an address and no file.
    public var isStream: Bool { path.utf8.first != UInt8(ascii: "/") || isEpisode }

    /// It is of a podcast: its path only gives its place in lists. No file has audio of no length.
    public var isEpisode: Bool { path.utf8.first == UInt8(ascii: "/") && identity.audioBytes == 0 }
}
