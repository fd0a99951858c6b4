// SPDX-License-Identifier: Apache-2.0
import Configuration
import Headphones
import Invocation
import Posix

/// `nightstand headphones`: the process that finds, pairs and connects wireless headphones.
enum HeadphonesSubcommand {
    /// Runs until a signal ends it. Returns the exit code.
    static func run(_ invocation: Invocation) -> Int32 {
        invocation.serve("headphones") { configuration, socketPath in
            configuration.bluetooth.isEnabled
                ? run(socketPath: socketPath)
                : "not enabled: set \"enabled = yes\" under [bluetooth] in the configuration"
        }
    }

    /// Runs the keeper of headphones. Returns the reason of a failure.
    private static func run(socketPath: String) -> String {
        do throws(PosixError) {
            let loop = try EventLoop()
            HeadphoneKeeper(loop: loop).start(socketPath: socketPath)
            try loop.run()
            return ""
        } catch { return error.message }
    }
}
