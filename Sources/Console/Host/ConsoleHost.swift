// SPDX-License-Identifier: Apache-2.0
import Audio
import Core
import Display
import Library
import Media
import Model
import Playback
import Playlists
import Posix
import Realtime
import Scanning
import Speaker
import Transcript
import Wire
import Workers

/// The scanner's interface for consoles.
public protocol ScanRequests: AnyObject {
    /// The number of the scan under way; nil for none.
    var runningScan: Int? { get }
    var progress: ScanProgress? { get }
    /// True while some transcripts wait to be read.
    var isReadingWords: Bool { get }
    /// Scans everything, and returns the scan's number.
    /// - Parameter readsAnew: true to read the tags of unchanged files, too.
    func scan(readsAnew: Bool) -> Int
    /// Scans one folder or one file; nil if the path leads out of the library.
    func scan(folder path: String, readsAnew: Bool) -> Int?
}

extension LibraryKeeper: ScanRequests {}

/// The speaker, its library, its playlists and its disk for sessions: with paths below the library's folder, chapters as songs, and answers
/// that may come later. Reports changes to the consoles. Control thread.
public final class ConsoleHost {
    let speaker: Speaker
    let machinery: MachineryReport
    let timers: any Timers
    let turnBegan: () -> MonotonicTime
    let stored: StoredPlaylists
    let disk: DiskReader?
    /// The index of spoken words; nil if there is none.
    let spoken: SpokenIndex?
    /// Called when an awaited answer has come.
    public var didCome: () -> Void = {}
    public let changes: ConsoleChanges
    /// Plays a haptic effect; nil without a device for it.
    public var haptics: ((Haptic) -> Void)?
    let trees: ScreenTrees
    let carrier: HouseholdCarrier

    /// - Parameters:
    ///   - turnBegan: the start of the loop's present turn: a command counts from the arrival of its line.
    ///   - root: the folder that paths on the console are relative to; "" for none.
    ///   - outputName: the card's name in `outputs`.
    ///   - playlists: the stored playlists; nil without any.
    ///   - worker: reads pictures and folders; nil without pictures.
    ///   - spoken: the index of spoken words; nil if there is none.
    ///   - carrier: calls the household's process; nil without one.
    public init(
        speaker: Speaker, figures: any PlayerFigures, scans: any ScanRequests, timers: any Timers,
        turnBegan: @escaping () -> MonotonicTime, root: String, outputName: String, playlists: PlaylistStore? = nil,
        pictures worker: (any Performer)? = nil, spoken: SpokenIndex? = nil,
        carrier: HouseholdCarrier? = nil
    ) {
        self.speaker = speaker
        self.spoken = spoken
        self.carrier = carrier ?? HouseholdCarrier(speaker.library, timers, folder: nil)
        machinery = MachineryReport(figures, scans, outputName: outputName, timers: timers)
        changes = ConsoleChanges(timers)
        self.timers = timers
        self.turnBegan = turnBegan
        trees = ScreenTrees(timers: timers)
        stored = StoredPlaylists(speaker.library, SongNames(root: root), playlists, timers: timers)
        disk = worker.map { DiskReader($0, timers: timers) }
        stored.didCome = { [self] in didCome() }
        speaker.sound.setPlaylists(
            names: { [self] finish in stored.findNames(finish) },
            read: { [self] name, finish in items(ofPlaylist: name, finish) })
        trees.didCome = { [self] in didCome() }
        speaker.places.didStep = { [self] in didCome() }
        speaker.sound.didCloseCard = { [self] in didCome() }
        stored.didChange = { [self] in changes.note(.storedPlaylist) }
        stored.sharing?.didWrite = { [self] in changes.note(.storedPlaylist) }
        stored.sharing?.didNote = { [self] in
            speaker.places.didWrite()
            self.carrier.call()
        }
    }

    var library: Library { speaker.library }
    var names: SongNames { stored.names }

    // MARK: Changes

    public func note(_ changes: Changes) {
        if changes.contains(.library) {
            stored.libraryDidChange()
            disk?.pictures.forget()
        }
        // The scan may have found files that a playlist lacked.
        if changes.contains(.scan) { stored.sharing?.look() }
        carrier.didChange(changes, isPlaying: speaker.wantsToPlay)
        self.changes.note(Subsystems(changes))
    }

    // MARK: Snapshots

    /// The present state. A command should read it once, since each call computes it anew.
    var status: SpeakerStatus {
        var status = speaker.status
        status.updateJob = machinery.scans.runningScan
        status.updateFiles = machinery.scans.progress?.filesSeen
        status.isReadingWords = machinery.scans.isReadingWords
        if speaker.currentItem == nil { return status }
        status.file = names.uri(of: status.file)
        if speaker.player.track == nil {
            // The playing recording has no such place.
            status.positionMilliseconds = speaker.player.positionMilliseconds
        } else {
            status.audioFormat = machinery.audioFormat
        }
        guard let bounds = status.bounds, let entry = speaker.queue.current else { return status }
        // A chapter that is a song of its own.
        status.file = names.uri(of: status.file, chapter: Int(entry.chapter))
        status.positionMilliseconds -= bounds.lowerBound
        let end = bounds.upperBound == .max ? status.durationMilliseconds : bounds.upperBound
        status.durationMilliseconds = end.map { $0 - bounds.lowerBound }
        return status
    }

    /// The present queue.
    var queue: QueueSnapshot { QueueSnapshot(speaker.queue, library, names) }

    /// Returns a function that counts the next portion at each call: the numbers at the end, nil before it.
    func statistics() -> () -> LibraryStatistics? {
        let counting = Counting(library)
        return { [self] in
            guard var statistics = counting.next() else { return nil }
            statistics.uptimeSeconds = machinery.uptimeSeconds
            statistics.updatedSeconds = stored.libraryChangedSeconds
            statistics.playedSeconds = speaker.playedMilliseconds / 1000
            statistics.week = speaker.heardWeek
            let hours = speaker.lastHours
            (statistics.heardHours, statistics.underrunHours) = (hours.heard, hours.underruns)
            return statistics
        }
    }

    /// Returns the machinery's counters, one line each.
    /// - Parameter isRaw: true to include the histograms for `nightstand profile`.
    func counters(isRaw: Bool) -> [StatusLine] {
        let isClockKnown = speaker.alarms.isClockKnown || speaker.alarms.clock.isSet()
        var lines = machinery.counters + [StatusLine("clock_known", isClockKnown ? 1 : 0)]
        if let boot = speaker.alarms.boot { lines.append(StatusLine("boot", boot)) }
        return isRaw ? lines + machinery.histograms : lines
    }

    /// Returns the present segment with up to `neighbours` before and after it; in a gap, the segments around the gap. nil if the current
    /// item has no transcript.
    /// - Parameter milliseconds: the place instead of the audible one; nil for the audible place.
    func transcript(neighbours: Int, at milliseconds: Int?) -> TranscriptDescription? {
        guard let transcript = speaker.transcripts.transcript, !transcript.isEmpty else { return nil }
        // For a chapter as a song only its own words count, and times count from its beginning.
        let bounds = speaker.currentBounds ?? 0..<Int.max
        let start = bounds.lowerBound
        let position = milliseconds.map { $0.addingSaturated(start) } ?? speaker.player.positionMilliseconds
        let near = transcript.neighbours(at: position, count: neighbours).filter { index in
            transcript[index].endMilliseconds > start && transcript[index].startMilliseconds < bounds.upperBound
        }
        // A book without text has only steps.
        let segments = (transcript.hasWords ? near : []).map { index in
            let segment = transcript[index]
            return Segment(
                text: segment.text,
                startMilliseconds: start == 0 ? segment.startMilliseconds : max(0, segment.startMilliseconds - start),
                endMilliseconds: segment.endMilliseconds - start)
        }
        return TranscriptDescription(
            count: transcript.count, currentIndex: transcript.index(at: position), firstIndex: near.first ?? 0,
            segments: segments)
    }

    /// Lists a folder of the library: folders first, in the order of names. `recursive` includes everything below, each folder before its
    /// content. "" is the whole library. A song's path lists only that song. A path that begins with a slash keeps its typed form. Throws
    /// `.noExist` if the path does not exist.
    func contents(of uri: String, recursive: Bool) throws(ConsoleError) -> Pages<LibraryEntry> {
        let path = names.path(of: uri)
        if let song = song(at: uri) {
            let chapters = recursive || song.chapter > 0 ? [] : library.chapters(of: song.identifier)
            guard !chapters.isEmpty, let item = library.item(song.identifier) else {
                return pages(of: [.song(song)])
            }
            return names.pages(chapters, of: item)
        }
        if !uri.isEmpty && library.items(ItemQuery(folder: path), limit: 1).items.isEmpty {
            throw ConsoleError(.noExist, "No such directory: \(uri)")
        }
        return names.pages(below: path, recursive: recursive, library)
    }

    /// Returns the library's song at a path, in the form of `contents`; nil for none.
    func song(at uri: String) -> SongDescription? {
        uri.isEmpty ? nil : library.song(at: uri, names, isPresent: true)
    }

    /// Lists the library's songs for a query.
    func songs(_ query: ItemQuery) -> Pages<LibraryEntry> { names.pages(names.query(query), library) }

    /// Counts the matching songs of the library and their total length; with a tag, for each of its values, in order. A song counts for
    /// each of its values. The next portion may continue the last group.
    func tally(_ condition: ItemFilter, groupedBy tag: Tag?) -> Pages<SongCount> {
        library.tally(names.query(ItemQuery(filter: condition)), groupedBy: tag)
    }

    /// Lists the different combinations of these tags' values in the matching songs, ordered by the first tag, then by the next. A song
    /// with several values has them all. A missing tag has the value of its fallback, else the empty text. Each row has one text for each
    /// tag.
    func values(of tags: [Tag], matching condition: ItemFilter) -> Pages<[String]> {
        library.values(of: tags, names.query(ItemQuery(filter: condition)))
    }

    // MARK: Playing

    /// Performs a command. Its time counts from the arrival of its line at the socket or the serial line.
    func perform(_ command: Command) throws(ConsoleError) {
        if command == .play { try checkOutput() }
        speaker.perform(command, asked: turnBegan())
    }

    /// Plays the entry at `position`, which exists, from its saved place.
    func play(position: Int) throws(ConsoleError) {
        try checkOutput()
        guard speaker.queue.entries.indices.contains(position) else { return }
        speaker.perform(.playEntry(id: speaker.queue.entries[position].songID), asked: turnBegan())
    }

    /// Pauses or resumes; does nothing when stopped.
    func setPaused(_ paused: Bool) throws(ConsoleError) {
        if !paused { try checkOutput() }
        if paused || speaker.player.track != nil { try perform(paused ? .pause : .play) }
    }

    func seek(position: Int, toMilliseconds milliseconds: Int) throws(ConsoleError) {
        // In a chapter that is a song of its own, places count from its beginning.
        let start = speaker.bounds(of: speaker.queue.entries[position])?.lowerBound ?? 0
        let milliseconds = milliseconds.addingSaturated(start)
        if position == speaker.queue.currentIndex {
            try perform(.seek(milliseconds: milliseconds))
        } else {
            speaker.go(
                to: position, milliseconds: milliseconds, play: speaker.wantsToPlay, asked: turnBegan(), isChosen: true)
        }
    }

    // MARK: Changing

    /// Adds songs of the library to the queue before `position`, or at its end. Returns the number of the first. Throws `.playlistMax` if
    /// the queue is full, after adding those that fit.
    func addToQueue(_ songs: [SongDescription], before position: Int?) throws(ConsoleError) -> Int {
        // As many as there is room for, as MPD does.
        let room = max(0, speaker.queue.limit - speaker.queue.count)
        let full = ConsoleError(.playlistMax, "Playlist is too large")
        let pieces = songs.prefix(room).map { Queue.Piece($0.identifier, chapter: $0.chapter) }
        var first: Int?
        do throws(QueueFull) { first = try speaker.insert(pieces: pieces, at: position) } catch { throw full }
        guard let first, pieces.count == songs.count else { throw full }
        return first
    }

    /// Starts to scan a folder of the library ("" is all of it), and returns the scan's number, from 1.
    func updateLibrary(_ uri: String, readsAnew: Bool) throws(ConsoleError) -> Int {
        if uri.isEmpty { return machinery.scans.scan(readsAnew: readsAnew) }
        guard let job = machinery.scans.scan(folder: names.path(of: uri), readsAnew: readsAnew) else {
            throw ConsoleError(.noExist, "No such directory: \(uri)")
        }
        return job
    }

    /// Forgets some songs that have been missing for long, except favorites. Returns their number.
    func forgetItems(goneForDays days: Int) throws(ConsoleError) -> Int {
        let since = wallClockSeconds() - Int64(max(0, min(100_000, days))) * 86_400
        let forgotten = library.forget(goneSince: since)
        if forgotten > 0 { note(.library) }
        return forgotten
    }

    /// Makes the song (nil is the current one) a favorite; false if it is one already.
    func addFavourite(_ uri: String?) throws(ConsoleError) -> Bool {
        let addition = speaker.addFavourite(try item(uri).id)
        if addition == .notSaved { throw ConsoleError(.system, "The favourite could not be saved") }
        return addition == .added
    }

    /// Returns false if the song was no favorite.
    func removeFavourite(_ uri: String?) throws(ConsoleError) -> Bool {
        let id = try item(uri).id
        let wasThere = speaker.removeFavourite(id)
        if !wasThere && library.isFavourite(id) {
            throw ConsoleError(.system, "The favourite could not be removed")
        }
        return wasThere
    }

    func item(_ uri: String?) throws(ConsoleError) -> Item {
        if let uri {
            guard let item = library.item(at: uri, names) else {
                throw ConsoleError(.noExist, "No such song: \(uri)")
            }
            return item
        }
        guard let current = speaker.currentItem else { throw ConsoleError(.noExist, "No current song") }
        return current
    }
}

extension Subsystems {
    /// The subsystems of a change.
    init(_ changes: Changes) {
        self = []
        if changes.contains(.player) { insert(.player) }
        if changes.contains(.queue) { insert(.playlist) }
        if changes.contains(.volume) { insert(.mixer) }
        if changes.contains(.library) { insert(.database) }
        if changes.contains(.scan) { insert(.update) }
        if changes.contains(.favourites) { insert(.sticker) }
        if changes.contains(.output) { insert(.output) }
        if changes.contains(.modes) { insert(.options) }
        if changes.contains(.transcript) { insert(.transcript) }
        if changes.contains(.sound) { insert(.sound) }
    }
}
