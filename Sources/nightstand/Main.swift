import CPosix
import Configuration
import Console
import Core
import Posix
import ScreenProcess

/// The subcommands of the program; see `usage`.
@main
struct Main {
    static let version = "0.3.0"

    static let usage = """
        usage: nightstand [--config FILE]                  run the speaker
               nightstand play [OPTION...] PATH...         play files, folders or addresses, the terminal being the board
               nightstand decode FILE [-o OUT.wav]         decode a file as fast as it goes
               nightstand console [COMMAND...]             talk to a running speaker, or have it do one thing
               nightstand pause|resume|stop|next|previous|status
               nightstand sleep|volume|speed|seek|say|book [WORDS...]  the same, for short: sleep 20, seek +1:30, book play NAME
               nightstand fetch [OPTION...]                fetch what a speaker plays from a network
               nightstand screen [OPTION...]               show what a speaker plays on a panel, or draw it into a file
               nightstand profile [OPTION...]              measure a running speaker
               nightstand favourites export|import FILE    favourites and bookmarks to and from a file
               nightstand subscribe ADDRESS                to the podcast whose feed is there
               nightstand unsubscribe ADDRESS|NAME
               nightstand subscriptions [export|import FILE]  list them, or exchange them with other programs (OPML)
               nightstand backup FILE                      copy what the speaker remembers into a file
               nightstand restore FILE                     and have it remember that again
               nightstand --help | --version

          -c, --config FILE     read FILE and not /etc/nightstand.conf
        play:
              --lcd COLSxROWS   the character LCD drawn in the terminal (16x2, 20x4, ...)
              --device NAME     the ALSA device
              --state FOLDER    where positions and favourites are kept
              --socket PATH     where the console listens
              --screen          on a panel, too
        decode:
          -o, --output FILE     write a WAV file
              --from MS         begin at this millisecond (0)
              --speed SPEED     from 0.5 to 3, at the recording's own pitch (1)
              --silences WHICH  own, or shorter: a fifth of each (own)
        console, profile, favourites, backup, restore, subscribe, unsubscribe, subscriptions:
          -s, --socket PATH     where the speaker listens (/run/nightstand/socket)
        fetch:
              --cache FOLDER    where it keeps what it has fetched (/var/cache/nightstand)
          -s, --socket PATH     where it listens (/run/nightstand-fetch/socket)
        screen:
              --png FILE        draw into FILE, once
              --size WxH        of the picture (800x480)
              --theme THEME     light or dark
              --panel DEVICE    /dev/dri/card0, /dev/fb1 or a file that stands for a panel of that size
              --state FILE      what there is to show, as the console's screenstate says it
          -s, --socket PATH     draw what the speaker shows that listens there
              --screen NAME     player, library, chapters, playlists, podcasts, favourites, settings, standby, boot, error,
                                empty, loading, menu, sheet, toast or banner (player)
              --comfort WORDS   with commas between: reduced-motion, reduced-transparency, increased-contrast, low-power
              --tree            tell what stands on it, as a voice would, one element a line
              --at PART         how far it is from pause (0) to play (1), or a screen has come up
              --text-size N     percent of the letters' own size (100)
        favourites, backup, restore, subscriptions:
              --state FOLDER    where a speaker that does not run keeps positions and favourites
        profile:
          -n, --seconds N       for how long (60)
          -b, --budget FILE     what the figures may be; exit code 1 where one is over

        """

    static func main() {
        ns_use_one_heap()
        guard var words = try? processArguments() else {
            Log.error("cannot read the command line: is /proc mounted?")
            exit(1)
        }
        // What getopt puts before its complaints.
        if words.isEmpty { words = ["nightstand"] } else { words[0] = "nightstand" }
        exit(run(words))
    }

    /// Returns the exit code: 0, 1 for what went wrong, 2 for what was asked wrongly.
    private static func run(_ words: [String]) -> Int32 {
        guard let arguments = Arguments(words, options: [.config, .help, .version], stopsAtOperand: true) else {
            return misused()
        }
        if arguments.has(.help) { return say(usage) }
        if arguments.has(.version) { return say("nightstand " + version + "\n") }
        let configPath = arguments.value(.config)
        guard let command = arguments.operands.first else { return ServeSubcommand.run(configPath: configPath) }
        let rest = ["nightstand"] + arguments.operands.dropFirst()
        switch command {
        case "help": return say(usage)
        case "play": return play(rest, configPath: configPath)
        case "decode": return decode(rest)
        case "fetch": return fetch(rest, configPath: configPath)
        case "screen": return screen(rest, configPath: configPath)
        case "console", "profile": return ask(rest, configPath: configPath, isProfile: command == "profile")
        case "favourites", "backup", "restore": return keep(command, rest, configPath: configPath)
        case "subscribe", "unsubscribe", "subscriptions": return podcasts(command, rest, configPath: configPath)
        default:
            if let word = ConsoleSubcommand.word(for: command) {
                return ask(rest, configPath: configPath, isProfile: false, commanding: word)
            }
            Log.error(
                "unknown command '\(command)', expected help, play, decode, fetch, screen, console, profile, favourites, subscribe, unsubscribe, subscriptions, backup or restore"
            )
            return misused()
        }
    }

    private static func play(_ words: [String], configPath: String?) -> Int32 {
        guard
            let arguments = Arguments(
                words, options: [.config, .help, .lcd, .device, .state, .socket, .screen, .panel, .size, .theme])
        else {
            return misused()
        }
        if arguments.has(.help) { return say(usage) }
        if arguments.operands.isEmpty {
            Log.error("play: nothing to play, expected files or folders")
            return misused()
        }
        var size: (columns: Int, rows: Int)?
        if let text = arguments.value(.lcd) {
            let parts = text.utf8.split(separator: UInt8(ascii: "x"), omittingEmptySubsequences: false)
                .map { Int(Substring($0)) ?? 0 }
            guard parts.count == 2, (8...40).contains(parts[0]), (1...4).contains(parts[1]) else {
                Log.error("play: bad --lcd '\(text)', expected COLSxROWS such as 16x2 or 20x4")
                return misused()
            }
            size = (parts[0], parts[1])
        }
        var screen: ScreenLauncher.Options?
        if arguments.has(.onPanel) || arguments.has(.panel) {
            screen = ScreenLauncher.Options(
                panel: arguments.value(.panel) ?? "", size: arguments.value(.size) ?? "",
                theme: arguments.value(.theme) ?? "", isSilent: false)
        }
        return PlaySubcommand.run(
            paths: arguments.operands,
            options: PlaySubcommand.Options(
                configPath: arguments.value(.config) ?? configPath, lcdSize: size, device: arguments.value(.device),
                statePath: arguments.value(.state), socketPath: arguments.value(.socket), screen: screen))
    }

    private static func decode(_ words: [String]) -> Int32 {
        guard let arguments = Arguments(words, options: [.output, .from, .speed, .silences, .help]) else {
            return misused()
        }
        if arguments.has(.help) { return say(usage) }
        guard arguments.operands.count == 1 else {
            Log.error("decode: expected one file")
            return misused()
        }
        guard let from = Int(arguments.value(.from) ?? "0"), from >= 0, from <= Int32.max else {
            Log.error("bad --from, expected milliseconds")
            return misused()
        }
        guard let speed = Speed(text: arguments.value(.speed) ?? "1") else {
            Log.error("bad --speed, expected 0.5 to 3")
            return misused()
        }
        let silences = arguments.value(.silences) ?? "own"
        guard silences == "own" || silences == "shorter" else {
            Log.error("bad --silences, expected own or shorter")
            return misused()
        }
        return DecodeSubcommand.run(
            file: arguments.operands[0], from: from, speed: speed, shortensSilences: silences == "shorter",
            output: arguments.value(.output))
    }

    private static func fetch(_ words: [String], configPath: String?) -> Int32 {
        guard let arguments = Arguments(words, options: [.config, .help, .socket, .cache]) else { return misused() }
        if arguments.has(.help) { return say(usage) }
        if !arguments.operands.isEmpty {
            Log.error("fetch: more than was expected")
            return misused()
        }
        return FetchSubcommand.run(
            configPath: arguments.value(.config) ?? configPath, socketPath: arguments.value(.socket),
            cachePath: arguments.value(.cache))
    }

    private static func screen(_ words: [String], configPath: String?) -> Int32 {
        let options: [Arguments.Option] = [
            .config, .help, .png, .size, .theme, .state, .socket, .at, .text, .screen, .comfort, .tree, .panel, .child,
            .terminal,
        ]
        guard let arguments = Arguments(words, options: options) else { return misused() }
        if arguments.has(.help) { return say(usage) }
        if !arguments.operands.isEmpty {
            Log.error("screen: more than was expected")
            return misused()
        }
        var given = ScreenSubcommand.Options()
        given.configPath = arguments.value(.config) ?? configPath
        given.socketPath = arguments.value(.socket)
        given.device = arguments.value(.panel)
        given.size = arguments.value(.size)
        given.theme = arguments.value(.theme)
        given.isChild = arguments.has(.child)
        given.terminal = arguments.value(.terminal)
        given.png = arguments.value(.png)
        given.picture.statePath = arguments.value(.state)
        given.picture.name = arguments.value(.screen)
        given.picture.part = arguments.value(.at)
        given.picture.textSize = arguments.value(.text)
        given.picture.comfort = arguments.value(.comfort)
        given.picture.tellsTree = arguments.has(.tree)
        given.version = version
        let code = ScreenSubcommand.run(given)
        return code == 2 ? misused() : code
    }

    /// What talks to a running speaker.
    /// - Parameter command: the console's, where there is one before the operands already.
    private static func ask(
        _ words: [String], configPath: String?, isProfile: Bool, commanding command: String? = nil
    ) -> Int32 {
        // A command's words may begin with a minus, and one of them is a time back: no option.
        var words = words
        let back = words.firstIndex {
            $0.begins(with: "-") && $0.utf8.dropFirst().first.map { (0x30...0x39).contains($0) } ?? false
        }
        if !isProfile, let back { words.insert("--", at: back) }
        let options: [Arguments.Option] = [.socket, .help, .config, .seconds, .budget]
        guard let arguments = Arguments(words, options: options, stopsAtOperand: !isProfile) else { return misused() }
        if arguments.has(.help) { return say(usage) }
        if isProfile && !arguments.operands.isEmpty || !isProfile && (arguments.has(.seconds) || arguments.has(.budget))
        {
            Log.error("more than was expected")
            return misused()
        }
        var path = arguments.value(.socket) ?? ""
        if path.isEmpty {
            do throws(ConfigurationError) {
                path = try Configuration.load(path: arguments.value(.config) ?? configPath).console.socketPath
            } catch {
                Log.error(error.message)
                return isProfile ? 2 : 1
            }
        }
        if !isProfile {
            let command = (command.map { [$0] } ?? []) + arguments.operands
            return command.isEmpty
                ? ConsoleClient.run(socketPath: path) : ConsoleSubcommand.run(command, socketPath: path)
        }
        let seconds = Int(arguments.value(.seconds) ?? "60") ?? 0
        if !(1...86400).contains(seconds) {
            Log.error("bad --seconds, expected 1 to 86400")
            return misused()
        }
        return ProfileSubcommand.run(socketPath: path, seconds: seconds, budgetPath: arguments.value(.budget))
    }

    /// What reads and writes files of what a speaker keeps, whether it runs or not.
    private static func keep(_ command: String, _ words: [String], configPath: String?) -> Int32 {
        guard let arguments = Arguments(words, options: [.socket, .state, .help, .config]) else { return misused() }
        if arguments.has(.help) { return say(usage) }
        var operands = arguments.operands
        var isIn = command == "restore"
        if command == "favourites" {
            guard operands.count == 2, operands[0] == "export" || operands[0] == "import" else {
                Log.error("favourites: expected export or import, and a file")
                return misused()
            }
            isIn = operands.removeFirst() == "import"
        }
        guard operands.count == 1 else {
            Log.error(command + ": expected one file")
            return misused()
        }
        do throws(ConfigurationError) {
            let configuration = try Configuration.load(path: arguments.value(.config) ?? configPath)
            let socketPath = arguments.value(.socket) ?? configuration.console.socketPath
            let statePath = arguments.value(.state) ?? configuration.statePath
            return command == "favourites"
                ? FavouritesSubcommand.run(
                    isExport: !isIn, file: operands[0], socketPath: socketPath, statePath: statePath)
                : BackupSubcommand.run(
                    isRestore: isIn, file: operands[0], socketPath: socketPath, statePath: statePath)
        } catch {
            Log.error(error.message)
            return 1
        }
    }

    private static func podcasts(_ command: String, _ words: [String], configPath: String?) -> Int32 {
        guard let arguments = Arguments(words, options: [.socket, .state, .help, .config]) else { return misused() }
        if arguments.has(.help) { return say(usage) }
        let operands = arguments.operands
        let isList = command == "subscriptions"
        let isExchange = isList && operands.count == 2 && (operands[0] == "export" || operands[0] == "import")
        guard isList ? operands.isEmpty || isExchange : operands.count == 1 else {
            Log.error(
                command + (isList ? ": expected nothing, or export or import and a file" : ": expected one address"))
            return misused()
        }
        do throws(ConfigurationError) {
            let configuration = try Configuration.load(path: arguments.value(.config) ?? configPath)
            let socketPath = arguments.value(.socket) ?? configuration.console.socketPath
            let statePath = arguments.value(.state) ?? configuration.statePath
            if command == "subscribe" { return PodcastsSubcommand.subscribe(operands[0], socketPath: socketPath) }
            if command == "unsubscribe" { return PodcastsSubcommand.unsubscribe(operands[0], socketPath: socketPath) }
            if !isExchange { return PodcastsSubcommand.list(socketPath: socketPath, statePath: statePath) }
            return operands[0] == "export"
                ? PodcastsSubcommand.export(operands[1], socketPath: socketPath, statePath: statePath)
                : PodcastsSubcommand.take(operands[1], socketPath: socketPath, statePath: statePath)
        } catch {
            Log.error(error.message)
            return 1
        }
    }

    private static func misused() -> Int32 {
        Log.error("try 'nightstand --help'")
        return 2
    }

    private static func say(_ text: String) -> Int32 {
        var text = text
        text.withUTF8 { bytes in _ = write(1, bytes.baseAddress, bytes.count) }
        return 0
    }
}
