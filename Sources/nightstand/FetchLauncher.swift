// SPDX-License-Identifier: Apache-2.0
import CPosix
import Configuration
import Posix

/// Starts the fetching process without a service manager: for `nightstand play`, and a speaker run by hand. Control thread.
enum FetchLauncher {
    /// Starts the process. Returns the reason of a failure; nil for success.
    static func launch(_ network: Configuration.Network, configPath: String?) -> String? {
        var words = ["nightstand"]
        if let configPath { words += ["--config", configPath] }
        words += ["fetch", "--socket", network.socketPath, "--cache", network.cachePath]
        let code = words.withCStrings { ns_launch("/proc/self/exe", $0, -1, false) }
        return code == 0 ? nil : "the fetching process cannot be started: " + String(cString: strerror(code))
    }
}
