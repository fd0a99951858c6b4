// SPDX-License-Identifier: Apache-2.0
import Core
import Posix
import Speaker
import Wire

/// The console's commands: one row for each, in the order in which `help` lists them.
extension ProtocolCommand {
    static let ofPlaying: [ProtocolCommand] = [
        .init(
            "play", 0...1, .player, cost: 8, "[POSITION]",
            "Plays, or carries on after a pause. With POSITION (0 is the first) plays that entry of the queue.",
            .does { session throws(ConsoleError) in try session.play(try session.position(session.arguments.first)) }),
        .init(
            "pause", 0...1, .player, cost: 8, "[0|1]",
            "Pauses (1) or carries on (0). Without a number: whichever it is not doing.",
            .does { session throws(ConsoleError) in try session.pause(session.arguments.first) }),
        .init(
            "stop", 0...0, .player, cost: 8, "", "Stops. The place is kept.",
            .does { session throws(ConsoleError) in try session.host.perform(.stop) }),
        .init(
            "next", 0...0, .player, cost: 8, "", "Goes to the next chapter, or the next entry of the queue.",
            .does { session throws(ConsoleError) in try session.host.perform(.next) }),
        .init(
            "previous", 0...0, .player, cost: 8, "",
            "Goes back: to the chapter's or the entry's beginning, or to the one before.",
            .does { session throws(ConsoleError) in try session.host.perform(.previous) }),
        .init(
            "seekcur", 1...1, .player, cost: 8, "TIME",
            "Goes to TIME in the current item, in seconds, fractions allowed. With + or - before it: so much on or back.",
            .does { session throws(ConsoleError) in try session.seekInCurrent(session.arguments[0]) }),
        .init(
            "seek", 2...2, .player, cost: 8, "POSITION TIME", "Goes to TIME (seconds) in that entry of the queue.",
            .does { session throws(ConsoleError) in
                try session.seek(to: try session.position(session.arguments[0]), session.arguments[1])
            }),
        .init(
            "seekid", 2...2, .player, cost: 8, "ID TIME", "Goes to TIME (seconds) in the entry with that Id.",
            .does { session throws(ConsoleError) in
                try session.seek(to: try session.position(ofID: session.arguments[0]), session.arguments[1])
            }),
        .init(
            "playid", 0...1, .player, cost: 8, "[ID]", "Plays the entry of the queue with that Id.",
            .does { session throws(ConsoleError) in
                try session.play(try session.position(ofID: session.arguments.first))
            }),
        .init(
            "volume", 1...1, .player, cost: 8, "CHANGE", "Changes the volume by so many percent: volume -5.",
            .does { session throws(ConsoleError) in try session.changeVolume(session.arguments[0]) }),
        .init(
            "setvol", 1...1, .player, cost: 8, "PERCENT", "Sets the volume, 0 to 100.",
            .does { session throws(ConsoleError) in
                try session.setVolume(try Argument.unsigned(session.arguments[0], atMost: 100))
            }),
        .init(
            "getvol", 0...0, .read, "", "Tells the volume.",
            .tells { session, answer in session.writeVolume(&answer) }),
        .init(
            "speed", 0...2, .player, cost: 8, "[FACTOR] [book]\noff book",
            "Plays 0.5 to 3 times as fast at the voice's own pitch: speed 1.5, speed +0.1. With book, only the current book, until speed off book. Places and times stay those of the recording. A station is always heard as it is spoken. Alone it shows the speed.",
            .tells { session, answer throws(ConsoleError) in try session.speed(session.arguments, &answer) }),
        .init(
            "skip", 0...2, .player, cost: 8, "[START END]",
            "Leaves out so many seconds at the beginning and at the end of each file of the current book, or of each episode of the current podcast, from now on: skip 30 20. A jump into such a part plays it. skip 0 0 plays all again. Alone it shows both.",
            .tells { session, answer throws(ConsoleError) in try session.skip(session.arguments, &answer) }),
        .init(
            "silence", 0...1, .player, cost: 8, "[shorter|own]",
            "shorter keeps a fifth of each silence, but at least 80 milliseconds; own keeps all of it. Alone it shows which, and the seconds saved.",
            .tells { session, answer throws(ConsoleError) in try session.silence(session.arguments.first, &answer) }),
        .init(
            "sleep", 0...2, .player, cost: 8, "[MINUTES|chapter|COUNT chapters|item|book|off]",
            "Falls silent by itself: after so many minutes, or at the end of the chapter, the item or the book, or after COUNT (2 to 20) ends of chapters. A bookmark keeps the place where it was set, until what is behind the silence is heard. The sound fades in the last seconds, and the place where the fade began is kept. A press during the fade brings the sound back and starts the minutes anew; so does playing on within two minutes after it. Alone it shows the seconds that are left, or what it waits for.",
            .tells { session, answer throws(ConsoleError) in try session.sleep(session.arguments, &answer) }),
        .init(
            "alarm", 1...many, .control, cost: 8,
            "add TIME [DAYS] [NAME] [rise MINUTES] [volume PERCENT]\nlist\nremove|on|off NUMBER\nsnooze|end",
            "Sets an alarm at TIME (06:40) on DAYS (daily, once, mon-fri, or mon,wed). NAME is a book, an item, a playlist, a station or an address; without it the alarm goes on with what was heard last. The volume rises for MINUTES (0 to 60, 5) up to PERCENT (30 to 100, 50). A tone replaces what cannot be played. Any button or command snoozes a ringing alarm for nine minutes, as snooze does. end, stop or a held button ends it; so does an hour.",
            .begins { session, answer throws(ConsoleError) in try session.alarm(session.arguments, &answer) }),
        .init(
            "menu", 0...1, .control, cost: 8, "[open|next|previous|choose|back|leave]",
            "Opens the speaker's menu and moves through it: choose does what the entry says, back goes to the list before. Shows the list, the entry, its place (from 1) and their count, its duration in seconds, how much of it was heard in percent, and whether it is the current choice. Shows nothing while the menu is closed. It closes after 15 seconds without a step.",
            .tells { session, answer throws(ConsoleError) in try session.menu(session.arguments.first, &answer) }),
        .init(
            "interrupt", 1...2, .player, cost: 8, "begin [SECONDS]\nend",
            "Pauses for another sound, such as a doorbell, and closes the card for it, before it answers. At the end, or after SECONDS, playing goes on, if the pause was no longer than five minutes and the listener has chosen nothing else.",
            .lists { session throws(ConsoleError) in try session.interrupt(session.arguments) }),
        .init(
            "setting", 0...2, .control, cost: 8, "[NAME VALUE|next|previous]",
            "Shows the speaker's own settings, their values and their choices: loudest (the loudest volume, in percent), language (of all that people read and hear), voice (when it answers: all, menu or by-day), and of a talking book headings (that next and previous go by), pagenumbers, notes, prodnotes and sidebars (play or skip), of what plays skipstart and skipend (seconds, see skip), and of any book repeat (off or book). With NAME, chooses a value.",
            .tells { session, answer throws(ConsoleError) in try session.setting(session.arguments, &answer) }),
    ]

    static let ofLooking: [ProtocolCommand] = [
        .init(
            "status", 0...0, .read, "",
            "Tells what the speaker is doing: state, place, volume, what is wrong. While the library is looked through, updating_db_files says how many files were found so far.",
            .tells { session, answer in session.writeStatus(&answer) }),
        .init(
            "currentsong", 0...0, .read, "", "Tells what is playing: file, title, artist, length.",
            .tells { session, answer in session.writeCurrentSong(&answer) }),
        .init(
            "transcript", 0...2, .read, "[NEIGHBOURS [TIME]]",
            "Shows the sentence being spoken, or the one at TIME (seconds), and so many (2) before and after it: number, times in seconds, text.",
            .begins { session, answer throws(ConsoleError) in try session.transcript(session.arguments, &answer) }),
        .init(
            "sentence", 0...1, .player, cost: 8, "[next|previous|repeat|loop|a|b|off]",
            "Goes to the next or previous sentence, or repeats one; loop repeats it, or what lies between a and b, until off. Alone it shows the sentence.",
            .tells { session, answer throws(ConsoleError) in try session.sentence(session.arguments.first, &answer) }),
        .init(
            "counters", 0...1, .read, cost: 8, "[raw]",
            "Shows the machinery's counters: underruns, decode time per period, wake-ups, read-ahead, memory. raw adds what `nightstand profile` needs.",
            .tells { session, answer throws(ConsoleError) in try session.writeCounters(session.arguments.first, &answer)
            }),
        .init(
            "stats", 0...0, .read, cost: UInt8(WorkBudget.turn), "",
            "Tells what the library holds, and how long the speaker has been up.",
            .lists { session in session.statistics() }),
        .init(
            "decoders", 0...0, .read, "", "Tells which files can be played.",
            .tells { session, answer in session.writeDecoders(&answer) }),
    ]

    static let ofFavourites: [ProtocolCommand] = [
        .init(
            favourite, 1...3, .control, cost: 8,
            "add|remove [FILE]\nlist [newest|title|duration|plays] [START:END]\nexport\nimport OBJECT",
            "Keeps the current item, or FILE, as a favourite. remove forgets it. list shows the favourites, newest first. export and import are for `nightstand favourites`: favourites and bookmarks as JSON.",
            .begins { session, answer throws(ConsoleError) in try session.favourite(session.arguments, &answer) }),
        .init(
            "bookmark", 1...3, .control, cost: 8, "add\nremove [NUMBER]\nlist [START:END]\nplay NUMBER",
            "Keeps the sentence being spoken. remove forgets it, or the one of that number. list shows the bookmarks, newest first. play plays from one.",
            .lists { session throws(ConsoleError) in try session.bookmark(session.arguments) }),
        .init(
            "say", 1...many, .read, "WORD [...] [START:END]",
            "Searches the transcripts. Lists ten sentences, or those of START:END: hit, file, start in seconds, text. A sentence must have all words; words in quotes must follow each other; lam* is the beginning of a word. Then sayplay plays from the first.",
            .begins { session, answer throws(ConsoleError) in try session.say(session.arguments, &answer) }),
        .init(
            "sayplay", 0...1, .player, cost: 8, "[HIT]",
            "Plays from a sentence that say has listed; without HIT from the first.",
            .does { session throws(ConsoleError) in try session.playSaid(session.arguments.first) }),
        .init(
            "book", 0...2, .read, "[FILE]\nplay NAME\npage NUMBER",
            "Shows the book that is playing, or the book of FILE: its length, how far it was heard, and the file's chapters. play goes on with a book where it was left; NAME is its title, the beginning of its title, a file or a folder. page plays the current book from that page of the printed one.",
            .begins { session, answer throws(ConsoleError) in try session.book(session.arguments, &answer) }),
        .init(
            "books", 0...2, .read, "[newest|title|author|series|unfinished|finished] [START:END]",
            "Lists the books, newest first, each with how far it was heard.",
            .lists { session throws(ConsoleError) in try session.books(session.arguments) }),
        .init(
            "finished", 1...2, .control, cost: 8, "on|off [FILE]",
            "Marks the book that is playing, or the book of FILE, as finished or unfinished.",
            .does { session throws(ConsoleError) in try session.finished(session.arguments) }),
    ]

    static let ofQueue: [ProtocolCommand] = [
        .init(
            "playlist", 0...0, .read, "", "Lists the queue, positions and files only.",
            .lists { session in session.queuePaths() }),
        .init(
            "playlistinfo", 0...1, .read, "[POSITION|START:END]",
            "Lists the queue, or a part of it (END not included).",
            .lists { session throws(ConsoleError) in try session.queue([session.positions(session.arguments.first)]) }),
        .init(
            "playlistfind", 1...many, .read, "TAG TEXT [...]\nFILTER [...]",
            "Lists entries of the queue whose tag is exactly that.",
            .lists { session throws(ConsoleError) in try session.queue(matching: session.arguments, isSearch: false) }),
        .init(
            "playlistsearch", 1...many, .read, "TAG TEXT [...]\nFILTER [...]",
            "Lists entries of the queue whose tag holds that text.",
            .lists { session throws(ConsoleError) in try session.queue(matching: session.arguments, isSearch: true) }),
        .init(
            "add", 1...2, .add, cost: 8, "PATH [POSITION]",
            "Puts a file, or all in a folder, into the queue: at its end, before POSITION, or so many (+N, -N) from the current one.",
            .lists { session throws(ConsoleError) in try session.add(session.arguments) }),
        .init(
            "delete", 1...1, .player, cost: 8, "POSITION|START:END", "Takes entries out of the queue.",
            .does { session throws(ConsoleError) in try session.delete(session.clipped(session.arguments[0])) }),
        .init(
            "clear", 0...0, .player, cost: 8, "", "Stops and empties the queue.",
            .does { session throws(ConsoleError) in try session.delete(0..<session.host.speaker.queue.count) }),
        .init(
            "move", 2...2, .player, cost: 8, "POSITION|START:END TO",
            "Moves entries of the queue: to TO, or so many (+N, -N) from the current one.",
            .does { session throws(ConsoleError) in
                try session.move(session.movable(session.arguments[0]), to: session.arguments[1])
            }),
        .init(
            "swap", 2...2, .player, cost: 8, "POSITION POSITION", "Exchanges two entries of the queue.",
            .does { session throws(ConsoleError) in try session.swap(session.arguments[0], session.arguments[1]) }),
        .init(
            "shuffle", 0...1, .player, cost: 8, "[START:END]",
            "Brings the queue, or a part of it, into an order of chance.",
            .does { session throws(ConsoleError) in
                session.host.speaker.shuffle(try session.clipped(session.arguments.first))
            }),
        .init(
            "prio", 2...many, .player, cost: 8, "PRIORITY POSITION|START:END [...]",
            "Makes entries come sooner (0 to 255) where random is on.",
            .lists { session throws(ConsoleError) in try session.prioritise(session.arguments) }),
    ]

    static let ofModes: [ProtocolCommand] = [
        .init(
            "random", 1...1, .player, cost: 8, "0|1", "Plays the queue in an order of chance.",
            .does { session throws(ConsoleError) in
                try session.setModes { modes, word throws(ConsoleError) in modes.isRandom = try Argument.boolean(word) }
            }),
        .init(
            "repeat", 1...1, .player, cost: 8, "0|1", "Begins the queue again after its end.",
            .does { session throws(ConsoleError) in
                try session.setModes { modes, word throws(ConsoleError) in modes.repeats = try Argument.boolean(word) }
            }),
        .init(
            "single", 1...1, .player, cost: 8, "0|1|oneshot",
            "Pauses after each entry, or after this one; with repeat plays the same again.",
            .does { session throws(ConsoleError) in
                try session.setModes { modes, word throws(ConsoleError) in modes.single = try Session.single(word) }
            }),
        .init(
            "consume", 1...1, .player, cost: 8, "0|1", "Takes out of the queue what was played.",
            .does { session throws(ConsoleError) in
                try session.setModes { modes, word throws(ConsoleError) in modes.consumes = try Argument.boolean(word) }
            }),
        .init(
            "outputs", 0...0, .read, "", "Tells where the sound goes.",
            .tells { session, answer in session.writeOutputs(&answer) }),
        .init(
            "enableoutput", 1...1, .outputs, cost: 8, "NUMBER", "Lets sound go to that output again.",
            .does { session throws(ConsoleError) in try session.setOutput(session.arguments[0], enabled: true) }),
        .init(
            "disableoutput", 1...1, .outputs, cost: 8, "NUMBER",
            "Lets go of that output, so that other programs can use its card. Playing pauses.",
            .does { session throws(ConsoleError) in try session.setOutput(session.arguments[0], enabled: false) }),
    ]

    static let ofPlaylists: [ProtocolCommand] = [
        .init(
            "listplaylists", 0...0, .read, "",
            "Lists the playlists: those that the speaker makes itself (Newest, Favourites, ...), then the stored ones.",
            .lists { session in
                .awaited(session.host.stored.list()) { names, _ in
                    .playlistNames(names)
                }
            }),
        .init(
            "listplaylistinfo", 1...1, .read, "NAME", "Lists the entries of a playlist.",
            .lists { session throws(ConsoleError) in
                .entries(of: try session.host.stored.listing(session.arguments[0]), tags: session.visibleTags)
            }),
        .init(
            "load", 1...3, .add, "NAME [START:END] [POSITION]",
            "Puts a playlist, or a part of it, into the queue: at its end, before POSITION, or so many (+N, -N) from the current one.",
            .lists { session throws(ConsoleError) in try session.load(session.arguments) }),
        .init(
            "save", 1...1, .control, "NAME", "Makes a playlist of the queue.",
            .lists { session throws(ConsoleError) in try session.save(session.arguments[0]) }),
        .init(
            "playlistadd", 2...3, .control, "NAME PATH [POSITION]",
            "Puts a file, or all in a folder, into a playlist; makes it.",
            .lists { session throws(ConsoleError) in try session.playlistAdd(session.arguments) }),
        .init(
            "rm", 1...1, .control, "NAME", "Deletes a playlist.",
            .lists { session throws(ConsoleError) in try session.changePlaylist(.remove) }),
        .init(
            "rename", 2...2, .control, "NAME NEW", "Gives a playlist another name.",
            .lists { session throws(ConsoleError) in try session.changePlaylist(.rename(to: session.arguments[1])) }),
    ]

    static let ofPodcasts: [ProtocolCommand] = [
        .init(
            "subscribe", 1...4, .read, "ADDRESS [NAME] [order oldest|newest|feed]\nCHANNEL",
            "Subscribes to the podcast whose feed is at ADDRESS; with NAME at once, before the feed could be read. Order says which episode comes first, also of a podcast that is subscribed to; with feed the podcast says it, and a serial begins with the oldest. Or takes messages that clients send to CHANNEL.",
            .lists { session throws(ConsoleError) in try session.subscribe(session.arguments) }),
        .init(
            "unsubscribe", 1...1, .read, "ADDRESS|NAME\nCHANNEL",
            "Forgets a podcast. Or takes the messages of CHANNEL no longer.",
            .does { session throws(ConsoleError) in try session.unsubscribeAny(session.arguments[0]) }),
        .init(
            "subscriptions", 0...0, .read, "",
            "Lists the podcasts, each with its folder, its episodes and what went wrong with it.",
            .lists { session in session.subscriptions() }),
        .init(
            "refresh", 0...1, .control, "[ADDRESS|NAME]",
            "Asks for the feed of that podcast now; without a name, for all feeds.",
            .does { session throws(ConsoleError) in try session.host.refresh(feed: session.arguments.first) }),
    ]

    static let ofLibrary: [ProtocolCommand] = [
        .init(
            "lsinfo", 0...1, .read, "[PATH]", "Lists a folder of the library.",
            .lists { session throws(ConsoleError) in
                try session.library(session.arguments.first, recursive: false, withTags: true)
            }),
        .init(
            "listall", 0...1, .read, "[PATH]", "Lists all files and folders, paths only.",
            .lists { session throws(ConsoleError) in
                try session.library(session.arguments.first, recursive: true, withTags: false)
            }),
        .init(
            "listallinfo", 0...1, .read, "[PATH]", "Lists all files and folders with titles and lengths.",
            .lists { session throws(ConsoleError) in
                try session.library(session.arguments.first, recursive: true, withTags: true)
            }),
        .init(
            "listfiles", 0...1, .read, "[PATH]", "Lists the audio files of a folder with their sizes.",
            .lists { session throws(ConsoleError) in try session.files(session.arguments.first) }),
        .init(
            "readcomments", 1...1, .read, "FILE",
            "Tells what audiobooks have beside MPD's tags: narrator, series, its part, language.",
            .lists { session throws(ConsoleError) in try session.comments(session.arguments[0]) }),
        .init(
            "find", 1...many, .read, "TAG TEXT [...]\nFILTER [...]",
            "Lists what has exactly that tag: title, artist, album, file or any. FILTER is MPD's (TAG == 'TEXT').",
            .lists { session throws(ConsoleError) in
                try session.library(matching: session.arguments[...], isSearch: false)
            }),
        .init(
            "search", 1...many, .read, "TAG TEXT [...]\nFILTER [...]",
            "Lists what has that text in a tag, upper or lower case: search any lamp.",
            .lists { session throws(ConsoleError) in
                try session.library(matching: session.arguments[...], isSearch: true)
            }),
        .init(
            "findadd", 1...many, .add, cost: 8, "TAG TEXT [...]\nFILTER [...]", "Puts what find lists into the queue.",
            .lists { session throws(ConsoleError) in try session.add(matching: session.arguments[...], isSearch: false)
            }),
        .init(
            "searchadd", 1...many, .add, cost: 8, "TAG TEXT [...]\nFILTER [...]",
            "Puts what search lists into the queue.",
            .lists { session throws(ConsoleError) in try session.add(matching: session.arguments[...], isSearch: true) }
        ),
        .init(
            "list", 1...many, .read, "TAG [FILTER] [...]", "Lists the different titles, artists, albums or files.",
            .lists { session throws(ConsoleError) in try session.values(session.arguments) }),
        .init(
            "count", 1...many, .read, "TAG TEXT [...]\nFILTER [...]",
            "Counts what find would list, and its playing time.",
            .lists { session throws(ConsoleError) in try session.count(session.arguments) }),
        .init(
            "update", 0...1, .control, cost: 8, "[PATH]", "Looks for new and changed files.",
            .tells { session, answer throws(ConsoleError) in
                try session.update(session.arguments.first, readsAnew: false, &answer)
            }),
        .init(
            "rescan", 0...1, .control, cost: 8, "[PATH]",
            "Does what update does, and reads files again that have not changed.",
            .tells { session, answer throws(ConsoleError) in
                try session.update(session.arguments.first, readsAnew: true, &answer)
            }),
        .init(
            "forget", 0...1, .memory, "[DAYS]",
            "Forgets files that have been gone for DAYS (365), but for favourites and bookmarks.",
            .lists { session throws(ConsoleError) in try session.forget(session.arguments.first) }),
    ]

    static let ofSession: [ProtocolCommand] = [
        .init(
            "help", 0...1, [], "[COMMAND]", "Lists the commands, or tells more about one.",
            .tells { session, answer throws(ConsoleError) in try session.help(session.arguments.first, &answer) }),
        .init(
            "screen", 1...7, .read, "tree\nshow NAME",
            "show takes a panel to its %SCREENS page. tree lists what stands on the screen as a voice would say it: for each element its role, label, value, hint, state (focused, selected, disabled) and frame. A screen is a client that idles for screen. When that changes, it answers with screen element ROLE LABEL VALUE HINT STATE FRAME for each element, and screen end. With screen focus LABEL VALUE HINT STATE it tells what has its focus, which a voice says.",
            .lists { session throws(ConsoleError) in try session.screen(session.arguments) }),
        .init(
            "commands", 0...0, [], "", "Lists the commands, one a line.",
            .tells { session, answer in session.writeCommands(permitted: true, &answer) }),
        .init(
            "notcommands", 0...0, [], "", "Lists the commands that are not allowed here.",
            .tells { session, answer in session.writeCommands(permitted: false, &answer) }),
        .init(
            "password", 1...1, [], "PASSWORD",
            "From now on this session may do what the password opens, and nothing else.",
            .does { session throws(ConsoleError) in try session.tryPassword(session.arguments[0]) }),
        .init(
            "clearerror", 0...0, .player, "", "Forgets the error that status shows.",
            .does { session in session.host.speaker.clearTrouble() }),
        .init("close", 0...0, [], "", "Ends the session.", .does { session in session.leave() }),
    ]

    /// The commands for programs only: `help` does not list them.
    static let ofPrograms: [ProtocolCommand] = [
        .init(
            "idle", 0...many, .changes, place: .alone, "[SUBSYSTEM ...]",
            "Waits until something changes (player, mixer, playlist, database, update, output, sticker, ...) and tells what.",
            .tells { session, answer throws(ConsoleError) in try session.idle(session.arguments, &answer) }),
        .init("noidle", 0...0, [], place: .whileIdle, "", "Ends idle.", .does { _ in }),
        .init(
            "tagtypes", 0...many, [], "[all|clear|enable TAG ...|disable TAG ...]",
            "Tells or chooses which tags this session is shown.",
            .tells { session, answer throws(ConsoleError) in try session.chooseTags(session.arguments, &answer) }),
        .init("ping", 0...0, [], "", "Answers OK.", .does { _ in }),
        .init(
            "announce", 1...many, .control, cost: 8, "TEXT|FILE|ADDRESS",
            "Says TEXT over the playback, which goes on quietly meanwhile. FILE or ADDRESS plays the first 30 seconds of a recording of the library or at an address instead. Announcements wait for each other; a press of a button ends one. Needs the voice.",
            .does { session throws(ConsoleError) in
                try session.host.announce(session.arguments.joined(separator: " "))
            }),
        .init(
            "wifi", 1...2, .control, cost: 8, "open NAME\njoined|closed",
            "Tells a person that the board asks a phone for the Wi-Fi, at an access point called NAME, and what came of it: on displays, and by the voice unless something plays.",
            .does { session throws(ConsoleError) in try session.tellWifi(session.arguments) }),
        .init(
            "addid", 1...2, .add, cost: 8, "PATH [POSITION]",
            "Puts one file into the queue, and tells the Id that it got.",
            .tells { session, answer throws(ConsoleError) in try session.addOne(session.arguments, &answer) }),
        .init(
            "deleteid", 1...1, .player, cost: 8, "ID", "Takes the entry with that Id out of the queue.",
            .does { session throws(ConsoleError) in try session.delete(id: session.arguments[0]) }),
        .init(
            "playlistid", 0...1, .read, "[ID]", "Lists the queue, or the entry with that Id.",
            .lists { session throws(ConsoleError) in try session.queueEntry(session.arguments.first) }),
        .init(
            "plchanges", 1...2, .read, "VERSION [START:END]", "Lists what changed in the queue since VERSION.",
            .lists { session throws(ConsoleError) in try session.queue(session.changedPositions(session.arguments)) }),
        .init(
            "plchangesposid", 1...2, .read, "VERSION [START:END]",
            "Lists what changed in the queue since VERSION, positions and Ids only.",
            .lists { session throws(ConsoleError) in
                .queueNumbers(session.host.queue, try session.changedPositions(session.arguments))
            }),
        .init(
            "moveid", 2...2, .player, cost: 8, "ID TO", "Moves the entry with that Id, as move does.",
            .does { session throws(ConsoleError) in
                try session.move(session.entry(id: session.arguments[0]), to: session.arguments[1])
            }),
        .init(
            "swapid", 2...2, .player, cost: 8, "ID ID", "Exchanges two entries of the queue by their Ids.",
            .does { session throws(ConsoleError) in try session.swap(ids: session.arguments[0], session.arguments[1]) }),
        .init(
            "prioid", 2...many, .player, cost: 8, "PRIORITY ID [...]",
            "Makes entries come sooner (0 to 255) by their Ids.",
            .does { session throws(ConsoleError) in
                try session.prioritise(ids: session.arguments[1...], session.arguments[0])
            }),
        .init(
            "rangeid", 2...2, .add, "ID START:END", "Refused: a song is played whole.",
            .does { session throws(ConsoleError) in try session.setRange(session.arguments) }),
        .init(
            "addtagid", 3...3, .add, "ID TAG TEXT", "Refused: tags of files are not changed.",
            .does { session throws(ConsoleError) in try session.refuseTags(session.arguments) }),
        .init(
            "cleartagid", 1...2, .add, "ID [TAG]", "Refused: tags of files are not changed.",
            .does { session throws(ConsoleError) in try session.refuseTags(session.arguments) }),
        .init(
            "crossfade", 1...1, .player, "SECONDS", "Takes 0 alone: spoken words are not mixed.",
            .does { session throws(ConsoleError) in try session.refuseCrossfade(session.arguments[0]) }),
        .init(
            "mixrampdb", 1...1, .player, cost: 8, "DECIBELS",
            "Kept for remotes; no file here says how it would be mixed.",
            .does { session throws(ConsoleError) in
                try session.setModes { modes, word throws(ConsoleError) in
                    modes.mixRampMillidecibels = try Argument.thousandths(word) ?? 0
                }
            }),
        .init(
            "mixrampdelay", 1...1, .player, cost: 8, "SECONDS|nan", "Kept for remotes, as mixrampdb is.",
            .does { session throws(ConsoleError) in
                try session.setModes { modes, word throws(ConsoleError) in
                    modes.mixRampDelayMilliseconds = try Argument.thousandths(word) ?? 0
                }
            }),
        .init(
            "replay_gain_status", 0...0, .read, "", "Tells by what recordings are brought to one level.",
            .tells { session, answer in session.tellReplayGain(&answer) }),
        .init(
            "replay_gain_mode", 1...1, .player, cost: 8, "off|track|album|auto",
            "Brings recordings to one level: by the loudness of each, or of its album where it says one.",
            .does { session throws(ConsoleError) in try session.chooseReplayGain(session.arguments[0]) }),
        .init(
            "letters", 0...2, .read, "[AFTER [START:END]]",
            "For a keyboard: lists the letters of titles and names that belong to no alphabet, such as Chinese ones, the most frequent first. With AFTER, only the letters that follow it.",
            .lists { session throws(ConsoleError) in try session.letters(session.arguments) }),
        .init(
            "screenstate", 0...1, .read, "[NEIGHBOURS]",
            "Lists all that a screen shows. A line stands only where it has a value: %LINES and the sentences around the one being spoken, so many (8) before and after it, as transcript lists them.",
            .begins { session, answer throws(ConsoleError) in try session.writeScreen(session.arguments.first, &answer)
            }),
        .init(
            "haptic", 1...1, .player, "NAME",
            "Plays a pattern on the motor that the configuration names: selection, light, medium, heavy, success or error.",
            .does { session throws(ConsoleError) in try session.feel(session.arguments[0]) }),
        .init(
            "buttons", 0...33, .buttons, "[take [GESTURE...]|give]",
            "With take, this client gets the speaker's own buttons: a gesture becomes a message on the channel buttons, such as play press (see readmessages), until give or until the client goes. Named gestures (\"play press\") are taken alone. Without arguments it shows whether a client has the buttons.",
            .tells { session, answer throws(ConsoleError) in try session.buttons(session.arguments, &answer) }),
        .init(
            "urlhandlers", 0...0, .read, "", "Tells which kinds of addresses can be added.",
            .tells { session, answer in session.writeURLHandlers(&answer) }),
        .init(
            "albumart", 2...2, .read, "FILE OFFSET",
            "Sends a piece of the picture in the file's folder, from OFFSET on.",
            .lists { session throws(ConsoleError) in try session.picture(session.arguments, .folder) }),
        .init(
            "readpicture", 2...2, .read, "FILE OFFSET",
            "Sends a piece of the picture in the file's tags, from OFFSET on.",
            .lists { session throws(ConsoleError) in try session.picture(session.arguments, .tags) }),
        .init(
            "listplaylist", 1...1, .read, "NAME", "Lists the entries of a playlist, paths only.",
            .lists { session throws(ConsoleError) in
                .entries(of: try session.host.stored.listing(session.arguments[0]), tags: nil)
            }),
        .init(
            "playlistclear", 1...1, .control, "NAME", "Empties a playlist.",
            .lists { session throws(ConsoleError) in try session.changePlaylist(.clear) }),
        .init(
            "playlistdelete", 2...2, .control, "NAME POSITION|START:END", "Takes entries out of a playlist.",
            .lists { session throws(ConsoleError) in
                try session.changePlaylist(.removeEntries(try Argument.range(session.arguments[1])))
            }),
        .init(
            "playlistmove", 3...3, .control, "NAME FROM TO", "Moves an entry of a playlist.",
            .lists { session throws(ConsoleError) in try session.playlistMove(session.arguments) }),
        .init(
            "searchaddpl", 2...many, .control, "NAME TAG TEXT [...]\nNAME FILTER [...]",
            "Puts what search lists into a playlist.",
            .lists { session throws(ConsoleError) in
                try session.playlistAdd(session.arguments[0], matching: session.arguments[1...])
            }),
        .init(
            "sticker", 3...many, .outputs, cost: 8,
            "get|set|delete|list song FILE [NAME] [VALUE]\nfind song FOLDER NAME [=|<|> VALUE]",
            "Notes a value under a name for a song, tells it, forgets it; lists a song's, and songs that have one.",
            .begins { session, answer throws(ConsoleError) in try session.sticker(session.arguments, &answer) }),
    ]

    /// The commands for devices, and for the speaker's other processes: `help` does not list them either.
    static let ofDevices: [ProtocolCommand] = [
        .init(
            "toggleoutput", 1...1, .outputs, cost: 8, "NUMBER", "Enables or disables that output, whichever it is not.",
            .does { session throws(ConsoleError) in try session.setOutput(session.arguments[0], enabled: nil) }),
        .init(
            "outputset", 3...3, .outputs, "NUMBER NAME VALUE", "Sets an attribute of an output: there are none.",
            .does { session throws(ConsoleError) in try session.setOutputAttribute(session.arguments[0]) }),
        .init(
            "moveoutput", 1...1, .outputs, "NAME", "Moves an output to this partition: it is there.",
            .does { session throws(ConsoleError) in try session.moveOutput(session.arguments[0]) }),
        .init(
            "partition", 1...1, .read, "NAME", "Chooses a partition: there is default.",
            .does { session throws(ConsoleError) in try session.choosePartition(session.arguments[0]) }),
        .init(
            "listpartitions", 0...0, .read, "", "Lists the partitions: there is one.",
            .tells { _, answer in answer.field("partition", "default") }),
        .init(
            "newpartition", 1...1, .outputs, "NAME", "Would make a partition: there is one card for one.",
            .does { session throws(ConsoleError) in try session.makePartition(session.arguments[0]) }),
        .init(
            "delpartition", 1...1, .outputs, "NAME", "Would delete a partition.",
            .does { session throws(ConsoleError) in try session.deletePartition(session.arguments[0]) }),
        .init(
            "mount", 2...2, .outputs, "PATH URI", "Would mount a storage: none is known.",
            .does { session throws(ConsoleError) in
                try session.refuseMount(session.arguments[0], "Unrecognized storage URI")
            }),
        .init(
            "unmount", 1...1, .outputs, "PATH", "Would unmount a storage.",
            .does { session throws(ConsoleError) in try session.refuseMount(session.arguments[0], "Not a mount point") }
        ),
        .init(
            "headphones", 0...many, .control, cost: 8,
            "\nscan\npair|connect|disconnect|forget ADDRESS\nare scanning|ready [HEADPHONES...]",
            "Lists the headphones without a wire, looks for new ones, or does that to one of them. With are, nightstand-headphones.service tells which there are.",
            .tells { session, answer throws(ConsoleError) in try session.headphones(session.arguments, &answer) }),
        .init(
            "listmounts", 0...0, .read, "", "Tells where the library is.",
            .tells { session, answer in session.writeMounts(&answer) }),
        .init(
            "listneighbors", 0...0, .read, "", "Would list storages nearby.",
            .does { _ throws(ConsoleError) in throw ConsoleError(.unknown, "No neighbor plugin configured") }),
        .init(
            "channels", 0...0, .read, "", "Lists the channels that clients are subscribed to.",
            .tells { session, answer in session.writeChannels(&answer) }),
        .init(
            "readmessages", 0...0, .read, "", "Tells the messages that came.",
            .tells { session, answer in session.readMessages(&answer) }),
        .init(
            "sendmessage", 2...2, .control, "CHANNEL TEXT", "Sends TEXT to all that are subscribed to CHANNEL.",
            .does { session throws(ConsoleError) in
                try session.sendMessage(session.arguments[1], to: session.arguments[0])
            }),
        .init(
            "binarylimit", 1...1, [], "BYTES", "Sets how much of a picture is sent at once.",
            .does { session throws(ConsoleError) in try session.limitBinary(session.arguments[0]) }),
        .init(
            "config", 0...0, .outputs, "", "Tells the library's folder.",
            .tells { session, answer throws(ConsoleError) in try session.writeConfiguration(&answer) }),
        .init("kill", 0...0, .nobody, "", "Refused: the service manager ends the speaker.", .does { _ in }),
        .init(
            "backup", 0...1, .memory, "[OFFSET]",
            "For `nightstand backup`: copies the library, and sends the copy in pieces.",
            .tells { session, answer throws(ConsoleError) in try session.backup(session.arguments, &answer) }),
        .init(
            "restore", 0...2, .memory, "[begin|data BASE64|end]",
            "For `nightstand restore`: receives a copy of the library, checks it and takes it into use.",
            .tells { session, answer throws(ConsoleError) in try session.restore(session.arguments, &answer) }),
        .init(
            "household", 0...4, .household,
            "[on|off|absent|renumber|awake]\nsent REVISION [CURSOR]\nwent WAIT SKIPPED [PROBLEM]",
            "Shares favourites, bookmarks, places, speeds, playlists and subscriptions with other devices; off keeps all of it here. Alone it shows this device's number, the newest revision, how many changes wait, and the notes of the last exchange. The sync process notes with sent how far it is, and with went how many seconds the server asks for, how many records were skipped and what went wrong (shown as through, wait, skipped, problem). With awake it says that it has come, and is told for how many seconds more a listener may wait for changes. absent lists favourites that are not on this speaker. renumber makes it another device.",
            .tells { session, answer throws(ConsoleError) in try session.household(session.arguments, &answer) }),
        .init(
            "journal", 1...2, .household, "SINCE [LIMIT]",
            "Lists the household's changes after the revision SINCE (0 for all): the last record of each favourite, bookmark, place, speed and subscription as JSON, with kind, key, value (null if it was removed), time, device and name. At most 500 or LIMIT come at once; fewer are the rest.",
            .lists { session throws(ConsoleError) in try session.journal(session.arguments) }),
        .init(
            "merge", 1...1, .household, cost: 40, "RECORD",
            "Takes in a record of another device's journal; the later time counts. Answers added, older (this speaker has a later one), same, refused (not a record) or later (it is the place in what is playing: send it again).",
            .tells { session, answer throws(ConsoleError) in try session.merge(session.arguments[0], &answer) }),
    ]
}
