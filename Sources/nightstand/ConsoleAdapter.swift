import Audio
import CPosix
import Configuration
import Console
import Core
import Library
import Playback
import Posix
import Realtime
import Scanning
import Transcript

/// The speaker as MPD's protocol sees it. Lives on the control thread, as the speaker does.
final class ConsoleAdapter: ConsoleSpeaker {
    private let appliance: Appliance

    init(appliance: Appliance) { self.appliance = appliance }

    // MARK: Names

    /// The folder that song paths on the console are relative to; "" for none.
    private var rootFolder: String {
        switch appliance.source {
        case .library: appliance.configuration.libraryPath
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

    private func song(_ item: Item) -> SongDescription {
        SongDescription(
            uri: uri(of: item.path), identifier: item.id, title: item.title,
            artist: item.artist.isEmpty ? nil : item.artist,
            album: item.album.isEmpty ? nil : item.album, durationMilliseconds: item.durationMilliseconds,
            modifiedSeconds: item.fileModifiedSeconds)
    }

    func song(_ id: Item.ID) -> SongDescription? { appliance.library.item(id).map { song($0) } }

    private func item(_ uri: String?) throws(ConsoleError) -> Item {
        if let uri {
            guard let item = appliance.library.item(path: path(of: uri)) else {
                throw ConsoleError(.noExist, "No such song: \(uri)")
            }
            return item
        }
        guard let current = appliance.currentItem else { throw ConsoleError(.noExist, "No current song") }
        return current
    }

    // MARK: Snapshots

    var status: SpeakerStatus {
        var status = SpeakerStatus()
        let hasTrack = appliance.player.track != nil && appliance.currentSongID != nil
        status.state = appliance.player.wantsToPlay ? .playing : hasTrack ? .paused : .stopped
        status.volumePercent = appliance.volumePercent
        status.queueVersion = appliance.queueVersion
        status.queueLength = appliance.queue.count
        if let index = appliance.currentIndex {
            status.current = SpeakerStatus.QueueEntry(position: index, id: appliance.queue[index].songID)
            if index + 1 < appliance.queue.count {
                status.next = SpeakerStatus.QueueEntry(position: index + 1, id: appliance.queue[index + 1].songID)
            }
        }
        status.elapsedMilliseconds = appliance.player.positionMilliseconds
        status.durationMilliseconds =
            appliance.player.track?.durationMilliseconds ?? appliance.currentItem?.durationMilliseconds
        if let item = appliance.currentItem, let duration = item.durationMilliseconds, duration > 0 {
            status.bitrateKbps = Int(clamping: item.identity.audioBytes * 8 / Int64(duration))
        }
        if hasTrack, let format = appliance.player.streamFormat {
            status.audioFormat = SpeakerStatus.AudioFormat(
                sampleRate: format.rate, bits: 16, channels: format.channels)
        }
        status.updateJob = appliance.keeper.runningScan
        status.error = appliance.deviceTrouble ?? appliance.itemTrouble ?? appliance.library.trouble
        return status
    }

    var queue: QueueListing { QueueSnapshot(self, appliance.queue) }

    /// Which entries an edit changed is not kept.
    func positionsChanged(since version: Int) -> Range<Int> {
        version == appliance.queueVersion ? 0..<0 : 0..<appliance.queue.count
    }

    func position(ofSongID id: Int) -> Int? { appliance.queue.firstIndex { $0.songID == id } }

    var statistics: LibraryStatistics {
        let counts = appliance.library.counts()
        return LibraryStatistics(
            artists: counts.artists, albums: counts.albums, songs: counts.items,
            uptimeSeconds: MonotonicTime.now.milliseconds(since: appliance.startedAt) / 1000,
            totalSeconds: counts.durationMilliseconds / 1000, updatedSeconds: appliance.keeper.lastScanSeconds,
            playedSeconds: Int64(appliance.playedMilliseconds / 1000))
    }

    var outputs: [OutputDescription] {
        [OutputDescription(name: appliance.configuration.audio.device, plugin: "alsa", isEnabled: true)]
    }

    var counters: CountersDescription {
        let counted = appliance.player.counters
        let ring = appliance.player.ringFillBytes
        var description = CountersDescription(
            underruns: counted.underruns, periodMicroseconds: appliance.player.periodMicroseconds,
            decodeMicrosecondsMedian: Int(clamping: counted.decodeTime.percentile(perMille: 500) / 1000),
            decodeMicrosecondsP99: Int(clamping: counted.decodeTime.percentile(perMille: 990) / 1000),
            decodeMicrosecondsMaximum: Int(clamping: counted.decodeTime.maximum / 1000),
            wakeUps: Int(clamping: ProcessFigures.wakeUps() ?? 0),
            measuredMilliseconds: MonotonicTime.now.milliseconds(since: appliance.startedAt), ringFillBytes: ring.now,
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
        guard let transcript = appliance.transcript, !transcript.isEmpty else { return nil }
        let position = appliance.player.positionMilliseconds
        let current = transcript.index(at: position)
        let segments = transcript.neighbours(at: position, count: neighbours).map { index in
            let segment = transcript[index]
            return TranscriptDescription.Segment(
                index: index, startMilliseconds: segment.startMilliseconds, endMilliseconds: segment.endMilliseconds,
                text: segment.text)
        }
        return TranscriptDescription(count: transcript.count, currentIndex: current, segments: segments)
    }

    func contents(of uri: String, recursive: Bool) throws(ConsoleError) -> EntryListing {
        if !uri.isEmpty, let item = appliance.library.item(path: path(of: uri)), item.isPresent {
            return FolderListing(self, [.song(song(item))], recursive: false)
        }
        let entries = entries(uri)
        if entries.isEmpty && !uri.isEmpty { throw ConsoleError(.noExist, "No such directory: \(uri)") }
        return FolderListing(self, entries, recursive: recursive)
    }

    /// What is directly in a folder.
    func entries(_ uri: String) -> [LibraryEntry] {
        let path = path(of: uri)
        let folders = appliance.library.folders(in: path).map { folder in
            LibraryEntry.folder(
                uri: self.uri(of: folder), modifiedSeconds: (try? FileStatus(path: folder))?.modifiedSeconds)
        }
        let songs = appliance.library.allItems(ItemQuery(folder: path, isRecursive: false)).map {
            LibraryEntry.song(song($0))
        }
        return folders + songs
    }

    func songs(_ query: SongQuery) -> EntryListing {
        MatchListing(FolderListing(self, entries(""), recursive: true), query)
    }

    func tally(_ condition: SongCondition) -> SongTally { MatchTally(songs(SongQuery(condition))) }

    func values(of tag: Tag?, matching condition: SongCondition) -> ValueListing {
        MatchValues(songs(SongQuery(condition)), tag)
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
        return appliance.library.favourites(by: sorted, offset: range.lowerBound, limit: range.count).map { favourite in
            let item = favourite.item
            return FavouriteDescription(
                identifier: item.id, uri: uri(of: item.path), title: item.title, artwork: item.artwork,
                durationMilliseconds: item.durationMilliseconds, addedSeconds: favourite.addedSeconds,
                lastPositionMilliseconds: item.positionMilliseconds)
        }
    }

    // MARK: Actions

    func play() throws(ConsoleError) { appliance.perform(.play) }

    func play(position: Int) throws(ConsoleError) { obey { appliance.go(to: position, play: true) } }

    func setPaused(_ paused: Bool) throws(ConsoleError) {
        if paused { appliance.perform(.pause) } else if appliance.player.track != nil { appliance.perform(.play) }
    }

    func stop() throws(ConsoleError) { appliance.perform(.stop) }

    func next() throws(ConsoleError) { appliance.perform(.next) }

    func previous() throws(ConsoleError) { appliance.perform(.previous) }

    func seek(position: Int, toMilliseconds milliseconds: Int) throws(ConsoleError) {
        obey {
            if position == appliance.currentIndex {
                appliance.seek(to: milliseconds)
            } else {
                appliance.go(to: position, milliseconds: milliseconds, play: appliance.player.wantsToPlay)
            }
        }
    }

    func seek(byMilliseconds milliseconds: Int) throws(ConsoleError) {
        appliance.perform(.skip(milliseconds: milliseconds))
    }

    /// A command counts from when its line was found at the socket or the serial line.
    private func obey(_ command: () -> Void) {
        appliance.asked = appliance.loop.turnBegan
        command()
        appliance.asked = nil
    }

    func setVolume(percent: Int) throws(ConsoleError) { appliance.changeVolume(to: percent) }

    func addToQueue(_ songs: [SongDescription], before position: Int?) throws(ConsoleError) -> Int {
        let entries = songs.map { appliance.entry(for: $0.identifier) }
        appliance.queue.insert(contentsOf: entries, at: min(appliance.queue.count, position ?? appliance.queue.count))
        appliance.queueIsLibrary = false
        appliance.queueDidChange()
        return entries[0].songID
    }

    func removeFromQueue(_ positions: Range<Int>) throws(ConsoleError) {
        let removesCurrent = appliance.currentIndex.map { positions.contains($0) } ?? false
        let plays = appliance.player.wantsToPlay
        let after = positions.upperBound < appliance.queue.count ? appliance.queue[positions.upperBound].songID : nil
        if removesCurrent { appliance.savePlace() }
        appliance.queue.removeSubrange(positions)
        appliance.queueIsLibrary = false
        if removesCurrent {
            if let after, let index = appliance.queue.firstIndex(where: { $0.songID == after }) {
                appliance.currentSongID = nil
                appliance.go(to: index, play: plays)
            } else {
                appliance.stopPlaying()
            }
        }
        appliance.queueDidChange()
    }

    func updateLibrary(_ uri: String) throws(ConsoleError) -> Int {
        if uri.isEmpty { return appliance.keeper.scan() }
        guard let number = appliance.keeper.scan(folder: path(of: uri)) else {
            throw ConsoleError(.noExist, "No such directory: \(uri)")
        }
        return number
    }

    func forgetItems(goneForDays days: Int) throws(ConsoleError) -> Int {
        let since = wallClockSeconds() - Int64(max(0, min(100_000, days))) * 86_400
        var forgotten = 0
        while true {
            let portion = appliance.library.forget(goneSince: since)
            if portion == 0 { return forgotten }
            forgotten += portion
        }
    }

    func clearError() {
        appliance.itemTrouble = nil
        appliance.didChange(.player)
    }

    func addFavourite(_ uri: String?) throws(ConsoleError) -> Bool {
        let addition = appliance.library.addFavourite(try item(uri).id)
        if addition == .notSaved { throw ConsoleError(.system, "The favourite could not be saved") }
        appliance.refreshItem()
        if addition == .added {
            appliance.favouritesDidChange(added: true)
        } else {
            appliance.announce(.alreadyFavourite)
        }
        return addition == .added
    }

    func removeFavourite(_ uri: String?) throws(ConsoleError) -> Bool {
        let id = try item(uri).id
        let wasThere = appliance.library.removeFavourite(id)
        if !wasThere && appliance.library.isFavourite(id) {
            throw ConsoleError(.system, "The favourite could not be removed")
        }
        appliance.refreshItem()
        if wasThere { appliance.favouritesDidChange(added: false) }
        return wasThere
    }
}

extension Subsystems {
    /// What consoles are told of a change; nothing of a transcript, which MPD does not know.
    init(_ changes: Changes) {
        self = []
        if changes.contains(.player) { insert(.player) }
        if changes.contains(.queue) { insert(.playlist) }
        if changes.contains(.volume) { insert(.mixer) }
        if changes.contains(.library) { insert(.database) }
        if changes.contains(.scan) { insert(.update) }
        if changes.contains(.favourites) { insert(.sticker) }
        if changes.contains(.output) { insert(.output) }
    }
}
