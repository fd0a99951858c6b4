import Posix

/// What `help` shows.
extension ProtocolCommand {
    /// How `help` arranges the commands: what people want first, first.
    private static var groups: [(title: String, commands: [ProtocolCommand])] {
        [
            (
                "Playing",
                [
                    .play, .pause, .stop, .next, .previous, .seekcur, .seek, .seekid, .playid, .volume, .setvol,
                    .getvol, .speed, .silence, .sleep, .alarm, .menu, .interrupt, .setting,
                ]
            ),
            ("Looking", [.status, .currentsong, .transcript, .sentence, .counters, .stats, .decoders]),
            ("Favourites", [.favourite, .bookmark, .say, .sayplay, .book, .books, .finished]),
            (
                "Queue",
                [
                    .playlist, .playlistinfo, .playlistfind, .playlistsearch, .add, .delete, .clear, .move, .swap,
                    .shuffle, .prio,
                ]
            ),
            ("Modes", [.random, .repeat, .single, .consume, .outputs, .enableoutput, .disableoutput]),
            ("Playlists", [.listplaylists, .listplaylistinfo, .load, .save, .playlistadd, .rm, .rename]),
            ("Podcasts", [.subscribe, .unsubscribe, .subscriptions, .refresh]),
            (
                "Library",
                [
                    .lsinfo, .listall, .listallinfo, .listfiles, .readcomments, .find, .search, .findadd, .searchadd,
                    .list, .count, .update, .rescan, .forget,
                ]
            ),
            (
                "Session",
                [
                    .help, .screen, .idle, .noidle, .commands, .notcommands, .tagtypes, .password, .clearerror, .ping,
                    .close,
                ]
            ),
        ]
    }

    private static let columns = 79

    /// What `help` shows: 80 columns, and few enough lines to stay on a terminal of 24.
    static func writeHelp(to response: inout ResponseBuffer) {
        response.line("\"help COMMAND\" tells more, \"commands\" lists all. Text with spaces in \"...\".")
        response.line("")
        for group in groups {
            var title = group.title
            while title.utf8.count < 12 { title += " " }
            var names: [String] = []
            for command in group.commands { names.append(command.rawValue) }
            wrap(names, firstIndent: title, indent: "            ", to: &response)
        }
        response.line("")
        response.line("status                   what the speaker is doing, and where it is")
        response.line("pause                    pause, and again: carry on")
        response.line("seekcur -10              ten seconds back")
        response.line("volume +5                a little louder")
        response.line("favourite add            keep what is playing")
        response.line("transcript               the sentence being spoken")
    }

    func writeHelp(to response: inout ResponseBuffer) {
        response.line(row.usage)
        ProtocolCommand.wrap(row.summary.parts(between: " "), firstIndent: "    ", indent: "    ", to: &response)
    }

    /// Fills lines with words.
    static func wrap(
        _ words: [String], firstIndent: String, indent: String, to response: inout ResponseBuffer
    ) {
        var line = firstIndent
        var isEmpty = true
        for word in words {
            if !isEmpty && line.utf8.count + 1 + word.utf8.count > columns {
                response.line(line)
                line = indent
                isEmpty = true
            }
            if !isEmpty { line += " " }
            line += word
            isEmpty = false
        }
        response.line(line)
    }
}
