@testable import Console

/// A speaker that plays nothing and writes down what it was asked to do.
final class FakeSpeaker: ConsoleSpeaker {
    var actions: [String] = []
    var status = SpeakerStatus(volumePercent: 50, queueVersion: 7)
    var queue: [SongDescription] = []
    /// Path to what is there, in the order of names.
    var library: [(folder: String, entries: [LibraryEntry])] = []
    var statistics = LibraryStatistics(
        artists: 2, albums: 1, songs: 3, uptimeSeconds: 60, totalSeconds: 700, updatedSeconds: 1_700_000_000,
        playedSeconds: 30)
    var outputs = [OutputDescription(name: "hw:CARD=DAC", plugin: "alsa", isEnabled: true)]
    var counters = CountersDescription(
        underruns: 1, periodMicroseconds: 25_000, decodeMicrosecondsMedian: 210, decodeMicrosecondsP99: 900,
        decodeMicrosecondsMaximum: 1200, wakeUps: 33, measuredMilliseconds: 6000, ringFillBytes: 100_000,
        ringFillMinimumBytes: 4096, ringCapacityBytes: 131_072, pssKiB: 1904)
    var spokenSegments: [TranscriptDescription.Segment]?
    var currentSegment: Int?
    var favourites: [FavouriteDescription] = []
    /// Thrown by every action, if set.
    var failure: ConsoleError?
    /// Told of every change, as the appliance tells its consoles.
    var onChange: (Subsystems) -> Void = { _ in }
    private var nextID = 100

    /// Three stories in the queue and the library, the first one playing at 5.123 s of 100.5 s.
    static func playing() -> FakeSpeaker {
        let speaker = FakeSpeaker()
        let lamp = SongDescription(
            uri: "stories/lamp.mp3", title: "Under the Lamp", artist: "Ada Reader", album: "Nights",
            durationMilliseconds: 100_500, modifiedSeconds: 1_716_322_800)
        let moth = SongDescription(
            uri: "stories/moth \"grey\".mp3", title: "The Moth", artist: "Ada Reader", album: "Nights",
            durationMilliseconds: 200_000)
        let lesson = SongDescription(
            uri: "französisch.mp3", title: "Leçon 1", artist: "Émile", durationMilliseconds: 400_000)
        speaker.library = [
            ("", [.folder(uri: "stories", modifiedSeconds: 1_716_322_800), .song(lesson)]),
            ("stories", [.song(lamp), .song(moth)]),
        ]
        for song in [lamp, moth, lesson] { speaker.append(song, before: nil) }
        speaker.status.state = .playing
        speaker.status.elapsedMilliseconds = 5123
        speaker.status.durationMilliseconds = 100_500
        speaker.status.bitrateKbps = 48
        speaker.status.audioFormat = .init(sampleRate: 22_050, bits: 16, channels: 1)
        speaker.status.current = .init(position: 0, id: 100)
        speaker.status.next = .init(position: 1, id: 101)
        return speaker
    }

    @discardableResult
    private func append(_ song: SongDescription, before position: Int?) -> Int {
        var song = song
        let id = nextID
        nextID += 1
        song.entry = .init(position: 0, id: id)
        queue.insert(song, at: position ?? queue.count)
        renumber()
        return id
    }

    private func renumber() {
        for index in queue.indices { queue[index].entry?.position = index }
        status.queueLength = queue.count
    }

    private func act(_ action: String, _ changes: Subsystems) throws(ConsoleError) {
        if let failure { throw failure }
        actions.append(action)
        onChange(changes)
    }

    func song(atPosition position: Int) -> SongDescription? { queue.indices.contains(position) ? queue[position] : nil }
    func position(ofSongID id: Int) -> Int? { queue.firstIndex { $0.entry?.id == id } }

    func transcript(neighbours: Int) -> TranscriptDescription? {
        guard let spokenSegments else { return nil }
        let middle = currentSegment ?? 0
        let range = (middle - neighbours..<middle + neighbours + 1).clamped(to: 0..<spokenSegments.count)
        return TranscriptDescription(
            count: spokenSegments.count, currentIndex: currentSegment, segments: Array(spokenSegments[range]))
    }

    func visitLibrary(_ uri: String, recursive: Bool, _ visit: (LibraryEntry) -> Void) throws(ConsoleError) {
        guard let folder = library.first(where: { $0.folder == uri }) else {
            for (_, entries) in library {
                for case .song(let song) in entries where song.uri == uri {
                    visit(.song(song))
                    return
                }
            }
            throw ConsoleError(.noExist, "No such directory")
        }
        for entry in folder.entries {
            visit(entry)
            if recursive, case .folder(let uri, _) = entry { try visitLibrary(uri, recursive: true, visit) }
        }
    }

    func favourites(
        by order: FavouriteDescription.Order, in range: Range<Int>
    ) throws(ConsoleError) -> [FavouriteDescription] {
        actions.append("favourites \(order) \(range.lowerBound):\(range.upperBound)")
        return Array(favourites[range.clamped(to: 0..<favourites.count)])
    }

    func play() throws(ConsoleError) {
        try act("play", .player)
        status.state = .playing
    }

    func play(position: Int) throws(ConsoleError) {
        try act("play \(position)", .player)
        status.state = .playing
        status.current = queue[position].entry
    }

    func setPaused(_ paused: Bool) throws(ConsoleError) {
        try act(paused ? "pause" : "resume", .player)
        status.state = paused ? .paused : .playing
    }

    func stop() throws(ConsoleError) {
        try act("stop", .player)
        status.state = .stopped
    }

    func next() throws(ConsoleError) { try act("next", .player) }
    func previous() throws(ConsoleError) { try act("previous", .player) }
    func seek(position: Int, toMilliseconds: Int) throws(ConsoleError) {
        try act("seek \(position) \(toMilliseconds)", .player)
    }
    func seek(byMilliseconds: Int) throws(ConsoleError) { try act("seek by \(byMilliseconds)", .player) }

    func setVolume(percent: Int) throws(ConsoleError) {
        try act("volume \(percent)", .mixer)
        status.volumePercent = percent
    }

    func addToQueue(_ uri: String, before position: Int?) throws(ConsoleError) -> Int {
        try act("add \(uri) \(position ?? -1)", .playlist)
        var songs: [SongDescription] = []
        try visitLibrary(uri, recursive: true) { if case .song(let song) = $0 { songs.append(song) } }
        var first = 0
        for (offset, song) in songs.enumerated() {
            let id = append(song, before: position.map { $0 + offset })
            if offset == 0 { first = id }
        }
        status.queueVersion += 1
        return first
    }

    func removeFromQueue(_ positions: Range<Int>) throws(ConsoleError) {
        try act("remove \(positions.lowerBound)..<\(positions.upperBound)", .playlist)
        queue.removeSubrange(positions)
        renumber()
        status.queueVersion += 1
        if queue.isEmpty {
            status.state = .stopped
            status.current = nil
            status.next = nil
        }
    }

    func updateLibrary(_ uri: String) throws(ConsoleError) -> Int {
        try act("update \(uri)", .update)
        return 4
    }

    func clearError() {
        actions.append("clear error")
        status.error = nil
    }

    func addFavourite(_ uri: String?) throws(ConsoleError) -> Bool {
        try act("favourite \(uri ?? "current")", .sticker)
        let uri = uri ?? queue[status.current?.position ?? 0].uri
        if favourites.contains(where: { $0.uri == uri }) { return false }
        favourites.append(FavouriteDescription(identifier: 1, uri: uri, title: uri, addedSeconds: 0))
        return true
    }

    func removeFavourite(_ uri: String?) throws(ConsoleError) -> Bool {
        try act("no favourite \(uri ?? "current")", .sticker)
        let uri = uri ?? queue[status.current?.position ?? 0].uri
        let count = favourites.count
        favourites.removeAll { $0.uri == uri }
        return favourites.count != count
    }
}

/// What a session answers to lines, all at once.
func answer(
    _ speaker: FakeSpeaker, _ lines: String..., manner: Session.Manner = .plain
) -> String {
    var session = Session(speaker: speaker, manner: manner)
    return answer(&session, lines)
}

func answer(_ session: inout Session, _ lines: [String]) -> String {
    var response = ResponseBuffer()
    for line in lines { session.receive(.complete(Array(line.utf8)[...]), &response) }
    return String(decoding: response.bytes, as: UTF8.self)
}
