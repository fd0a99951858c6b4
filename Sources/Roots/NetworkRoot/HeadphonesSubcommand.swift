// SPDX-License-Identifier: Apache-2.0
import Configuration
import Headphones
import Invocation
import Posix

/// `nightstand headphones`: the process that finds, pairs and connects headphones without a wire.
enum HeadphonesSubcommand {
    /// Runs until a signal ends it. Returns the exit code: 2 for words that are not expected, else 78, since a new start would not help.
    static func run(_ invocation: Invocation) -> Int32 {
        guard let arguments = Arguments(invocation.words, options: [.config, .help, .socket]),
            arguments.has(.help) || arguments.operands.isEmpty
        else { return Usage.misused() }
        if arguments.has(.help) { return Usage.say(Usage.text) }
        var problem = "not enabled: set \"enabled = yes\" under [bluetooth] in the configuration"
        do throws(ConfigurationError) {
            let configuration = try Configuration.load(path: arguments.value(.config) ?? invocation.configPath)
            if configuration.bluetooth.isEnabled {
                problem = run(socketPath: arguments.value(.socket) ?? configuration.console.socketPath)
            }
        } catch { problem = error.message }
        Log.error("headphones: " + problem)
        return ConfigurationError.exitCode
    }

    /// Returns why it cannot.
    private static func run(socketPath: String) -> String {
        do throws(PosixError) {
            let loop = try EventLoop()
            HeadphoneKeeper(loop: loop).start(socketPath: socketPath)
            try loop.run()
            return ""
        } catch { return error.message }
    }
}
