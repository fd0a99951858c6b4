// SPDX-License-Identifier: Apache-2.0
import CPosix
import Configuration
import Console
import Core
import Invocation
import Posix
import Wire

/// `nightstand console COMMAND…`: sends one command to a running speaker, and prints the answer.
public enum ConsoleSubcommand {
    /// Returns the console's command of a subcommand; nil if it is none.
    public static func word(for subcommand: String) -> String? {
        switch subcommand {
        case "pause", "stop", "next", "previous", "status", "sleep", "speed", "say", "book", "announce", "interrupt":
            subcommand
        case "resume": "play"
        case "volume": "setvol"
        case "seek": "seekcur"
        default: nil
        }
    }

    /// Runs a subcommand that talks to a running speaker.
    /// - Parameters:
    ///   - command: the console's command, if it comes before the operands.
    ///   - name: the typed name of the subcommand.
    public static func run(
        _ words: [String], configPath: String?, isProfile: Bool, commanding command: String? = nil,
        named name: String? = nil
    ) -> Int32 {
        // A word of a command may begin with a minus, such as a time to go back: it is no option.
        var words = words
        let back = words.firstIndex {
            $0.begins(with: "-") && $0.utf8.dropFirst().first.map { (0x30...0x39).contains($0) } ?? false
        }
        if !isProfile, let back { words.insert("--", at: back) }
        let options: [Arguments.Option] = [.socket, .help, .config, .seconds, .budget, .exercise]
        guard let arguments = Arguments(words, options: options, stopsAtOperand: !isProfile && command == nil) else {
            return Usage.misused()
        }
        if arguments.has(.help) { return Usage.say(Usage.text) }
        if isProfile && !arguments.operands.isEmpty
            || !isProfile && (arguments.has(.seconds) || arguments.has(.budget) || arguments.has(.exercise))
        {
            Log.error("more than was expected")
            return Usage.misused()
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
                ? ConsoleClient.run(socketPath: path, greeting: "nightstand " + Invocation.version)
                : self.command(command, named: name ?? command[0], socketPath: path)
        }
        let seconds = Int(arguments.value(.seconds) ?? "60") ?? 0
        if !(1...86400).contains(seconds) {
            Log.error("bad --seconds, expected 1 to 86400")
            return Usage.misused()
        }
        return ProfileSubcommand.run(
            socketPath: path, seconds: seconds, budgetPath: arguments.value(.budget),
            exercises: arguments.has(.exercise))
    }

    /// Returns the exit code: 0, or 1 with a message on standard error if the speaker refuses the command or does not run.
    /// - Parameter name: the typed name of the subcommand.
    private static func command(_ words: [String], named name: String, socketPath: String) -> Int32 {
        do throws(SpeakerConnection.Failure) {
            let line = words[0] + words.dropFirst().map { " " + $0.quotedArgument }.joined()
            return Usage.say(try SpeakerConnection(socketPath: socketPath).ask(line).lines)
        } catch {
            if case .nobody = error { Log.error(error.message) } else { Log.error(name + ": " + error.message) }
            return 1
        }
    }
}
