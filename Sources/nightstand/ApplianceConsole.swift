import CPosix
import Configuration
import Console
import Controls
import Library
import Playback
import Posix
import Realtime
import Transcript

/// What the console sees and does.
extension Appliance: ConsoleSpeaker {
    // MARK: Names

    /// The folder that song paths on the console are relative to; "" for none.
    private var rootFolder: String {
        switch source {
        case .library: configuration.libraryPath
        case .paths(let paths):
            paths.count == 1 && (try? FileStatus(path: paths[0]))?.isDirectory == true ? paths[0] : ""
        }
    }

    private func uri(of path: String) -> String {
        let root = rootFolder
        if !root.isEmpty {
            let below = root.utf8.last == UInt8(ascii: "/") ? root : root + "/"
            if path.begins(with: below) { return path.dropping(bytes: below.utf8.count) }
        }
        return path
    }

    private func path(of uri: String) -> String {
        if uri.begins(with: "/") { return uri }
        let root = rootFolder
        if uri.isEmpty { return root.isEmpty ? "/" : root }
        return root.utf8.last == UInt8(ascii: "/") ? root + uri : root + "/" + uri
    }

    private func song(_ item: Item, at position: Int? = nil) -> SongDescription {
        SongDescription(
            uri: uri(of: item.path), title: item.title, artist: item.artist.isEmpty ? nil : item.artist,
            album: item.album.isEmpty ? nil : item.album, durationMilliseconds: item.durationMilliseconds,
            modifiedSeconds: item.fileModifiedSeconds,
            entry: position.map { SpeakerStatus.QueueEntry(position: $0, id: queue[$0].songID) })
    }

    private func item(_ uri: String?) throws(ConsoleError) -> Item {
        if let uri {
            guard let item = library.item(path: path(of: uri)) else {
                throw ConsoleError(.noExist, "No such song: \(uri)")
            }
            return item
        }
        guard let currentItem else { throw ConsoleError(.noExist, "No current song") }
        return currentItem
    }

    // MARK: Snapshots

    var status: SpeakerStatus {
        var status = SpeakerStatus()
        let hasTrack = player.track != nil && currentSongID != nil
        status.state = player.wantsToPlay ? .playing : hasTrack ? .paused : .stopped
        status.volumePercent = volumePercent
        status.queueVersion = queueVersion
        status.queueLength = queue.count
        if let index = currentIndex {
            status.current = SpeakerStatus.QueueEntry(position: index, id: queue[index].songID)
            if index + 1 < queue.count {
                status.next = SpeakerStatus.QueueEntry(position: index + 1, id: queue[index + 1].songID)
            }
        }
        status.elapsedMilliseconds = player.positionMilliseconds
        status.durationMilliseconds = player.track?.durationMilliseconds ?? currentItem?.durationMilliseconds
        if let item = currentItem, let duration = item.durationMilliseconds, duration > 0 {
            status.bitrateKbps = Int(clamping: item.identity.audioBytes * 8 / Int64(duration))
        }
        if hasTrack, let format = player.streamFormat {
            status.audioFormat = SpeakerStatus.AudioFormat(
                sampleRate: format.rate, bits: 16, channels: format.channels)
        }
        status.updateJob = scan == nil ? nil : scanNumber
        status.error = deviceTrouble ?? itemTrouble ?? library.trouble
        return status
    }

    func song(atPosition position: Int) -> SongDescription? {
        guard queue.indices.contains(position), let item = library.item(queue[position].itemID) else { return nil }
        return song(item, at: position)
    }

    func position(ofSongID id: Int) -> Int? { queue.firstIndex { $0.songID == id } }

    var statistics: LibraryStatistics {
        let counts = library.counts()
        return LibraryStatistics(
            artists: counts.artists, albums: counts.albums, songs: counts.items,
            uptimeSeconds: MonotonicTime.now.milliseconds(since: startedAt) / 1000,
            totalSeconds: counts.durationMilliseconds / 1000, updatedSeconds: lastScanSeconds,
            playedSeconds: playedMilliseconds / 1000)
    }

    var outputs: [OutputDescription] {
        [OutputDescription(name: configuration.audio.device, plugin: "alsa", isEnabled: true)]
    }

    var counters: CountersDescription {
        let counted = player.counters
        let ring = player.ringFillBytes
        var description = CountersDescription(
            underruns: counted.underruns, periodMicroseconds: player.periodMicroseconds,
            decodeMicrosecondsMedian: Int(clamping: counted.decodeTime.percentile(perMille: 500) / 1000),
            decodeMicrosecondsP99: Int(clamping: counted.decodeTime.percentile(perMille: 990) / 1000),
            decodeMicrosecondsMaximum: Int(clamping: counted.decodeTime.maximum / 1000),
            wakeUps: Int(clamping: ProcessFigures.wakeUps() ?? 0),
            measuredMilliseconds: MonotonicTime.now.milliseconds(since: startedAt), ringFillBytes: ring.now,
            ringFillMinimumBytes: ring.least, ringCapacityBytes: ring.capacity,
            pssKiB: ProcessFigures.pssKiB().map { Int(clamping: $0) })
        // The line of a histogram: its largest, then its buckets.
        let first = counted.firstSoundNanoseconds ?? 0
        description.raw =
            raw("decode", counted.decodeTime) + raw("scheduling", counted.schedulingLatency)
            + raw("read_ahead", counted.readAhead) + raw("silence", counted.commandToSilence)
            + raw("sound", counted.commandToSound) + "first_sound: \(first)\n"
        return description
    }

    private func raw(_ name: String, _ counts: HistogramCounts) -> String {
        name + ": \(counts.maximum)  " + counts.text + "\n"
    }

    func transcript(neighbours: Int) -> TranscriptDescription? {
        guard let transcript, !transcript.isEmpty else { return nil }
        let position = player.positionMilliseconds
        let current = transcript.index(at: position)
        // In a gap: the one that comes next, as if it were there already.
        var middle = current ?? 0
        if current == nil {
            var low = 0
            var high = transcript.count
            while low < high {
                let half = (low + high) / 2
                if transcript[half].startMilliseconds <= position { low = half + 1 } else { high = half }
            }
            middle = low
        }
        let from = max(0, middle - neighbours)
        let to = min(transcript.count, middle + neighbours + (current == nil ? 0 : 1))
        let segments = (from..<max(from, to)).map { index in
            let segment = transcript[index]
            return TranscriptDescription.Segment(
                index: index, startMilliseconds: segment.startMilliseconds, endMilliseconds: segment.endMilliseconds,
                text: segment.text)
        }
        return TranscriptDescription(count: transcript.count, currentIndex: current, segments: segments)
    }

    func visitLibrary(
        _ uri: String, recursive: Bool, _ visit: (LibraryEntry) -> Void
    ) throws(ConsoleError) {
        let path = path(of: uri)
        if !uri.isEmpty, let item = library.item(path: path), item.isPresent {
            return visit(.song(song(item)))
        }
        let entries = library.contents(ofFolder: path)
        if entries.isEmpty && !uri.isEmpty { throw ConsoleError(.noExist, "No such directory: \(uri)") }
        describe(entries, recursive: recursive, visit)
    }

    private func describe(_ entries: [Library.Entry], recursive: Bool, _ visit: (LibraryEntry) -> Void) {
        for case .folder(let path) in entries {
            visit(.folder(uri: uri(of: path), modifiedSeconds: (try? FileStatus(path: path))?.modifiedSeconds))
            if recursive { describe(library.contents(ofFolder: path), recursive: true, visit) }
        }
        for case .item(let item) in entries { visit(.song(song(item))) }
    }

    func favourites(
        by order: FavouriteDescription.Order, in range: Range<Int>
    ) throws(ConsoleError) -> [FavouriteDescription] {
        let sorted: Favourite.Order =
            switch order {
            case .newest: .newest
            case .title: .title
            case .duration: .duration
            case .mostPlayed: .mostPlayed
            }
        return library.favourites(by: sorted, offset: range.lowerBound, limit: range.count).map { favourite in
            let item = favourite.item
            return FavouriteDescription(
                identifier: item.id, uri: uri(of: item.path), title: item.title, artwork: item.artwork,
                durationMilliseconds: item.durationMilliseconds, addedSeconds: favourite.addedSeconds,
                lastPositionMilliseconds: item.positionMilliseconds)
        }
    }

    // MARK: Actions

    func play() throws(ConsoleError) { perform(.play) }

    func play(position: Int) throws(ConsoleError) { obey { go(to: position, play: true) } }

    func setPaused(_ paused: Bool) throws(ConsoleError) {
        if paused { perform(.pause) } else if player.track != nil { perform(.play) }
    }

    func stop() throws(ConsoleError) { perform(.stop) }

    func next() throws(ConsoleError) { perform(.next) }

    func previous() throws(ConsoleError) { perform(.previous) }

    func seek(position: Int, toMilliseconds milliseconds: Int) throws(ConsoleError) {
        obey {
            if position == currentIndex {
                seek(to: milliseconds)
            } else {
                go(to: position, milliseconds: milliseconds, play: player.wantsToPlay)
            }
        }
    }

    func seek(byMilliseconds milliseconds: Int) throws(ConsoleError) { perform(.skip(milliseconds: milliseconds)) }

    /// A command counts from when its line was found at the socket or the serial line.
    private func obey(_ command: () -> Void) { player.obey(since: loop.turnBegan, command) }

    func setVolume(percent: Int) throws(ConsoleError) { changeVolume(to: percent) }

    func addToQueue(_ uri: String, before position: Int?) throws(ConsoleError) -> Int {
        let path = path(of: uri)
        var items: [Item] = []
        if let item = library.item(path: path), item.isPresent {
            items = [item]
        } else {
            items = library.items(inFolder: path)
        }
        if items.isEmpty { throw ConsoleError(.noExist, "No such directory: \(uri)") }
        let entries = items.map { entry(for: $0.id) }
        queue.insert(contentsOf: entries, at: min(queue.count, position ?? queue.count))
        queueIsLibrary = false
        queueDidChange()
        return entries[0].songID
    }

    func removeFromQueue(_ positions: Range<Int>) throws(ConsoleError) {
        let removesCurrent = currentIndex.map { positions.contains($0) } ?? false
        let plays = player.wantsToPlay
        let after = positions.upperBound < queue.count ? queue[positions.upperBound].songID : nil
        if removesCurrent { savePlace() }
        queue.removeSubrange(positions)
        queueIsLibrary = false
        if removesCurrent {
            if let after, let index = queue.firstIndex(where: { $0.songID == after }) {
                currentSongID = nil
                go(to: index, play: plays)
            } else {
                stopPlaying()
            }
        }
        queueDidChange()
    }

    func updateLibrary(_ uri: String) throws(ConsoleError) -> Int {
        let path = path(of: uri)
        if !uri.isEmpty && !Files.exists(path) { throw ConsoleError(.noExist, "No such directory: \(uri)") }
        return startScan(of: uri.isEmpty ? nil : path)
    }

    func clearError() {
        itemTrouble = nil
        didChange([.player])
    }

    func addFavourite(_ uri: String?) throws(ConsoleError) -> Bool {
        let addition = library.addFavourite(try item(uri).id)
        if addition == .notSaved { throw ConsoleError(.system, "The favourite could not be saved") }
        refreshItem()
        if addition == .added { favouritesDidChange(added: true) } else { announce("Already in Favorites") }
        return addition == .added
    }

    func removeFavourite(_ uri: String?) throws(ConsoleError) -> Bool {
        let id = try item(uri).id
        let wasThere = library.removeFavourite(id)
        if !wasThere && library.isFavourite(id) { throw ConsoleError(.system, "The favourite could not be removed") }
        refreshItem()
        if wasThere { favouritesDidChange(added: false) }
        return wasThere
    }
}
