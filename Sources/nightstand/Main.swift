// SPDX-License-Identifier: Apache-2.0
import CPosix
import Invocation
import Posix
import Subcommands
import Text

/// Runs `nightstand screen` with the last `words` words of the command line; see `ScreenRoot`.
@_extern(c, "ns_screen_main")
private func screenMain(_ words: Int32, _ configPath: UnsafePointer<CChar>?) -> Int32

/// Runs `nightstand fetch`, `household`, `sync` or `bridge`; see `NetworkRoot`.
@_extern(c, "ns_network_main")
private func networkMain(
    _ command: UnsafePointer<CChar>, _ words: Int32, _ configPath: UnsafePointer<CChar>?
) -> Int32

/// The subcommands of the program; see `Usage`.
@main
struct Main {
    static func main() {
        ns_use_one_heap()
        Translation.prepare()
        guard var words = try? processArguments() else {
            Log.error("cannot read the command line: is /proc mounted?")
            exit(1)
        }
        // The prefix of getopt's messages.
        if words.isEmpty { words = ["nightstand"] } else { words[0] = "nightstand" }
        exit(run(words))
    }

    /// Returns the exit code: 0, 1 for a failure, 2 for wrong usage.
    private static func run(_ words: [String]) -> Int32 {
        guard let arguments = Arguments(words, options: [.config, .help, .version, .strict], stopsAtOperand: true)
        else {
            return Usage.misused()
        }
        if arguments.has(.help) { return Usage.say(Usage.text) }
        if arguments.has(.version) { return Usage.say("nightstand " + Invocation.version + "\n") }
        let configPath = arguments.value(.config)
        guard let command = arguments.operands.first else {
            return ServeSubcommand.run(configPath: configPath, isStrict: arguments.has(.strict))
        }
        let rest = ["nightstand"] + arguments.operands.dropFirst()
        switch command {
        case "help": return Usage.say(Usage.text)
        case "check":
            guard let arguments = Arguments(rest, options: [.config, .help]), arguments.operands.isEmpty else {
                return Usage.misused()
            }
            if arguments.has(.help) { return Usage.say(Usage.text) }
            return ServeSubcommand.check(configPath: arguments.value(.config) ?? configPath)
        case "play": return play(rest, configPath: configPath)
        case "decode": return DecodeSubcommand.run(rest)
        case "align": return AlignSubcommand.run(rest)
        case "report": return ReportSubcommand.run(rest, configPath: configPath)
        case "words": return WordsSubcommand.run(rest, configPath: configPath)
        case "update": return update(rest)
        case "screen": return screenMain(Int32(rest.count - 1), configPath)
        case "fetch", "household", "sync", "bridge", "headphones":
            return networkMain(command, Int32(rest.count - 1), configPath)
        case "console", "profile":
            return ConsoleSubcommand.run(rest, configPath: configPath, isProfile: command == "profile")
        case "favourites", "backup", "restore": return BackupSubcommand.run(command, rest, configPath: configPath)
        case "subscribe", "unsubscribe", "subscriptions":
            return PodcastsSubcommand.run(command, rest, configPath: configPath)
        default:
            if let word = ConsoleSubcommand.word(for: command) {
                return ConsoleSubcommand.run(
                    rest, configPath: configPath, isProfile: false, commanding: word, named: command)
            }
            Log.error(
                "unknown command '\(command)', expected help, check, play, decode, align, words, report, update, fetch, screen, console, profile, favourites, subscribe, unsubscribe, subscriptions, household, sync, bridge, backup or restore"
            )
            return Usage.misused()
        }
    }

    /// Executes the program that updates a card. Only a card image has it.
    private static func update(_ words: [String]) -> Int32 {
        let program = "/usr/lib/nightstand/update"
        ([program] + words.dropFirst()).withCStrings { _ = execv(program, $0) }
        Log.error(
            "update: this speaker does not run from a card image; update it as its system: apt update && apt upgrade")
        return 1
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
}
