import Posix

/// Every command of the console's language. The switch that carries them out is exhaustive, so that what `commands` and
/// `help` announce is what works.
enum ProtocolCommand: String, CaseIterable {
    case add, addid, clear, clearerror, close, commands, count, counters, currentsong, decoders, delete, deleteid
    case say, sayplay, bookmark, backup, restore, buttons
    case book, books, finished
    case favourite, find, findadd, forget, getvol, help, idle, letters, list, listall, listallinfo, listfiles,
        listplaylists, lsinfo, next,
        noidle, notcommands
    case outputs, pause, ping, play, playid, playlist, playlistfind, playlistid, playlistinfo, playlistsearch, plchanges
    case plchangesposid, previous, readcomments, rescan, search, searchadd, seek, seekcur, seekid, setvol, stats,
        status, stop
    case tagtypes, transcript, update, urlhandlers, volume
    case binarylimit, channels, config, delpartition, disableoutput, enableoutput, listmounts, listneighbors
    case listpartitions, mount, moveoutput, newpartition, outputset, partition, readmessages
    case replayGainMode = "replay_gain_mode"
    case replayGainStatus = "replay_gain_status"
    case albumart, readpicture, listplaylist, listplaylistinfo, load, playlistadd, playlistclear, playlistdelete,
        playlistmove, rename, rm
    case save, searchaddpl
    case refresh, sendmessage, sticker, subscribe, subscriptions, toggleoutput, unmount, unsubscribe
    case addtagid, cleartagid, consume, crossfade, mixrampdb, mixrampdelay, move, moveid, prio, prioid, random
    case rangeid, `repeat`, haptic, screen, screenstate, sentence, shuffle, silence, single, sleep, speed, swap,
        swapid
    case alarm, interrupt, menu, setting
    case household, journal, merge
    case kill, password

    init?(name: String) {
        // The other spelling means the same; it is not announced.
        if name == "favorite" {
            self = .favourite
        } else {
            self.init(rawValue: name)
        }
    }

    /// One row for each command: how many arguments it takes, how they are written, what it does.
    var row: (arguments: ClosedRange<Int>, usage: String, summary: String) {
        let any = Request.maximumArguments
        return switch self {
        case .play:
            (
                0...1, "play [POSITION]",
                "Plays, or carries on after a pause. With POSITION (0 is the first) plays that entry of the queue."
            )
        case .pause:
            (0...1, "pause [0|1]", "Pauses (1) or carries on (0). Without a number: whichever it is not doing.")
        case .stop: (0...0, "stop", "Stops. The place is kept.")
        case .next: (0...0, "next", "Goes to the next chapter, or the next entry of the queue.")
        case .previous:
            (0...0, "previous", "Goes back: to the chapter's or the entry's beginning, or to the one before.")
        case .seekcur:
            (
                1...1, "seekcur TIME",
                "Goes to TIME in the current item, in seconds, fractions allowed. With + or - before it: so much on or back."
            )
        case .seek: (2...2, "seek POSITION TIME", "Goes to TIME (seconds) in that entry of the queue.")
        case .seekid: (2...2, "seekid ID TIME", "Goes to TIME (seconds) in the entry with that Id.")
        case .playid: (0...1, "playid [ID]", "Plays the entry of the queue with that Id.")
        case .setvol: (1...1, "setvol PERCENT", "Sets the volume, 0 to 100.")
        case .volume: (1...1, "volume CHANGE", "Changes the volume by so many percent: volume -5.")
        case .getvol: (0...0, "getvol", "Tells the volume.")

        case .status:
            (
                0...0, "status",
                "Tells what the speaker is doing: state, place, volume, what is wrong. While the library is looked through, updating_db_files says how many files were found so far."
            )
        case .currentsong: (0...0, "currentsong", "Tells what is playing: file, title, artist, length.")
        case .transcript:
            (
                0...2, "transcript [NEIGHBOURS [TIME]]",
                "Shows the sentence being spoken, or the one at TIME (seconds), and so many (2) before and after it: number, times in seconds, text."
            )
        case .screenstate:
            (
                0...1, "screenstate [NEIGHBOURS]",
                "Tells all that a screen shows, each line where there is something to say: state (play, pause, stop), trouble, volume, speed, file, title, artist, book, chapter_number, chapter_count, chapter, sleep, alarm (06:40 waiting, ringing, snoozed), favourite (0, 1), picture (1 where readpicture has one), elapsed, duration, and the sentences around the one being spoken, so many (8) before and after it, as transcript has them."
            )
        case .letters:
            (
                0...2, "letters [AFTER [START:END]]",
                "Lists the letters of titles and names that are of no alphabet, such as Chinese ones, for a keyboard: those that most have first. With AFTER only what follows that."
            )
        case .screen:
            (
                1...7, "screen tree|show NAME",
                "With show a panel shows one of its screens: player, library, favourites or settings. With tree it tells what stands on the screen as a voice would say it: for each element what it is, and its label, value, hint, state (focused, selected, disabled) and frame. A screen is whoever idles for screen; told of that change it answers with screen element ROLE LABEL VALUE HINT STATE FRAME for each, and screen end."
            )
        case .interrupt:
            (
                1...2, "interrupt begin [SECONDS]|end",
                "Something else is to be heard, such as a doorbell: what plays pauses. At the end, or after SECONDS, it plays on by itself, if that took no longer than five minutes and nobody has chosen otherwise."
            )
        case .setting:
            (
                0...2, "setting [NAME VALUE|next|previous]",
                "Tells what can be chosen of the speaker itself, how it stands, in words too, and what there is to choose from: loudest (how loud it can be made, in percent), language (of all that people read and hear), voice (when it answers: all, menu or by-day). With NAME and a choice that is so from now on."
            )
        case .menu:
            (
                0...1, "menu [open|next|previous|choose|back|leave]",
                "Opens the speaker's menu, goes through it, does what stands there (choose), goes to the list before (back). Tells where one stands: the list, the entry and its place (from 1) of how many, its duration in seconds and how much of it was heard in percent, and current where it is what is so now. Nothing is told while the menu is not open. After 15 seconds of nothing it closes."
            )
        case .alarm:
            (
                1...any,
                "alarm add TIME [DAYS] [NAME] [rise MINUTES] [volume PERCENT]\nalarm list\nalarm remove|on|off NUMBER\nalarm snooze|end",
                "Wakes somebody at TIME (06:40), on DAYS (daily, once, mon-fri, mon,wed) with NAME: a book, an item, a playlist or a station; without it goes on with what was heard last. It becomes louder for so many MINUTES (0 to 60, 5), up to PERCENT (30 to 100, 50). What cannot be played is replaced by a tone. Whatever is pressed puts it off for nine minutes (snooze); stop, or a button that is held, ends it, as an hour does."
            )
        case .haptic:
            (
                1...1, "haptic NAME",
                "Plays a pattern on the motor that the configuration names: selection, light, medium, heavy, success or error."
            )
        case .buttons:
            (
                0...33, "buttons [take [GESTURE...]|give]",
                "With take this client gets what the speaker's own buttons do: a gesture is not carried out but a message on the channel buttons, such as play press (see readmessages), until give or until the client goes. Where gestures are named (\"play press\"), these and no others. Alone tells whether a client has them."
            )
        case .counters:
            (
                0...1, "counters [raw]",
                "Tells how the machinery does: underruns, decode time per period, wake-ups, read-ahead, memory. With raw: also what `nightstand profile` asks for."
            )
        case .urlhandlers: (0...0, "urlhandlers", "Tells which kinds of addresses can be added.")
        case .decoders: (0...0, "decoders", "Tells which files can be played.")
        case .stats: (0...0, "stats", "Tells what the library holds, and how long the speaker has been up.")
        case .outputs: (0...0, "outputs", "Tells where the sound goes.")
        case .enableoutput: (1...1, "enableoutput NUMBER", "Lets sound go to that output again.")
        case .disableoutput:
            (
                1...1, "disableoutput NUMBER",
                "Lets go of that output, so that other programs can use its card. Playing pauses."
            )
        case .toggleoutput: (1...1, "toggleoutput NUMBER", "The one or the other.")
        case .outputset: (3...3, "outputset NUMBER NAME VALUE", "Sets an attribute of an output: there are none.")
        case .moveoutput: (1...1, "moveoutput NAME", "Moves an output to this partition: it is there.")
        case .partition: (1...1, "partition NAME", "Chooses a partition: there is default.")
        case .listpartitions: (0...0, "listpartitions", "Lists the partitions: there is one.")
        case .newpartition: (1...1, "newpartition NAME", "Would make a partition: there is one card for one.")
        case .delpartition: (1...1, "delpartition NAME", "Would delete a partition.")
        case .mount: (2...2, "mount PATH URI", "Would mount a storage: none is known.")
        case .unmount: (1...1, "unmount PATH", "Would unmount a storage.")
        case .listmounts: (0...0, "listmounts", "Tells where the library is.")
        case .listneighbors: (0...0, "listneighbors", "Would list storages nearby.")
        case .replayGainStatus: (0...0, "replay_gain_status", "Tells by what recordings are brought to one level.")
        case .replayGainMode:
            (
                1...1, "replay_gain_mode off|track|album|auto",
                "Brings recordings to one level: by the loudness of each, or of its album where it says one."
            )

        case .sticker:
            (
                3...any,
                "sticker get|set|delete|list song FILE [NAME] [VALUE]\nsticker find song FOLDER NAME [=|<|> VALUE]",
                "Notes a value under a name for a song, tells it, forgets it; lists a song's, and songs that have one."
            )

        case .channels: (0...0, "channels", "Lists the channels that clients are subscribed to.")
        case .subscribe:
            (
                1...2, "subscribe ADDRESS [NAME]\nsubscribe CHANNEL",
                "Subscribes to the podcast whose feed is at ADDRESS; with NAME at once, before the feed could be read. Or takes messages that clients send to CHANNEL."
            )
        case .unsubscribe:
            (
                1...1, "unsubscribe ADDRESS|NAME\nunsubscribe CHANNEL",
                "Forgets a podcast. Or takes the messages of CHANNEL no longer."
            )
        case .subscriptions:
            (
                0...0, "subscriptions",
                "Lists the podcasts that are subscribed to, each with its folder, its episodes and what went wrong with it."
            )
        case .refresh:
            (
                0...1, "refresh [ADDRESS|NAME]",
                "Has the feed of that podcast asked for now; those of all without a name."
            )
        case .readmessages: (0...0, "readmessages", "Tells the messages that came.")
        case .sendmessage: (2...2, "sendmessage CHANNEL TEXT", "Sends TEXT to all that are subscribed to CHANNEL.")

        case .backup:
            (0...1, "backup [OFFSET]", "For `nightstand backup`: makes a copy of the library, and gives it in pieces.")
        case .restore:
            (
                0...2, "restore [begin|data BASE64|end]",
                "For `nightstand restore`: takes a copy of the library, looks through it and takes it up."
            )
        case .household:
            (
                0...4, "household [on|off|absent|renumber|awake|sent ...|went ...]",
                "Shares what is remembered with other devices, or no longer; all stays here. Alone tells this speaker's number there, the newest revision, how many changes wait, and what was noted by whoever carries records: with sent REVISION [CURSOR] how far, with went WAIT SKIPPED [PROBLEM] for how many seconds the server asks to be left alone, how many records were skipped and what went wrong (so: through, seconds ago; wait; skipped; problem). Whoever has come for records says so with awake, and is told for how many seconds more somebody may wait for what others change. With absent it names favourites that are not on this speaker. With renumber it is another device."
            )
        case .journal:
            (
                1...2, "journal SINCE [LIMIT]",
                "Tells what the household's devices have changed, as far as it is known here, behind the revision SINCE (0 for all): of each favourite, bookmark, place, speed and subscription the last record as JSON, 500 or LIMIT of them. Fewer: those were all."
            )
        case .merge:
            (
                1...1, "merge RECORD",
                "Takes in a record of another's journal, and tells what came of it: added, older (what is known here is later), same, refused (it is none), later (of the place in what is being heard: to be brought again)."
            )
        case .say:
            (
                1...any, "say WORDS [START:END]",
                "Lists where that is said, ten sentences or those of START:END: hit, file, start in seconds, text. All words must be in the sentence; several in quotes follow each other, lam* is a beginning. After it, sayplay goes to the first."
            )
        case .sayplay: (0...1, "sayplay [HIT]", "Plays from a sentence that say has listed; the first without HIT.")
        case .book:
            (
                0...2, "book [FILE] | book play NAME | book page NUMBER",
                "Tells of the book that is playing (or that FILE is of) how long it is and how far it was heard, and the file's chapters. With play: goes on with the book of that title, or the one that begins so, or of that file or folder, where it was left. With page: plays the current book from that page of the printed one."
            )
        case .books:
            (
                0...2, "books [newest|title|author|series|unfinished|finished] [START:END]",
                "Lists the books, the newest first, each with how far it was heard."
            )
        case .finished:
            (1...2, "finished on|off [FILE]", "The book that is playing (or that FILE is of) is finished, or is not.")
        case .bookmark:
            (
                1...3,
                "bookmark add\nbookmark remove [NUMBER]\nbookmark list [START:END]\nbookmark play NUMBER",
                "Keeps the sentence being spoken, or forgets it or the one of that number; lists those kept, newest first; plays from one."
            )
        case .favourite:
            (
                1...3,
                "favourite add|remove [FILE]\nfavourite list [newest|title|duration|plays] [START:END]\nfavourite export\nfavourite import OBJECT",
                "Keeps the current item (or FILE) as a favourite, or forgets it; lists the favourites, newest first. export and import are for `nightstand favourites`: favourites and bookmarks as JSON."
            )

        case .playlistinfo:
            (0...1, "playlistinfo [POSITION|START:END]", "Lists the queue, or a part of it (END not included).")
        case .playlist: (0...0, "playlist", "Lists the queue, positions and files only.")
        case .playlistid: (0...1, "playlistid [ID]", "Lists the queue, or the entry with that Id.")
        case .playlistfind:
            (1...any, "playlistfind TAG TEXT", "Lists entries of the queue whose tag is exactly that.")
        case .playlistsearch:
            (1...any, "playlistsearch TAG TEXT", "Lists entries of the queue whose tag holds that text.")
        case .plchanges:
            (1...2, "plchanges VERSION [START:END]", "Lists what changed in the queue since VERSION.")
        case .plchangesposid:
            (1...2, "plchangesposid VERSION [START:END]", "The same, positions and Ids only.")
        case .add:
            (
                1...2, "add PATH [POSITION]",
                "Puts a file, or all in a folder, into the queue: at its end, before POSITION, or so many (+N, -N) from the current one."
            )
        case .addid: (1...2, "addid PATH [POSITION]", "The same for one file, and tells the Id that it got.")
        case .delete: (1...1, "delete POSITION|START:END", "Takes entries out of the queue.")
        case .deleteid: (1...1, "deleteid ID", "Takes the entry with that Id out of the queue.")
        case .clear: (0...0, "clear", "Stops and empties the queue.")

        case .move:
            (
                2...2, "move POSITION|START:END TO",
                "Moves entries of the queue: to TO, or so many (+N, -N) from the current one."
            )
        case .moveid: (2...2, "moveid ID TO", "The same for the entry with that Id.")
        case .swap: (2...2, "swap POSITION POSITION", "Exchanges two entries of the queue.")
        case .swapid: (2...2, "swapid ID ID", "The same by their Ids.")
        case .shuffle: (0...1, "shuffle [START:END]", "Brings the queue, or a part of it, into an order of chance.")
        case .prio:
            (
                2...any, "prio PRIORITY POSITION|START:END [...]",
                "Makes entries come sooner (0 to 255) where random is on."
            )
        case .prioid: (2...any, "prioid PRIORITY ID [...]", "The same by their Ids.")
        case .rangeid: (2...2, "rangeid ID START:END", "Refused: a song is played whole.")
        case .addtagid: (3...3, "addtagid ID TAG TEXT", "Refused: tags of files are not changed.")
        case .cleartagid: (1...2, "cleartagid ID [TAG]", "Refused: tags of files are not changed.")

        case .sentence:
            (
                0...1, "sentence [next|previous|repeat|loop|a|b|off]",
                "Goes along the sentences, or repeats one, or what lies between a and b, until off. Alone tells the sentence."
            )
        case .sleep:
            (
                0...1, "sleep [MINUTES|chapter|item|book|off]",
                "Falls silent by itself: after so many minutes, dying away in the last seconds, or with the end of the chapter or the item. The place is kept where it began to. Alone tells the seconds that are left, or with what it ends."
            )
        case .speed:
            (
                0...2, "speed [FACTOR|off] [book]",
                "Tells it, or plays 0.5 to 3 times as fast, or by +0.1 more; this book alone."
            )
        case .silence:
            (
                0...1, "silence [shorter|own]",
                "Keeps a fifth of each silence, or all of it. Alone tells which, and the seconds saved."
            )
        case .random: (1...1, "random 0|1", "Plays the queue in an order of chance.")
        case .repeat: (1...1, "repeat 0|1", "Begins the queue again after its end.")
        case .single:
            (
                1...1, "single 0|1|oneshot",
                "Pauses after each entry, or after this one; with repeat plays the same again."
            )
        case .consume: (1...1, "consume 0|1", "Takes out of the queue what was played.")
        case .kill: (0...0, "kill", "Refused: the service manager ends the speaker.")
        case .crossfade: (1...1, "crossfade SECONDS", "Takes 0 alone: spoken words are not mixed.")
        case .mixrampdb: (1...1, "mixrampdb DECIBELS", "Kept for remotes; no file here says how it would be mixed.")
        case .mixrampdelay: (1...1, "mixrampdelay SECONDS|nan", "Kept for remotes, as mixrampdb is.")

        case .listplaylists:
            (
                0...0, "listplaylists",
                "Lists the playlists: those that the speaker makes itself (Newest, Favourites, ...), then the stored ones."
            )
        case .albumart:
            (2...2, "albumart FILE OFFSET", "Sends a piece of the picture in the file's folder, from OFFSET on.")
        case .readpicture:
            (2...2, "readpicture FILE OFFSET", "Sends a piece of the picture in the file's tags, from OFFSET on.")
        case .listplaylist: (1...1, "listplaylist NAME", "Lists the entries of a playlist, paths only.")
        case .listplaylistinfo: (1...1, "listplaylistinfo NAME", "Lists the entries of a playlist.")
        case .load:
            (
                1...3, "load NAME [START:END] [POSITION]",
                "Puts a playlist, or a part of it, into the queue: at its end, before POSITION, or so many (+N, -N) from the current one."
            )
        case .save: (1...1, "save NAME", "Makes a playlist of the queue.")
        case .rm: (1...1, "rm NAME", "Deletes a playlist.")
        case .rename: (2...2, "rename NAME NEW", "Gives a playlist another name.")
        case .playlistadd:
            (2...3, "playlistadd NAME PATH [POSITION]", "Puts a file, or all in a folder, into a playlist; makes it.")
        case .searchaddpl: (2...any, "searchaddpl NAME TAG TEXT [...]", "Puts what search lists into a playlist.")
        case .playlistclear: (1...1, "playlistclear NAME", "Empties a playlist.")
        case .playlistdelete: (2...2, "playlistdelete NAME POSITION|START:END", "Takes entries out of a playlist.")
        case .playlistmove: (3...3, "playlistmove NAME FROM TO", "Moves an entry of a playlist.")

        case .lsinfo: (0...1, "lsinfo [PATH]", "Lists a folder of the library.")
        case .listall: (0...1, "listall [PATH]", "Lists all files and folders, paths only.")
        case .listallinfo: (0...1, "listallinfo [PATH]", "The same with titles and lengths.")
        case .listfiles: (0...1, "listfiles [PATH]", "Lists the audio files of a folder with their sizes.")
        case .readcomments:
            (
                1...1, "readcomments FILE",
                "Tells what audiobooks have beside MPD's tags: narrator, series, its part, language."
            )
        case .find:
            (
                1...any, "find TAG TEXT [...]",
                "Lists what has exactly that tag: title, artist, album, file or any. Also MPD's (TAG == 'TEXT') filters."
            )
        case .search:
            (
                1...any, "search TAG TEXT [...]",
                "The same for parts of tags, upper or lower case: search any lamp."
            )
        case .findadd: (1...any, "findadd TAG TEXT [...]", "Puts what find lists into the queue.")
        case .searchadd: (1...any, "searchadd TAG TEXT [...]", "Puts what search lists into the queue.")
        case .list: (1...any, "list TAG [FILTER]", "Lists the different titles, artists, albums or files.")
        case .count: (1...any, "count TAG TEXT [...]", "Counts what find would list, and its playing time.")
        case .update: (0...1, "update [PATH]", "Looks for new and changed files.")
        case .rescan: (0...1, "rescan [PATH]", "Does what update does, and reads files again that have not changed.")

        case .forget:
            (
                0...1, "forget [DAYS]",
                "Forgets what is remembered of files that have been gone for DAYS (365), favourites apart."
            )

        case .help: (0...1, "help [COMMAND]", "Lists the commands, or tells more about one.")
        case .idle:
            (
                0...any, "idle [SUBSYSTEM ...]",
                "Waits until something changes (player, mixer, playlist, database, update, output, sticker, ...) and tells what."
            )
        case .noidle: (0...0, "noidle", "Ends idle.")
        case .commands: (0...0, "commands", "Lists the commands, one a line.")
        case .notcommands: (0...0, "notcommands", "Lists the commands that are not allowed here.")
        case .tagtypes:
            (
                0...any, "tagtypes [all|clear|enable TAG ...|disable TAG ...]",
                "Tells or chooses which tags this session is shown."
            )
        case .binarylimit: (1...1, "binarylimit BYTES", "Sets how much of a picture is sent at once.")
        case .config: (0...0, "config", "Tells the library's folder.")
        case .clearerror: (0...0, "clearerror", "Forgets the error that status shows.")
        case .password:
            (1...1, "password PASSWORD", "From now on this session may do what the password opens, and nothing else.")
        case .ping: (0...0, "ping", "Answers OK.")
        case .close: (0...0, "close", "Ends the session.")
        }
    }

    var arguments: ClosedRange<Int> { row.arguments }

    /// What it takes of a turn's work beside what it lists: an action writes to the database.
    var cost: Int {
        switch self {
        case .merge, .play, .playid, .pause, .stop, .next, .previous, .seek, .seekid, .seekcur, .setvol, .volume,
            .favourite,
            .sayplay, .bookmark, .finished, .add, .enableoutput, .disableoutput, .toggleoutput, .sticker, .addid,
            .delete, .deleteid, .clear, .findadd, .searchadd, .update, .rescan, .counters:
            8
        case .replayGainMode, .silence, .sentence, .sleep, .alarm, .menu, .interrupt, .setting, .speed, .move, .moveid,
            .swap,
            .swapid, .shuffle,
            .prio,
            .prioid,
            .random, .repeat, .single,
            .consume, .mixrampdb, .mixrampdelay:
            8
        case .stats: WorkBudget.turn
        default: 0
        }
    }
}
