// SPDX-License-Identifier: Apache-2.0
import CPosix
import Configuration
import Posix

/// Starts the fetching process where no service manager does: for `nightstand play`, and a speaker run by hand. Control thread.
enum FetchLauncher {
    /// Why it cannot be started; nil where it was.
    static func launch(_ network: Configuration.Network, configPath: String?) -> String? {
        var words = ["nightstand"]
        if let configPath { words += ["--config", configPath] }
        words += ["fetch", "--socket", network.socketPath, "--cache", network.cachePath]
        let code = words.withCStrings { ns_launch("/proc/self/exe", $0, -1, false) }
        return code == 0 ? nil : "the fetching process cannot be started: " + String(cString: strerror(code))
    }
}
