import Posix

/// What each command does and answers.
extension Session {
    /// Carries out a command whose number of arguments is right. What it answered before it failed stays answered.
    mutating func perform(
        _ command: Command, _ arguments: [String], _ response: inout ResponseBuffer
    ) throws(ConsoleError) {
        switch command {
        // Playing
        case .play:
            if let position = try position(arguments.first) {
                try speaker.play(position: position)
            } else {
                try speaker.play()
            }
        case .playid:
            if let position = try position(ofID: arguments.first) {
                try speaker.play(position: position)
            } else {
                try speaker.play()
            }
        case .pause: try pause(arguments.first)
        case .stop: try speaker.stop()
        case .next: try speaker.next()
        case .previous: try speaker.previous()
        case .seek: try seek(to: try position(arguments[0]), arguments[1])
        case .seekid: try seek(to: try position(ofID: arguments[0]), arguments[1])
        case .seekcur: try seekInCurrent(arguments[0])
        case .setvol: try setVolume(try Argument.integer(arguments[0], in: 0...100))
        case .volume:
            let change = try Argument.integer(arguments[0], in: -100...100)
            try setVolume(min(100, max(0, try volume() + change)))
        case .getvol:
            if let percent = speaker.status.volumePercent { response.field("volume", percent) }

        // Looking
        case .status: writeStatus(&response)
        case .currentsong:
            if let current = speaker.status.current, let song = speaker.song(atPosition: current.position) {
                write(song, &response)
            }
        case .transcript: try writeTranscript(arguments.first, &response)
        case .counters:
            if let word = arguments.first, word != "raw" { throw Argument.wrong(word, "Expected nothing, or raw") }
            writeCounters(isRaw: !arguments.isEmpty, &response)
        case .stats: writeStatistics(&response)
        case .outputs: writeOutputs(&response)
        case .decoders:
            response.field("plugin", "mpg123")
            for suffix in ["mp3", "mp2", "mp1"] { response.field("suffix", suffix) }
            response.field("mime_type", "audio/mpeg")

        // Favourites
        case .favourite: try favourite(arguments, &response)

        // Queue
        case .playlistinfo:
            for position in try positions(arguments.first) { write(songAt: position, &response) }
        case .playlistid:
            let position = try position(ofID: arguments.first)
            for position in position.map({ $0..<$0 + 1 }) ?? 0..<speaker.status.queueLength {
                write(songAt: position, &response)
            }
        case .playlistfind: try writeQueue(matching: arguments, isSearch: false, &response)
        case .playlistsearch: try writeQueue(matching: arguments, isSearch: true, &response)
        case .plchanges:
            for position in try changedPositions(arguments) { write(songAt: position, &response) }
        case .plchangesposid:
            for position in try changedPositions(arguments) {
                guard let entry = speaker.song(atPosition: position)?.entry else { continue }
                response.field("cpos", entry.position)
                response.field("Id", entry.id)
            }
        case .add: _ = try add(arguments)
        case .addid: response.field("Id", try add(arguments))
        case .delete: try speaker.removeFromQueue(try positions(arguments[0], mayBeEmpty: false))
        case .deleteid:
            guard let position = try position(ofID: arguments[0]) else { throw Session.noSuchSong }
            try speaker.removeFromQueue(position..<position + 1)
        case .clear:
            let length = speaker.status.queueLength
            if length > 0 { try speaker.removeFromQueue(0..<length) }

        // Library
        case .lsinfo: try writeLibrary(arguments.first, recursive: false, withTags: true, &response)
        case .listall: try writeLibrary(arguments.first, recursive: true, withTags: false, &response)
        case .listallinfo: try writeLibrary(arguments.first, recursive: true, withTags: true, &response)
        case .find:
            for song in try library(matching: arguments[...], isSearch: false) { write(song, &response) }
        case .search:
            for song in try library(matching: arguments[...], isSearch: true) { write(song, &response) }
        case .findadd:
            for song in try library(matching: arguments[...], isSearch: false) {
                _ = try speaker.addToQueue(song.uri, before: nil)
            }
        case .searchadd:
            for song in try library(matching: arguments[...], isSearch: true) {
                _ = try speaker.addToQueue(song.uri, before: nil)
            }
        case .list: try writeValues(arguments, &response)
        case .count:
            var milliseconds = 0
            let songs = try library(matching: arguments[...], isSearch: false)
            for song in songs { milliseconds += song.durationMilliseconds ?? 0 }
            response.field("songs", songs.count)
            response.field("playtime", milliseconds / 1000)
        case .update, .rescan:
            response.field("updating_db", try speaker.updateLibrary(Session.folder(arguments.first)))

        // Session
        case .help: try help(arguments.first, &response)
        case .idle, .noidle: throw ConsoleError(.notList, "Not possible in a command list")
        case .commands:
            for command in Command.allCases where command != .noidle { response.field("command", command.rawValue) }
        case .notcommands: break
        case .tagtypes: try chooseTags(arguments, &response)
        case .clearerror: speaker.clearError()
        case .ping, .close: break
        }
    }

    // MARK: Playing

    private static let noSuchSong = ConsoleError(.noExist, "No such song")

    /// The position an argument names, checked against the queue; nil for none, and for -1, which older clients send for none.
    private func position(_ argument: String?) throws(ConsoleError) -> Int? {
        guard let argument else { return nil }
        let position = try Argument.integer(argument)
        if position == -1 { return nil }
        let length = speaker.status.queueLength
        if position < 0 || position >= length { throw Session.badIndex(argument, length) }
        return position
    }

    private static func badIndex(_ argument: String, _ length: Int) -> ConsoleError {
        ConsoleError(.argument, "Bad song index: \(Argument.shortened(argument)) (the queue holds \(length), from 0)")
    }

    private func position(ofID argument: String?) throws(ConsoleError) -> Int? {
        guard let argument else { return nil }
        let id = try Argument.integer(argument)
        if id == -1 { return nil }
        guard let position = speaker.position(ofSongID: id) else { throw Session.noSuchSong }
        return position
    }

    /// The part of the queue that an argument names; all of it without one.
    private func positions(_ argument: String?, mayBeEmpty: Bool = true) throws(ConsoleError) -> Range<Int> {
        let length = speaker.status.queueLength
        guard let argument, argument != "-1" else { return 0..<length }
        let range = try Argument.range(argument)
        let isSingle = !argument.utf8.contains(UInt8(ascii: ":"))
        if range.lowerBound > length || (range.lowerBound == length && (isSingle || !mayBeEmpty)) {
            throw Session.badIndex(argument, length)
        }
        return range.clamped(to: 0..<length)
    }

    private func pause(_ argument: String?) throws(ConsoleError) {
        let state = speaker.status.state
        let paused = try argument.map { text throws(ConsoleError) in try Argument.boolean(text) } ?? (state == .playing)
        if state != .stopped { try speaker.setPaused(paused) }
    }

    private func seek(to position: Int?, _ time: String) throws(ConsoleError) {
        guard let position else { throw Session.noSuchSong }
        let milliseconds = try Argument.milliseconds(time)
        if milliseconds < 0 { throw Argument.wrong(time, "Negative value not allowed") }
        try speaker.seek(position: position, toMilliseconds: milliseconds)
    }

    private func seekInCurrent(_ time: String) throws(ConsoleError) {
        let milliseconds = try Argument.milliseconds(time)
        let status = speaker.status
        guard let current = status.current, status.state != .stopped else {
            throw ConsoleError(.playerSync, "Not playing")
        }
        if Argument.hasSign(time) {
            try speaker.seek(byMilliseconds: milliseconds)
        } else {
            try speaker.seek(position: current.position, toMilliseconds: milliseconds)
        }
    }

    private func volume() throws(ConsoleError) -> Int {
        guard let percent = speaker.status.volumePercent else { throw ConsoleError(.system, "No mixer") }
        return percent
    }

    private func setVolume(_ percent: Int) throws(ConsoleError) {
        _ = try volume()
        try speaker.setVolume(percent: percent)
    }

    // MARK: Looking

    private func writeStatus(_ response: inout ResponseBuffer) {
        let status = speaker.status
        if let percent = status.volumePercent { response.field("volume", percent) }
        // What MPD can and Nightstand does not: said, because clients ask nothing else before they show it.
        for option in ["repeat", "random", "single", "consume"] { response.field(option, 0) }
        response.field("partition", "default")
        response.field("playlist", status.queueVersion)
        response.field("playlistlength", status.queueLength)
        response.field("mixrampdb", 0)
        switch status.state {
        case .playing: response.field("state", "play")
        case .paused: response.field("state", "pause")
        case .stopped: response.field("state", "stop")
        }
        if let current = status.current {
            response.field("song", current.position)
            response.field("songid", current.id)
        }
        if status.state != .stopped {
            let elapsed = max(0, status.elapsedMilliseconds)
            let duration = status.durationMilliseconds ?? 0
            response.field("time", "\((elapsed + 500) / 1000):\((duration + 500) / 1000)")
            response.field("elapsed", milliseconds: elapsed)
            if let kbps = status.bitrateKbps { response.field("bitrate", kbps) }
            if status.durationMilliseconds != nil { response.field("duration", milliseconds: duration) }
            if let format = status.audioFormat {
                response.field("audio", "\(format.sampleRate):\(format.bits):\(format.channels)")
            }
        }
        if let next = status.next {
            response.field("nextsong", next.position)
            response.field("nextsongid", next.id)
        }
        if let job = status.updateJob { response.field("updating_db", job) }
        if let error = status.error { response.field("error", error) }
    }

    private func write(songAt position: Int, _ response: inout ResponseBuffer) {
        if let song = speaker.song(atPosition: position) { write(song, &response) }
    }

    private func write(_ song: SongDescription, _ response: inout ResponseBuffer) {
        response.field("file", song.uri)
        if let seconds = song.modifiedSeconds { response.field("Last-Modified", date: seconds) }
        for tag in visibleTags {
            if let value = song[tag] { response.field(tag.name, value) }
        }
        if let milliseconds = song.durationMilliseconds {
            response.field("Time", (max(0, milliseconds) + 500) / 1000)
            response.field("duration", milliseconds: milliseconds)
        }
        if let entry = song.entry {
            response.field("Pos", entry.position)
            response.field("Id", entry.id)
        }
    }

    private func writeTranscript(_ argument: String?, _ response: inout ResponseBuffer) throws(ConsoleError) {
        var neighbours = 2
        if let argument { neighbours = try Argument.integer(argument, in: 0...1000) }
        if speaker.status.current == nil { throw ConsoleError(.playerSync, "Nothing is playing") }
        guard let transcript = speaker.transcript(neighbours: neighbours) else {
            throw ConsoleError(.noExist, "No transcript for this item")
        }
        response.field("segments", transcript.count)
        if let current = transcript.currentIndex { response.field("current", current) }
        for segment in transcript.segments {
            let start = ResponseBuffer.seconds(segment.startMilliseconds)
            let end = ResponseBuffer.seconds(segment.endMilliseconds)
            response.field("segment", "\(segment.index) \(start)-\(end) \(segment.text)")
        }
    }

    private func writeCounters(isRaw: Bool, _ response: inout ResponseBuffer) {
        let counters = speaker.counters
        response.field("xruns", counters.underruns)
        response.field("period_us", counters.periodMicroseconds)
        response.field("decode_us_p50", counters.decodeMicrosecondsMedian)
        response.field("decode_us_p99", counters.decodeMicrosecondsP99)
        response.field("decode_us_max", counters.decodeMicrosecondsMaximum)
        response.field("wakeups", counters.wakeUps)
        if counters.measuredMilliseconds > 0 {
            // In thousandths, which is how `seconds` writes a fraction.
            let perSecond = Int(clamping: Int64(counters.wakeUps) * 1_000_000 / counters.measuredMilliseconds)
            response.field("wakeups_per_second", milliseconds: perSecond)
        }
        response.field("ring_fill_bytes", counters.ringFillBytes)
        response.field("ring_fill_min_bytes", counters.ringFillMinimumBytes)
        response.field("ring_capacity_bytes", counters.ringCapacityBytes)
        if let kibibytes = counters.pssKiB { response.field("pss_kib", kibibytes) }
        if isRaw { response.text(counters.raw) }
    }

    private func writeStatistics(_ response: inout ResponseBuffer) {
        let statistics = speaker.statistics
        response.field("artists", statistics.artists)
        response.field("albums", statistics.albums)
        response.field("songs", statistics.songs)
        response.field("uptime", statistics.uptimeSeconds)
        response.field("db_playtime", statistics.totalSeconds)
        response.field("db_update", Int(statistics.updatedSeconds))
        response.field("playtime", statistics.playedSeconds)
    }

    private func writeOutputs(_ response: inout ResponseBuffer) {
        for (id, output) in speaker.outputs.enumerated() {
            response.field("outputid", id)
            response.field("outputname", output.name)
            response.field("plugin", output.plugin)
            response.field("outputenabled", output.isEnabled ? 1 : 0)
        }
    }

    // MARK: Favourites

    private func favourite(_ arguments: [String], _ response: inout ResponseBuffer) throws(ConsoleError) {
        let rest = arguments.dropFirst()
        switch arguments[0] {
        case "list":
            try listFavourites(rest, &response)
        case "add", "remove":
            if rest.count > 1 { throw ConsoleError(.argument, "too many arguments for \"favourite \(arguments[0])\"") }
            if rest.isEmpty && speaker.status.current == nil {
                throw ConsoleError(.playerSync, "Nothing is playing; name a file")
            }
            if arguments[0] == "add" {
                if !(try speaker.addFavourite(rest.first)) {
                    throw ConsoleError(.exists, "already in favourites")
                }
            } else if !(try speaker.removeFavourite(rest.first)) {
                throw ConsoleError(.noExist, "not in favourites")
            }
        default:
            throw Argument.wrong(arguments[0], "add, remove or list expected")
        }
    }

    private func listFavourites(
        _ arguments: ArraySlice<String>, _ response: inout ResponseBuffer
    ) throws(ConsoleError) {
        var order = FavouriteDescription.Order.newest
        var range = 0..<Argument.maximum
        var hasRange = false
        for (index, argument) in arguments.enumerated() {
            switch argument {
            case "newest" where index == 0: order = .newest
            case "title" where index == 0: order = .title
            case "duration" where index == 0: order = .duration
            case "plays" where index == 0: order = .mostPlayed
            default:
                if hasRange || !(argument.utf8.first ?? 0).isDigit {
                    throw Argument.wrong(argument, "[newest|title|duration|plays] [START:END] expected")
                }
                range = try Argument.range(argument)
                hasRange = true
            }
        }
        for favourite in try speaker.favourites(by: order, in: range) {
            response.field("file", favourite.uri)
            response.field("Title", favourite.title)
            if let milliseconds = favourite.durationMilliseconds {
                response.field("duration", milliseconds: milliseconds)
            }
            response.line("favourite: \(favourite.identifier)")
            response.field("added", date: favourite.addedSeconds)
            if let milliseconds = favourite.lastPositionMilliseconds {
                response.field("position", milliseconds: milliseconds)
            }
            if let artwork = favourite.artwork { response.field("artwork", artwork) }
        }
    }

    // MARK: Queue

    private func writeQueue(
        matching arguments: [String], isSearch: Bool, _ response: inout ResponseBuffer
    ) throws(ConsoleError) {
        let filter = try SongFilter(arguments[...], isSearch: isSearch)
        var songs: [SongDescription] = []
        for position in 0..<speaker.status.queueLength {
            if let song = speaker.song(atPosition: position), filter.matches(song) { songs.append(song) }
        }
        for song in filter.arrange(songs) { write(song, &response) }
    }

    /// All positions asked for if the queue is another than the client knows: which of them changed is not kept.
    private func changedPositions(_ arguments: [String]) throws(ConsoleError) -> Range<Int> {
        let version = try Argument.integer(arguments[0])
        let positions = try positions(arguments.count > 1 ? arguments[1] : nil)
        return version == speaker.status.queueVersion ? 0..<0 : positions
    }

    private func add(_ arguments: [String]) throws(ConsoleError) -> Int {
        let length = speaker.status.queueLength
        var position: Int?
        if arguments.count > 1 {
            let value = try Argument.integer(arguments[1])
            if value < 0 || value > length { throw Session.badIndex(arguments[1], length) }
            position = value
        }
        return try speaker.addToQueue(try Session.folder(arguments[0]), before: position)
    }

    // MARK: Library

    /// A path as the speaker takes it: no slash at its end, no part that climbs out. "" is the whole library.
    private static func folder(_ argument: String?) throws(ConsoleError) -> String {
        guard let argument else { return "" }
        var bytes = Array(argument.utf8)
        while bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
        for part in bytes.split(separator: UInt8(ascii: "/")) where part == [0x2E] || part == [0x2E, 0x2E] {
            throw Argument.wrong(argument, "Malformed path")
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func writeLibrary(
        _ argument: String?, recursive: Bool, withTags: Bool, _ response: inout ResponseBuffer
    ) throws(ConsoleError) {
        let uri = try Session.folder(argument)
        try speaker.visitLibrary(uri, recursive: recursive) { entry in
            switch entry {
            case .folder(let uri, let modifiedSeconds):
                response.field("directory", uri)
                if withTags, let modifiedSeconds { response.field("Last-Modified", date: modifiedSeconds) }
            case .song(let song):
                if withTags { write(song, &response) } else { response.field("file", song.uri) }
            }
        }
    }

    private func library(
        matching arguments: ArraySlice<String>, isSearch: Bool
    ) throws(ConsoleError) -> [SongDescription] {
        let filter = try SongFilter(arguments, isSearch: isSearch)
        var songs: [SongDescription] = []
        try speaker.visitLibrary("", recursive: true) { entry in
            if case .song(let song) = entry, filter.matches(song) { songs.append(song) }
        }
        return filter.arrange(songs)
    }

    private func writeValues(_ arguments: [String], _ response: inout ResponseBuffer) throws(ConsoleError) {
        let name = arguments[0]
        let tag = Tag(name: name)
        let isFile = name.lowerCase == "file"
        if tag == nil && !isFile && !Tag.isKnown(name) { throw Argument.wrong(name, "Unknown tag type") }
        var filter = arguments.dropFirst()
        // From MPD's first days: `list album NAME` means the albums of that artist.
        if tag == .album, filter.count == 1, filter.first?.utf8.first != UInt8(ascii: "(") {
            filter.insert("artist", at: filter.startIndex)
        }
        /// In order, each once.
        var values: [String] = []
        for song in try library(matching: filter, isSearch: false) {
            guard let value = isFile ? song.uri : tag.flatMap({ song[$0] }) else { continue }
            let rank = SongFilter.rank(in: values.count) { value < values[$0] }
            if rank == 0 || values[rank - 1] != value { values.insert(value, at: rank) }
        }
        // The client knows the tag by the name that it asked for.
        let label = isFile ? "file" : name.lowerCase == "albumartist" ? "AlbumArtist" : tag?.name ?? name
        for value in values { response.field(label, value) }
    }

    // MARK: Session

    private func help(_ argument: String?, _ response: inout ResponseBuffer) throws(ConsoleError) {
        guard let argument else {
            Command.writeHelp(to: &response)
            return
        }
        guard let command = Command(name: argument) else {
            throw ConsoleError(.noExist, "no command \"\(Argument.shortened(argument))\"; help lists them")
        }
        command.writeHelp(to: &response)
    }

    private mutating func chooseTags(_ arguments: [String], _ response: inout ResponseBuffer) throws(ConsoleError) {
        guard let action = arguments.first else {
            for tag in visibleTags { response.field("tagtype", tag.name) }
            return
        }
        let names = arguments.dropFirst()
        var chosen: [Tag] = []
        for name in names {
            if !Tag.isKnown(name) { throw Argument.wrong(name, "Unknown tag type") }
            if let tag = Tag(name: name), tag.name.lowerCase == name.lowerCase { chosen.append(tag) }
        }
        if names.isEmpty != (action == "all" || action == "clear") {
            throw ConsoleError(.argument, "all, clear, enable TAG ... or disable TAG ... expected")
        }
        let before = visibleTags
        switch action {
        case "all": visibleTags = Tag.allCases
        case "clear": visibleTags = []
        case "enable": visibleTags = Tag.allCases.filter { before.contains($0) || chosen.contains($0) }
        case "disable": visibleTags = before.filter { !chosen.contains($0) }
        default: throw Argument.wrong(action, "Unknown sub command")
        }
    }
}
