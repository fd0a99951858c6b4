// SPDX-License-Identifier: Apache-2.0
import CPosix
import Configuration
import Fetching
import Invocation
import Posix

/// `nightstand fetch`: the process with the network, without sound and database.
enum FetchSubcommand {
    /// Returns the exit code: 0 after a while without a speaker's request, 2 for wrong usage.
    static func run(_ invocation: Invocation) -> Int32 {
        guard let arguments = Arguments(invocation.words, options: [.config, .help, .socket, .cache]) else {
            return Usage.misused()
        }
        if arguments.has(.help) { return Usage.say(Usage.text) }
        if !arguments.operands.isEmpty {
            Log.error("fetch: more than was expected")
            return Usage.misused()
        }
        let socketPath = arguments.value(.socket)
        let cachePath = arguments.value(.cache)
        do throws(ConfigurationError) {
            let network = try Configuration.load(
                path: arguments.value(.config) ?? invocation.configPath
            ).network
            if !network.isEnabled && cachePath == nil {
                Log.error("fetch: not enabled: set enabled = yes under [network] in the configuration")
                return ConfigurationError.exitCode
            }
            do throws(PosixError) {
                let signals = try SignalDescriptor(SignalDescriptor.ending)
                let listener: FileDescriptor
                if let inherited = InheritedSockets.take().first {
                    listener = FileDescriptor(owning: inherited)
                } else {
                    // If a speaker or a person started it, it ends with that process.
                    ns_die_with_parent()
                    listener = try UnixSocket.listen(socketPath ?? network.socketPath, .packets)
                }
                var settings = FetchServer.Settings(
                    cachePath: cachePath ?? network.cachePath, cacheBytes: Int64(network.cacheMegabytes) << 20)
                settings.stationBytes = Int64(network.stationKilobytes) << 10
                settings.credentialsPath = network.credentialsPath
                settings.allowsLocal = network.allowsLocal
                settings.quality =
                    switch network.quality {
                    case .auto: .auto
                    case .low: .low
                    case .high: .high
                    case .kilobits(let most): .kilobits(most)
                    }
                settings.userAgent = "Nightstand/" + Invocation.version
                let server = try FetchServer(settings, listener: listener)
                if let folder = runtimeFolder { FetchServer.lookForDeath(folder: folder) }
                server.run(signals: signals.number)
                return 0
            } catch {
                Log.error("fetch: " + error.message)
                return 1
            }
        } catch {
            Log.error(error.message)
            return ConfigurationError.exitCode
        }
    }
}
