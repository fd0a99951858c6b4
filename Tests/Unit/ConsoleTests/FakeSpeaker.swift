// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Speaker

@testable import Console

/// A speaker that plays nothing and writes down what it was asked to do. Its queue is the real one.
final class FakeSpeaker: ConsoleSpeaker {
    var booksAsked = 0
    var otherFiles: [FileDescription] = []
    var actions: [String] = []
    var status = SpeakerStatus()
    private(set) var places = Queue(entries: [], currentSongID: nil, nextSongID: 100, followsScans: false) {
        didSet {
            status.queueLength = places.count
            status.queueVersion = places.version
        }
    }
    /// Every song there is; the queue knows it by its index.
    private var songs: [SongDescription] = []
    var queue: QueueListing { FakeQueue(self, places.entries) }
    /// What is in the queue.
    var entries: [SongDescription] { queue.songs(0..<places.count) }
    /// Songs that were looked up, whoever asked.
    var songsLookedUp = 0
    /// Path to what is there, in the order of names.
    var library: [(folder: String, entries: [LibraryEntry])] = []
    private var numbers: LibraryStatistics {
        var numbers = LibraryStatistics(items: 3, artists: 2, albums: 1, durationMilliseconds: 700_000)
        numbers.uptimeSeconds = 60
        numbers.updatedSeconds = 1_700_000_000
        numbers.playedSeconds = 30
        numbers.heardHours = HourlyCounts(hour: 0)
        numbers.heardHours?.note(30, at: 1)
        return numbers
    }
    var outputs = [OutputDescription(name: "hw:CARD=DAC", plugin: "alsa", isEnabled: true)]
    var isDiskBehind = false
    var isLettingGoOfCard = false
    var spokenSegments: [Segment]?
    var currentSegment: Int?
    var loudness: (gain: Int?, measured: Int?)
    var feeds: [String] = []
    var favourites: [Favourite] = []
    var stickers: [String: [String: String]] = [:]
    /// By the song's path.
    var pictures: [String: PictureDescription] = [:]
    /// Playlists by name.
    var stored: [String: [String]] = [:]
    /// The worker answers only when told to.
    var hangs = false
    var unanswered: [() -> Void] = []
    /// Who waits for what stands on a screen.
    var askedTrees: [Awaited<[ElementDescription]>] = []
    /// How many songs each call of `forgetItems` forgets.
    var forgettable = [2]
    /// What is said, and what was looked for.
    var sentences: [SpokenHit] = []
    var sayings: [String] = []
    var songsSaying = ItemSet()
    /// Answers in the place of `songsSaying`.
    var lateSongsSaying: Awaited<ItemSet>?
    /// A copy of the library.
    var copied: [UInt8] = []
    var alarms: [AlarmDescription] = []
    var settings: [SettingStatus] = []
    func choose(_ value: String, of setting: SpeakerSetting) { actions.append("setting \(setting.rawValue) \(value)") }
    var household: HouseholdState?
    var householdRun = HouseholdRun()
    /// Newest first.
    var bookmarks: [Bookmark] = []
    /// What the queue can hold.
    var mostEntries = Int.max
    /// Thrown by every action, if set.
    var failure: ConsoleError?
    /// Told of every change, as the speaker tells its consoles.
    var onChange: (Subsystems) -> Void = { _ in }

    init() {
        status.volumePercent = 50
    }

    /// Three stories in the queue and the library, the first one playing at 5.123 s of 100.5 s.
    static func playing() -> FakeSpeaker {
        let speaker = FakeSpeaker()
        speaker.status.savedOfItemMilliseconds = 12_345
        speaker.status.savedMilliseconds = 67_890
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
        speaker.fill([lamp, moth, lesson])
        speaker.status.state = .playing
        speaker.status.positionMilliseconds = 5123
        speaker.status.durationMilliseconds = 100_500
        speaker.status.bitrateKbps = 48
        speaker.status.audioFormat = .init(sampleRate: 22_050, bits: 16, channels: 1)
        speaker.status.current = .init(position: 0, id: 100)
        speaker.status.next = .init(position: 1, id: 101)
        return speaker
    }

    /// So many songs in the queue, which is the library in its order.
    static func holding(_ count: Int) -> FakeSpeaker {
        let speaker = FakeSpeaker()
        let songs = (0..<count).map {
            SongDescription(
                uri: "shelf/\($0).mp3", title: "Chapter \($0)", artist: "Ada Reader", album: "Nights",
                durationMilliseconds: 60_000)
        }
        speaker.library = [
            ("", [.folder(uri: "shelf", modifiedSeconds: nil)]), ("shelf", songs.map { .song($0) }),
        ]
        speaker.fill(songs)
        return speaker
    }

    /// Makes these songs the queue, with Ids from 100.
    func fill(_ songs: [SongDescription]) {
        self.songs = songs
        let entries = songs.indices.map { QueueEntry(songID: 100 + $0, itemID: Int64($0)) }
        places = Queue(entries: entries, currentSongID: nil, nextSongID: 100 + songs.count, followsScans: false)
    }

    /// An entry as it is told.
    func song(_ entry: QueueEntry, at position: Int) -> SongDescription {
        var song = songs[Int(entry.itemID)]
        song.entry = .init(position: position, id: entry.songID, priority: entry.priority)
        return song
    }

    func edit(_ body: (inout Queue) -> Void) { body(&places) }

    func act(_ action: String, _ changes: Subsystems) throws(ConsoleError) {
        if let failure { throw failure }
        actions.append(action)
        onChange(changes)
    }

    /// Counted in three portions.
    func statistics() -> () -> LibraryStatistics? {
        var left = 3
        return { [numbers] in
            left -= 1
            return left == 0 ? numbers : nil
        }
    }
    let decoders = [
        StatusLine("plugin", "mpg123"), StatusLine("suffix", "mp3"), StatusLine("mime_type", "audio/mpeg"),
    ]

    func counters(isRaw: Bool) -> [StatusLine] {
        [StatusLine("xruns", 1), StatusLine("wakeups_per_second", "5.500"), StatusLine("boot", "b007")]
            + (isRaw ? [StatusLine("silence", "9  12:1"), StatusLine("first_sound", 7)] : [])
    }
    func position(ofSongID id: Int) -> Int? { places.index(ofSongID: id) }
    func positionsChanged(since version: Int) -> [Range<Int>] { places.positionsChanged(since: version) }

    func transcript(neighbours: Int, at milliseconds: Int?) -> TranscriptDescription? {
        guard let spokenSegments else { return nil }
        let middle = currentSegment ?? 0
        let range = (middle - neighbours..<middle + neighbours + 1).clamped(to: 0..<spokenSegments.count)
        return TranscriptDescription(
            count: spokenSegments.count, currentIndex: currentSegment, firstIndex: range.lowerBound,
            segments: Array(spokenSegments[range]))
    }

    /// What files say of themselves, by their paths.
    var comments: [String: [(name: String, text: String)]] = [:]
    func comments(of uri: String) throws(ConsoleError) -> Awaited<[(name: String, text: String)]?> {
        Awaited(.success(comments[uri]))
    }

    func files(in uri: String) -> Awaited<[FileDescription]> { Awaited(.success(uri == "a" ? otherFiles : [])) }

    func contents(of uri: String, recursive: Bool) throws(ConsoleError) -> Pages<LibraryEntry> {
        counted(try entries(uri, recursive: recursive))
    }

    private func counted(_ entries: [LibraryEntry]) -> Pages<LibraryEntry> {
        let all = pages(of: entries)
        return { [self] limit in
            let page = all(limit)
            songsLookedUp += page?.count ?? 0
            return page
        }
    }

    private func entries(_ uri: String, recursive: Bool) throws(ConsoleError) -> [LibraryEntry] {
        guard let folder = library.first(where: { $0.folder == uri }) else {
            for (_, entries) in library {
                for case .song(let song) in entries where song.uri == uri { return [.song(song)] }
            }
            throw ConsoleError(.noExist, "No such directory")
        }
        var result: [LibraryEntry] = []
        for entry in folder.entries {
            result.append(entry)
            if recursive, case .folder(let uri, _) = entry { result += try entries(uri, recursive: true) }
        }
        return result
    }

    func song(at uri: String) -> SongDescription? {
        guard !uri.isEmpty, case .song(let song) = (try? entries(uri, recursive: false))?.first, song.uri == uri else {
            return nil
        }
        return song
    }

    private func songs(_ condition: ItemFilter) -> [SongDescription] {
        var songs: [SongDescription] = []
        for case .song(let song) in (try? entries("", recursive: true)) ?? [] where ItemMatch(condition).holds(song) {
            songs.append(song)
        }
        return songs
    }

    func songs(_ query: ItemQuery) -> Pages<LibraryEntry> {
        var songs = songs(query.filter!)
        if query.order != .path {
            let key: (SongDescription) -> SortKey =
                switch query.order {
                case .tag(let tag): { $0.tags.sortKey(tag) }
                case .path: { _ in .number(0) }
                case .modified: { .number($0.modifiedSeconds ?? 0) }
                case .added: { .number($0.addedSeconds ?? 0) }
                }
            songs.sort { key($0) < key($1) }
            if query.isDescending { songs.reverse() }
        }
        return counted(songs.map { .song($0) })
    }

    func tally(_ condition: ItemFilter, groupedBy tag: Core.Tag?) -> Pages<SongCount> {
        let counts =
            if let tag {
                rows([tag], songs(condition)).sorted { $0.values.lexicographicallyPrecedes($1.values) }.map { row in
                    SongCount(group: row.values[0], songs: 1, milliseconds: Int64(row.song.durationMilliseconds ?? 0))
                }
            } else {
                songs(condition).map { SongCount(songs: 1, milliseconds: Int64($0.durationMilliseconds ?? 0)) }
            }
        let all = pages(of: counts)
        // What belongs to one group comes in several portions.
        return { _ in all(2) }
    }

    func values(of tags: [Core.Tag], matching condition: ItemFilter) -> Pages<[String]> {
        pages(of: Set(rows(tags, songs(condition)).map(\.values)).sorted { $0.lexicographicallyPrecedes($1) })
    }

    /// Each song once for each combination of its values.
    private func rows(
        _ tags: [Core.Tag], _ songs: [SongDescription]
    ) -> [(values: [String], song: SongDescription)] {
        songs.flatMap { song in
            tags.reduce([[]]) { rows, tag in
                let values = ([tag] + tag.fallbacks).lazy.map { song.tags.values(of: $0) }.first { !$0.isEmpty } ?? []
                return rows.flatMap { row in (values.isEmpty ? [""] : values).map { row + [$0] } }
            }.map { ($0, song) }
        }
    }

    func favourites(by order: Favourite.Order, in range: Range<Int>) -> [Favourite] {
        actions.append("favourites \(order) \(range.lowerBound):\(range.upperBound)")
        return Array(favourites[range.clamped(to: 0..<favourites.count)])
    }

    var headphones: HeadphoneList?
    func headphonesAre(_ list: HeadphoneList) { headphones = list }
    func ask(_ request: HeadphoneRequest) throws(ConsoleError) { try act("headphones \(request.words)", []) }
    func tell(wifi notice: Notice) { actions.append("wifi \(notice)") }
    func announce(_ words: String) throws(ConsoleError) { try act("announce \(words)", []) }

    func perform(_ command: Command) throws(ConsoleError) {
        switch command {
        case .play, .stop:
            try act("\(command)", .player)
            status.state = command == .play ? .playing : .stopped
        case .skip(let milliseconds): try act("seek by \(milliseconds)", .player)
        case .setVolume(let percent):
            try act("volume \(percent)", .mixer)
            status.volumePercent = percent
        case .sentence(let step): try act("sentence \(step)", .player)
        case .loop(let change):
            try act("loop \(change)", .player)
            status.repeatedStretch = change == .sentence || change == .to ? 1000..<2000 : nil
        case .sleep(let sleep):
            try act("sleep " + sleep.words, .options)
            status.sleep = sleep
            if case .minutes(let minutes) = sleep {
                status.sleepMilliseconds = minutes * 60_000
            } else {
                status.sleepMilliseconds = nil
            }
        default: try act("\(command)", .player)
        }
    }

    func setSpeed(_ speed: Speed, forBook: Bool) throws(ConsoleError) {
        try act("speed \(speed.text)\(forBook ? " book" : "")", .player)
        if forBook || status.bookSpeed != nil { status.bookSpeed = speed } else { status.speakerSpeed = speed }
        status.speed = status.bookSpeed ?? status.speakerSpeed
    }

    func forgetBookSpeed() throws(ConsoleError) {
        try act("speed off", .player)
        status.bookSpeed = nil
        status.speed = status.speakerSpeed
    }

    func set(_ sound: SoundChanges) {
        status.sound = sound
        actions.append("silence \(sound.shortensSilences), level \(sound.level)")
    }

    func stream(at address: String) throws(ConsoleError) -> SongDescription {
        guard status.takesStreams else { throw ConsoleError(.permission, "streams are off") }
        return SongDescription(uri: address, identifier: 900)
    }

    func play(position: Int) throws(ConsoleError) {
        try act("play \(position)", .player)
        status.state = .playing
        status.current = .init(position: position, id: places.entries[position].songID)
    }

    func setPaused(_ paused: Bool) throws(ConsoleError) {
        try act(paused ? "pause" : "resume", .player)
        status.state = paused ? .paused : .playing
    }

    func seek(position: Int, toMilliseconds: Int) throws(ConsoleError) {
        try act("seek \(position) \(toMilliseconds)", .player)
    }

    func addToQueue(_ songs: [SongDescription], before position: Int?) throws(ConsoleError) -> Int {
        try act("add \(songs.map(\.uri).joined(separator: ",")) \(position ?? -1)", .playlist)
        let items = songs.prefix(mostEntries - places.count).map { song in
            Int64(self.songs.firstIndex { $0.uri == song.uri }!)
        }
        let first = try! places.insert(items, at: position)?.firstSongID
        if items.count < songs.count { throw ConsoleError(.playlistMax, "Playlist is too large") }
        return first ?? 0
    }

    func removeFromQueue(_ positions: Range<Int>) throws(ConsoleError) {
        try act("remove \(positions.lowerBound)..<\(positions.upperBound)", .playlist)
        _ = places.remove(positions)
        if places.isEmpty {
            status.state = .stopped
            status.current = nil
            status.next = nil
        }
    }

    func updateLibrary(_ uri: String, readsAnew: Bool) throws(ConsoleError) -> Int {
        try act("update \(uri)", .update)
        return 4
    }

    func forgetItems(goneForDays days: Int) throws(ConsoleError) -> Int {
        if forgettable.isEmpty { return 0 }
        try act("forget \(days)", .database)
        return forgettable.removeFirst()
    }

    func clearError() {
        actions.append("clear error")
        status.error = nil
    }

    func addFavourite(_ uri: String?) throws(ConsoleError) -> Bool {
        try act("favourite \(uri ?? "current")", .sticker)
        let uri = uri ?? entries[status.current?.position ?? 0].uri
        if favourites.contains(where: { $0.item.path == uri }) { return false }
        favourites.append(Favourite(item: Item(id: 1, path: uri, title: uri), addedSeconds: 0))
        return true
    }

    func removeFavourite(_ uri: String?) throws(ConsoleError) -> Bool {
        try act("no favourite \(uri ?? "current")", .sticker)
        let uri = uri ?? entries[status.current?.position ?? 0].uri
        let count = favourites.count
        favourites.removeAll { $0.item.path == uri }
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
    String(decoding: answer(&session, lines.map { Array($0.utf8) }), as: UTF8.self)
}

func answer(_ session: inout Session, _ lines: [[UInt8]]) -> [UInt8] {
    var response = ResponseBuffer()
    for line in lines { session.take(.complete(line[...]), &response) }
    return response.bytes
}

extension Session {
    /// Takes a line and answers it whole.
    mutating func take(_ line: LineBuffer.Line, _ response: inout ResponseBuffer) {
        var budget = WorkBudget()
        receive(line, &budget, &response)
        while isBusy {
            var budget = WorkBudget()
            goOn(&budget, &response)
        }
    }
}

extension SongDescription {
    init(
        uri: String, title: String, artist: String, album: String = "", durationMilliseconds: Int? = nil,
        modifiedSeconds: Int64? = nil
    ) {
        self.init(
            uri: uri, tags: TagList([(.title, title), (.artist, artist), (.album, album)]),
            durationMilliseconds: durationMilliseconds, modifiedSeconds: modifiedSeconds)
    }
}
