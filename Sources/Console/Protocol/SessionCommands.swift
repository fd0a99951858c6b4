import Core
import Model
import Posix

/// What each command does and answers.
extension Session {
    /// Carries out a command whose number of arguments is right. What it answered before it failed stays answered.
    /// - Returns: what is left of the answer, to be given in portions; nil where it is whole.
    mutating func perform(
        _ command: ProtocolCommand, _ arguments: [String], _ response: inout ResponseBuffer
    ) throws(ConsoleError) -> Portions? {
        switch command {
        // Playing
        case .play:
            if let position = try position(arguments.first) {
                try speaker.play(position: position)
            } else {
                try speaker.perform(.play)
            }
        case .playid:
            if let position = try position(ofID: arguments.first) {
                try speaker.play(position: position)
            } else {
                try speaker.perform(.play)
            }
        case .pause: try pause(arguments.first)
        case .stop: try speaker.perform(.stop)
        case .next: try speaker.perform(.next)
        case .previous: try speaker.perform(.previous)
        case .seek: try seek(to: try position(arguments[0]), arguments[1])
        case .seekid: try seek(to: try position(ofID: arguments[0]), arguments[1])
        case .seekcur: try seekInCurrent(arguments[0])
        case .setvol: try setVolume(try Argument.unsigned(arguments[0], atMost: 100))
        case .volume:
            let change = try Argument.integer(arguments[0], in: -100...100)
            try setVolume(min(100, max(0, try volume() + change)))
        case .getvol:
            if let percent = speaker.status.volumePercent { response.field("volume", percent) }

        // Permitted to nobody.
        case .kill: break

        // Looking
        case .status: writeStatus(&response)
        case .currentsong:
            let status = speaker.status
            guard let current = status.current else { break }
            for song in speaker.queue.songs(current.position..<current.position + 1) {
                response.song(song, visibleTags)
            }
            if status.chapterNumber > 0 && status.bounds == nil {
                response.field("Chapter", SongNames.title(status.chapter, ofChapter: status.chapterNumber))
            }
        case .transcript: return try transcript(arguments, &response)
        case .buttons: try buttons(arguments, &response)
        case .screenstate: return try writeScreen(arguments.first, &response)
        case .letters:
            let window = try arguments.count < 2 ? 0..<Argument.maximum : Argument.range(arguments[1])
            return LetterPortions(speaker, after: arguments.first ?? "", window)
        case .screen: return try screen(arguments)
        case .haptic:
            guard let haptic = Haptic(name: arguments[0]) else {
                throw Argument.wrong(
                    arguments[0], "Expected " + Haptic.allCases.map { $0.name }.joined(separator: ", "))
            }
            try speaker.feel(haptic)
        case .counters:
            if let word = arguments.first, word != "raw" { throw Argument.wrong(word, "Expected nothing, or raw") }
            writeCounters(isRaw: !arguments.isEmpty, &response)
        case .stats: return statistics()
        case .outputs: writeOutputs(&response)
        case .enableoutput: try setOutput(arguments[0], enabled: true)
        case .disableoutput: try setOutput(arguments[0], enabled: false)
        case .toggleoutput: try setOutput(arguments[0], enabled: nil)
        case .outputset: try setOutputAttribute(arguments[0])
        case .moveoutput, .partition, .newpartition, .delpartition, .mount, .unmount, .listneighbors:
            try refuse(command, arguments.first ?? "")
        case .listpartitions: response.field("partition", "default")
        case .listmounts: writeMounts(&response)
        case .replayGainStatus: tellReplayGain(&response)
        case .replayGainMode: try chooseReplayGain(arguments[0])
        case .decoders:
            for decoder in speaker.decoders {
                response.field("plugin", decoder.name)
                for suffix in decoder.suffixes { response.field("suffix", suffix) }
                for type in decoder.mimeTypes { response.field("mime_type", type) }
            }

        case .urlhandlers: writeURLHandlers(&response)

        // Favourites
        case .favourite: return try favourite(arguments, &response)
        case .bookmark: return try bookmark(arguments)
        case .book: return try book(arguments, &response)
        case .books: return try books(arguments)
        case .finished: try finished(arguments)
        case .backup: try backup(arguments, &response)
        case .restore: try restore(arguments, &response)
        case .household: try household(arguments, &response)
        case .journal: return try journal(arguments)
        case .merge: try merge(arguments[0], &response)
        case .say: return try say(arguments, &response)
        case .sayplay: try playSaid(arguments.first)

        // Queue
        case .playlist:
            let queue = speaker.queue
            return QueuePortions(queue, [0..<queue.count]) { song, response in
                response.field("\(song.entry?.position ?? 0):file", path: song.uri)
            }
        case .playlistinfo: return QueuePortions(speaker.queue, [try positions(arguments.first)], tags: visibleTags)
        case .playlistid:
            let position = try position(ofID: arguments.first)
            let queue = speaker.queue
            return QueuePortions(queue, [position.map { $0..<$0 + 1 } ?? 0..<queue.count], tags: visibleTags)
        case .playlistfind:
            let filter = try SongFilter(arguments[...], isSearch: false)
            return QueueSearchPortions(speaker.queue, filter, tags: visibleTags)
        case .playlistsearch:
            let filter = try SongFilter(arguments[...], isSearch: true)
            return QueueSearchPortions(speaker.queue, filter, tags: visibleTags)
        case .plchanges: return QueuePortions(speaker.queue, try changedPositions(arguments), tags: visibleTags)
        case .plchangesposid: return QueueNumberPortions(speaker.queue, try changedPositions(arguments))
        case .add: return try add(arguments)
        case .addid: try addOne(arguments, &response)
        case .delete:
            let range = try clipped(arguments[0])
            if !range.isEmpty { try speaker.removeFromQueue(range) }
        case .deleteid:
            guard let position = try position(ofID: arguments[0]) else { throw Session.noSuchSong }
            try speaker.removeFromQueue(position..<position + 1)
        case .clear:
            let length = speaker.queue.count
            if length > 0 { try speaker.removeFromQueue(0..<length) }
        case .prio: return try prioritise(arguments)
        case .move, .moveid, .swap, .swapid, .shuffle, .prioid, .rangeid, .addtagid, .cleartagid:
            try rearrange(command, arguments)

        case .sentence: try sentence(arguments.first, &response)
        case .sleep: try sleep(arguments.first, &response)
        case .alarm: return try alarm(arguments, &response)
        case .menu: try menu(arguments.first, &response)
        case .interrupt: try interrupt(arguments)
        case .setting: try setting(arguments, &response)
        case .speed: try speed(arguments, &response)
        case .silence: try silence(arguments.first, &response)

        // Modes
        case .random, .repeat, .single, .consume, .crossfade, .mixrampdb, .mixrampdelay:
            try setMode(command, arguments[0])

        // Library
        case .lsinfo: return try library(arguments.first, recursive: false, withTags: true)
        case .listall: return try library(arguments.first, recursive: true, withTags: false)
        case .listallinfo: return try library(arguments.first, recursive: true, withTags: true)
        case .listfiles: return try files(arguments.first)
        case .readcomments: return try comments(arguments[0])
        case .find: return try library(matching: arguments[...], isSearch: false)
        case .search: return try library(matching: arguments[...], isSearch: true)
        case .findadd: return try add(matching: arguments[...], isSearch: false)
        case .searchadd: return try add(matching: arguments[...], isSearch: true)
        case .list: return try values(arguments)
        case .count: return try count(arguments)
        case .update, .rescan:
            response.field(
                "updating_db",
                try speaker.updateLibrary(Session.folder(arguments.first), readsAnew: command == .rescan))
        case .forget:
            let days = try arguments.first.map { text throws(ConsoleError) in try Argument.integer(text, in: 0...36_500)
            }
            return forget(days: days ?? Session.forgetsAfterDays)

        case .sticker: return try sticker(arguments, &response)

        case .albumart: return try picture(arguments, .folder)
        case .readpicture: return try picture(arguments, .tags)

        // Playlists
        case .listplaylists:
            return AwaitedPortions(speaker.playlists()) { names, _ in playlistNamePortions(names) }
        case .listplaylist: return PlaylistEntryPortions(try speaker.playlist(arguments[0]), tags: nil)
        case .listplaylistinfo: return PlaylistEntryPortions(try speaker.playlist(arguments[0]), tags: visibleTags)
        case .load: return try load(arguments)
        case .save:
            return DraftPortions(.queue(speaker.queue), into: try speaker.draft(forPlaylist: arguments[0]), .save)
        case .rm: return changed(try speaker.change(playlist: arguments[0], .remove))
        case .rename: return changed(try speaker.change(playlist: arguments[0], .rename(to: arguments[1])))
        case .playlistadd: return try playlistAdd(arguments)
        case .searchaddpl: return try playlistAdd(arguments[0], matching: arguments[1...])
        case .playlistclear: return changed(try speaker.change(playlist: arguments[0], .clear))
        case .playlistdelete:
            return changed(try speaker.change(playlist: arguments[0], .removeEntries(try Argument.range(arguments[1]))))
        case .playlistmove: return try playlistMove(arguments)

        // Podcasts
        case .subscriptions: return subscriptions()
        case .refresh: try speaker.refresh(feed: arguments.first)

        // Messages
        case .channels: writeChannels(&response)
        case .subscribe: return try subscribe(arguments)
        case .unsubscribe: try unsubscribeAny(arguments[0])
        case .readmessages: readMessages(&response)
        case .sendmessage: try sendMessage(arguments[1], to: arguments[0])

        // Session
        case .binarylimit: try limitBinary(arguments[0])
        case .config:
            if !access.isLocal { throw ConsoleError(.permission, "Command only permitted to local clients") }
            response.field("music_directory", path: speaker.names.root)
        case .help: try help(arguments.first, &response)
        case .idle, .noidle: throw ConsoleError(.notList, "Not possible in a command list")
        case .commands, .notcommands:
            let names = ProtocolCommand.allCases.filter { other in
                other != .noidle && access.permissions.isSuperset(of: other.permission) == (command == .commands)
            }
            for name in names.map({ $0.rawValue }).sorted() { response.field("command", name) }
        case .tagtypes: try chooseTags(arguments, &response)
        case .clearerror: speaker.clearError()
        case .ping, .close, .password: break
        }
        return nil
    }

    private static let forgetsAfterDays = 365

    // MARK: Playing

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
            try speaker.perform(.skip(milliseconds: milliseconds))
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
        try speaker.perform(.setVolume(percent: percent))
    }

    // MARK: Session

    private func help(_ argument: String?, _ response: inout ResponseBuffer) throws(ConsoleError) {
        guard let argument else {
            ProtocolCommand.writeHelp(to: &response)
            return
        }
        guard let command = ProtocolCommand(name: argument) else {
            throw ConsoleError(.noExist, "no command \"\(Argument.shortened(argument))\"; help lists them")
        }
        command.writeHelp(to: &response)
    }

    private mutating func chooseTags(_ arguments: [String], _ response: inout ResponseBuffer) throws(ConsoleError) {
        guard let action = arguments.first else {
            for tag in visibleTags.tags { response.field("tagtype", tag.name) }
            return
        }
        let names = arguments.dropFirst()
        switch action {
        case "all", "clear":
            if !names.isEmpty { throw ConsoleError(.argument, "Too many arguments") }
            visibleTags = action == "all" ? .ofMPD : TagSet()
        case "enable", "disable":
            if names.isEmpty { throw ConsoleError(.argument, "Not enough arguments") }
            var chosen: [Tag] = []
            for name in names {
                guard let tag = Tag(name: name) else { throw Argument.wrong(name, "Unknown tag type") }
                chosen.append(tag)
            }
            for tag in chosen { if action == "enable" { visibleTags.insert(tag) } else { visibleTags.remove(tag) } }
        default: throw ConsoleError(.argument, "Unknown sub command")
        }
    }
}
