import CPosix
import Posix
import ScreenProcess
import Subcommands
import Text

/// The subcommands of the program; see `Usage`.
@main
struct Main {
    static let version = "0.3.0"

    static func main() {
        ns_use_one_heap()
        Translation.prepare()
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
            return Usage.misused()
        }
        if arguments.has(.help) { return Usage.say(Usage.text) }
        if arguments.has(.version) { return Usage.say("nightstand " + version + "\n") }
        let configPath = arguments.value(.config)
        guard let command = arguments.operands.first else { return ServeSubcommand.run(configPath: configPath) }
        let rest = ["nightstand"] + arguments.operands.dropFirst()
        switch command {
        case "help": return Usage.say(Usage.text)
        case "play": return play(rest, configPath: configPath)
        case "decode": return DecodeSubcommand.run(rest)
        case "fetch": return fetch(rest, configPath: configPath)
        case "screen": return screen(rest, configPath: configPath)
        case "console", "profile":
            return ConsoleSubcommand.run(rest, configPath: configPath, isProfile: command == "profile")
        case "favourites", "backup", "restore": return BackupSubcommand.run(command, rest, configPath: configPath)
        case "subscribe", "unsubscribe", "subscriptions":
            return PodcastsSubcommand.run(command, rest, configPath: configPath)
        case "household", "sync":
            return HouseholdSubcommand.run(command, rest, configPath: configPath, version: version)
        default:
            if let word = ConsoleSubcommand.word(for: command) {
                return ConsoleSubcommand.run(rest, configPath: configPath, isProfile: false, commanding: word)
            }
            Log.error(
                "unknown command '\(command)', expected help, play, decode, fetch, screen, console, profile, favourites, subscribe, unsubscribe, subscriptions, household, sync, backup or restore"
            )
            return Usage.misused()
        }
    }

    private static func play(_ words: [String], configPath: String?) -> Int32 {
        guard
            let arguments = Arguments(
                words, options: [.config, .help, .lcd, .device, .state, .socket, .screen, .panel, .size, .theme])
        else {
            return Usage.misused()
        }
        if arguments.has(.help) { return Usage.say(Usage.text) }
        if arguments.operands.isEmpty {
            Log.error("play: nothing to play, expected files or folders")
            return Usage.misused()
        }
        var size: (columns: Int, rows: Int)?
        if let text = arguments.value(.lcd) {
            let parts = text.utf8.split(separator: UInt8(ascii: "x"), omittingEmptySubsequences: false)
                .map { Int(Substring($0)) ?? 0 }
            guard parts.count == 2, (8...40).contains(parts[0]), (1...4).contains(parts[1]) else {
                Log.error("play: bad --lcd '\(text)', expected COLSxROWS such as 16x2 or 20x4")
                return Usage.misused()
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

    private static func fetch(_ words: [String], configPath: String?) -> Int32 {
        guard let arguments = Arguments(words, options: [.config, .help, .socket, .cache]) else {
            return Usage.misused()
        }
        if arguments.has(.help) { return Usage.say(Usage.text) }
        if !arguments.operands.isEmpty {
            Log.error("fetch: more than was expected")
            return Usage.misused()
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
        guard let arguments = Arguments(words, options: options) else { return Usage.misused() }
        if arguments.has(.help) { return Usage.say(Usage.text) }
        if !arguments.operands.isEmpty {
            Log.error("screen: more than was expected")
            return Usage.misused()
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
        return code == 2 ? Usage.misused() : code
    }
}
