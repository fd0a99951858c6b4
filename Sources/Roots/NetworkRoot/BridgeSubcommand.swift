// SPDX-License-Identifier: Apache-2.0
import Bridge
import CPosix
import Configuration
import Invocation
import Mosquitto
import Posix

/// `nightstand bridge`: the process that joins the speaker to an MQTT broker, for Home Assistant.
enum BridgeSubcommand {
    private static let mostCredentialsBytes = 4096

    /// Runs until a signal ends it: then the broker publishes the will. Returns the exit code for what a new start would not mend.
    static func run(_ invocation: Invocation) -> Int32 {
        guard let arguments = Arguments(invocation.words, options: [.config, .help, .socket]) else {
            return Usage.misused()
        }
        if arguments.has(.help) { return Usage.say(Usage.text) }
        if !arguments.operands.isEmpty {
            Log.error("bridge: more than was expected")
            return Usage.misused()
        }
        do throws(ConfigurationError) {
            let configuration = try Configuration.load(path: arguments.value(.config) ?? invocation.configPath)
            let settings = configuration.bridge
            if settings.host.isEmpty {
                Log.error("bridge: not enabled: name the broker under [bridge] in the configuration")
                return ConfigurationError.exitCode
            }
            do throws(PosixError) {
                let loop = try EventLoop()
                let broker = BrokerConnection.Broker(
                    host: settings.host, port: settings.port, usesTLS: settings.usesTLS,
                    authorityPath: settings.authorityPath, account: try account(settings.credentialsPath))
                do throws(BrokerConnection.Failure) {
                    let bridge = try Bridge(
                        HomeAssistant(host: hostName, version: Invocation.version), broker,
                        socketPath: arguments.value(.socket) ?? configuration.console.socketPath, loop: loop)
                    bridge.start()
                    do throws(PosixError) { try loop.run() } catch { Log.error("bridge: " + error.message) }
                    return 1
                } catch { Log.error("bridge: " + error.message) }
            } catch { Log.error("bridge: " + error.message) }
        } catch { Log.error(error.message) }
        return ConfigurationError.exitCode
    }

    /// Reads USER:PASSWORD from a file's first line.
    private static func account(_ path: String) throws(PosixError) -> (user: String, password: String)? {
        if path.isEmpty { return nil }
        let bytes = try Files.readSecret(path, limit: mostCredentialsBytes)
        let line = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0, !line.contains(0) else {
            throw PosixError(code: EINVAL, operation: "read \(path)", explanation: "expected USER:PASSWORD")
        }
        return (String(decoding: line[..<colon], as: UTF8.self), String(decoding: line[(colon + 1)...], as: UTF8.self))
    }

    private static var hostName: String {
        var name = [UInt8](repeating: 0, count: 65)
        let isKnown = name.withUnsafeMutableBytes { bytes in
            gethostname(bytes.bindMemory(to: CChar.self).baseAddress!, bytes.count - 1) == 0
        }
        return isKnown ? String(decoding: name.prefix { $0 != 0 }, as: UTF8.self) : "speaker"
    }
}
