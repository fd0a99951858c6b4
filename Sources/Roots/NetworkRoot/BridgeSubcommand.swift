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

    /// Runs until a signal ends it: then the broker publishes the will. Returns the exit code.
    static func run(_ invocation: Invocation) -> Int32 {
        invocation.serve("bridge") { configuration, socketPath in
            configuration.bridge.host.isEmpty
                ? "not enabled: name the broker under [bridge] in the configuration"
                : run(configuration.bridge, socketPath: socketPath)
        }
    }

    /// Runs the bridge. Returns the reason of a failure.
    private static func run(_ settings: Configuration.Bridge, socketPath: String) -> String {
        do throws(PosixError) {
            let loop = try EventLoop()
            let account = try account(settings.credentialsPath)
            do throws(BrokerConnection.Failure) {
                let bridge = try Bridge(
                    HomeAssistant(host: HostName.current, version: Invocation.version), account: account,
                    authority: settings.usesTLS ? settings.authorityPath : nil, loop: loop)
                bridge.start(socketPath: socketPath, host: settings.host, port: settings.port)
            } catch { return error.message }
            try loop.run()
            return ""
        } catch { return error.message }
    }

    /// Reads USER:PASSWORD from a file's first line.
    private static func account(_ path: String) throws(PosixError) -> (user: String, password: String)? {
        if path.isEmpty { return nil }
        let bytes = try Files.readSecret(path, limit: mostCredentialsBytes)
        let line = bytes.prefix { $0 >= 0x20 }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
            throw PosixError(code: EINVAL, operation: "read \(path)", explanation: "expected USER:PASSWORD")
        }
        return (String(decoding: line[..<colon], as: UTF8.self), String(decoding: line[(colon + 1)...], as: UTF8.self))
    }
}
