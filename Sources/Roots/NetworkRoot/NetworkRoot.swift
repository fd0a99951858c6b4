// SPDX-License-Identifier: Apache-2.0
import Invocation
import Posix

/// Runs `nightstand fetch`, `household`, `sync`, `bridge` or `headphones`: the commands that speak to a network. Returns the exit code.
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
