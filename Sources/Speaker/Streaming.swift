import Core
import Library
import Media
import Model
import Playback
import Posix
import Transcript

/// Items that are no files but addresses of http or https.
extension Speaker {
    public static let streamsAreOff =
        "streams are off: set enabled = yes under [network] in the configuration, and start the speaker anew"

    /// The item of an address, made where it is not known yet. Nil where it cannot be saved.
    public func streamItem(_ address: String) -> Item? {
        if let known = library.item(path: address) {
            if !known.isPresent { library.setPresent([known.id], true) }
            return library.item(known.id)
        }
        return library.upsert(Probe(stream: address))
    }

    /// What is played for an item.
    func source(of item: Item) -> MediaSource {
        guard item.isStream, let streams else { return .file(path: item.path) }
        guard item.isEpisode else { return streams.source(of: item.path) ?? .file(path: item.path) }
        guard let episode = library.episode(item.id) else { return .file(path: item.path) }
        return streams.source(of: item.path, address: episode.address, name: episode.cacheName)
            ?? .file(path: item.path)
    }

    /// What plays comes from a network, and waits for it.
    var isStreamAwaited: Bool {
        guard let item = currentItem, item.isStream, player.wantsToPlay else { return false }
        if streams?.waitMessage(of: item.path) != nil || player.isWaitingForBytes { return true }
        guard let stream = player.track?.source.stream else { return false }
        if !stream.isReady { return true }
        // All that was there has been heard.
        return !player.isAdvancing && player.hasDevice && stream.mayBringMore
            && streams?.aheadMilliseconds(of: item.path) ?? 1000 < 1000
    }

    /// For how long what is there of what comes from a network will play; nil for what comes from nowhere else.
    public var bufferedMilliseconds: Int? {
        guard let item = currentItem, item.isStream else { return nil }
        if let track = player.track, track.source.stream?.isWhole == true, let duration = track.durationMilliseconds {
            return max(0, duration - player.positionMilliseconds)
        }
        return streams?.aheadMilliseconds(of: item.path)
    }

    /// Which of several renditions of it is fetched, in words; nil where there is no choice.
    public var rendition: String? {
        guard let item = currentItem, item.isStream else { return nil }
        return streams?.rendition(of: item.path)
    }

    /// Why what plays from a network waits; nil while it does not.
    var streamTrouble: String? {
        guard let item = currentItem, item.isStream else { return nil }
        if let message = streams?.waitMessage(of: item.path) { return message }
        guard player.isWaitingForBytes, player.positionMilliseconds > 0, let stream = player.track?.source.stream,
            stream.isReady, !stream.takesJumps
        else { return nil }
        return stream.name + ": the server gives no parts of it: waiting until it is fetched so far"
    }

    /// A stream waits, or goes on.
    public func streamDidWait(_ address: String, _ message: String) {
        if !message.isEmpty { audience.warn(message) }
        if currentItem?.path.utf8.elementsEqual(address.utf8) == true { audience.didChange(.player) }
    }

    /// What a station says of itself and of what it plays: shown as the item's title, and its name as MPD has it.
    /// - Parameters:
    ///   - title: nil for what it was.
    ///   - name: nil for what it was.
    public func streamDidSay(_ address: String, title: String?, name: String?) {
        // An episode is called what its feed calls it, whatever its server says.
        guard let item = library.item(path: address), item.isStream, !item.isEpisode else { return }
        var probe = Probe(stream: address)
        let known = name ?? item.tags[.name] ?? ""
        let words = title ?? ""
        probe.tags = TagList()
        if !known.isEmpty { probe.tags.append(.name, known) }
        if !words.isEmpty || !known.isEmpty { probe.tags.append(.title, words.isEmpty ? known : words) }
        _ = library.upsert(probe)
        if currentItem?.id == item.id {
            refreshItem()
            audience.didChange(.player)
        }
    }

    /// What could not be played, or no further, comes from a network. Nothing waits for a disk here.
    /// - Returns: false where it is a file's business.
    func streamDidFail(_ track: Track, _ error: PlaybackError, wanted: Bool) -> Bool {
        guard let item = currentItem, item.id == track.id, item.isStream else { return false }
        if case .file(let cause) = error, cause.code == PosixError.staleCode, streams != nil {
            // The server has another recording there: from the same place in it. Or a station's middle is no beginning.
            if track.source.stream?.isLive == false { audience.warn(cause.message) }
            streams?.forget(item.path)
            load(item, milliseconds: player.positionMilliseconds, play: wanted)
            return true
        }
        return false
    }

    /// In words for a person.
    func streamFailure(_ track: Track) -> String? {
        guard let item = library.item(track.id), item.isStream else { return nil }
        guard let streams else { return track.source.name + ": " + Speaker.streamsAreOff }
        return streams.failure(of: item.path).map { track.source.name + ": " + $0 }
    }
}

/// Podcasts.
extension Speaker {
    func connectPodcasts() {
        podcasts.listener = self
        podcasts.didWrite = { [self] in places.didWrite() }
        podcasts.warn = { [self] in audience.warn($0) }
        podcasts.didFetchWords = { [self] in takeIn($0, $1) }
        podcasts.didChange = { [self] in audience.didChange(.library) }
    }

    /// All of a stream is there: what was played once plays without a network.
    public func streamIsWhole(_ address: String) {
        guard let item = library.item(path: address), item.isEpisode else { return }
        library.setState(.isFetched, true, of: item.id)
        places.didWrite()
    }

    /// What is said in an episode is found from now on.
    private func takeIn(_ episode: Episode, _ words: MediaSource) {
        scans?.takeIn(
            FetchedTranscript(
                words, type: episode.transcriptType,
                durationMilliseconds: library.item(episode.item)?.durationMilliseconds),
            of: episode.item, name: episode.transcriptName)
    }

    /// What belongs to the current item and comes from a network: its words and its chapters.
    func followEpisode(_ item: Item) {
        guard item.isEpisode, let port = podcasts.port, let episode = library.episode(item.id) else { return }
        if !episode.transcript.isEmpty {
            port.fetch(episode.transcript, name: episode.transcriptName, isDocument: true, isUrgent: true) {
                [self] file, problem in
                guard let file else { return audience.warn("\(item.title): no transcript: \(problem)") }
                transcripts.read(
                    FetchedTranscript(
                        file, type: episode.transcriptType, durationMilliseconds: item.durationMilliseconds),
                    of: item.id)
                takeIn(episode, file)
            }
        }
        podcasts.readChapters(episode, isUrgent: true) { [self] id in
            guard currentItem?.id == id else { return }
            listening.take(chapters(id))
            aimSleep()
            audience.didChange(.player)
        }
    }
}

extension Item {
    /// It has an address and no file.
    public var isStream: Bool { path.utf8.first != UInt8(ascii: "/") || isEpisode }

    /// It is of a podcast: what stands as its path is only where it is listed. No file has audio of no length.
    public var isEpisode: Bool { path.utf8.first == UInt8(ascii: "/") && identity.audioBytes == 0 }
}
