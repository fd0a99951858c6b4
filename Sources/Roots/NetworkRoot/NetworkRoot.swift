// SPDX-License-Identifier: Apache-2.0
import Configuration
import Invocation
import Posix

/// Runs `nightstand fetch`, `household`, `sync`, `bridge` or `headphones`: the commands that use a network. Returns the exit code.
///
/// This module becomes an object file of its own, which shares no Swift code with the speaker's. `nightstand` calls it by its C name.
@_cdecl("ns_network_main")
public func networkMain(
    _ command: UnsafePointer<CChar>, _ words: Int32, _ configPath: UnsafePointer<CChar>?
) -> Int32 {
    let invocation = Invocation(lastWords: words, configPath: configPath)
    let command = String(cString: command)
    switch command {
    case "fetch": return FetchSubcommand.run(invocation)
    case "headphones": return HeadphonesSubcommand.run(invocation)
    case "bridge": return BridgeSubcommand.run(invocation)
    default: return HouseholdSubcommand.run(command, invocation)
    }
}

extension Invocation {
    /// Runs a process that serves one purpose until a signal ends it. Returns the exit code: 2 for wrong usage, else 78, since a new start
    /// would not help.
    /// - Parameter body: gets the path of the speaker's socket, too; returns the reason of a failure.
    func serve(_ name: String, _ body: (Configuration, String) -> String) -> Int32 {
        guard let arguments = Arguments(words, options: [.config, .help, .socket]),
            arguments.has(.help) || arguments.operands.isEmpty
        else { return Usage.misused() }
        if arguments.has(.help) { return Usage.say(Usage.text) }
        let problem: String
        do throws(ConfigurationError) {
            let configuration = try Configuration.load(path: arguments.value(.config) ?? configPath)
            problem = body(configuration, arguments.value(.socket) ?? configuration.console.socketPath)
        } catch { problem = error.message }
        Log.error(name + ": " + problem)
        return ConfigurationError.exitCode
    }
}
