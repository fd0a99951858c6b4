// SPDX-License-Identifier: Apache-2.0
import Configuration
import Invocation
import Playback
import Posix
import Scanning
import Speaker

/// `nightstand [--config FILE]`: the speaker; `nightstand check`: the messages about its configuration.
enum ServeSubcommand {
    /// Reports all mistakes of a configuration, in its order. Returns the exit code: 0, or 78 for a mistake.
    static func check(configPath: String?) -> Int32 {
        do throws(ConfigurationError) {
            let configuration = try Configuration.load(path: configPath)
            for warning in configuration.warnings { Log.warning(warning.message) }
            for mistake in configuration.mistakes { Log.error(mistake.message) }
            if !configuration.mistakes.isEmpty { return ConfigurationError.exitCode }
            return Usage.say((configPath ?? Configuration.defaultPath) + ": no mistakes\n")
        } catch {
            Log.error(error.message)
            return ConfigurationError.exitCode
        }
    }

    /// Returns the exit code after SIGTERM, SIGINT or SIGHUP.
    /// - Parameter isStrict: true to end with 78 if the configuration has a mistake.
    static func run(configPath: String?, isStrict: Bool) -> Int32 {
        let configuration: Configuration
        do throws(ConfigurationError) { configuration = try Configuration.load(path: configPath) } catch {
            Log.error(error.message)
            return ConfigurationError.exitCode
        }
        for warning in configuration.warnings { Log.warning(warning.message) }
        for mistake in configuration.mistakes { Log.error(mistake.message) }
        if isStrict && !configuration.mistakes.isEmpty { return ConfigurationError.exitCode }
        do throws(PlaybackError) {
            let signals: SignalDescriptor
            do throws(PosixError) { signals = try SignalDescriptor(SignalDescriptor.ending) } catch {
                throw .file(error)
            }
            let assembly = try Assembly(
                configuration: configuration, source: .library(folder: configuration.libraryPath),
                signals: signals.number, configPath: configPath, warn: Log.warning)
            try assembly.start()
            assembly.ready()
            if let mistake = configuration.mistakes.first { assembly.speaker.tell(mistake.message) }
            do throws(PosixError) {
                try assembly.loop.add(signals.number, .readable) { _ in assembly.loop.stop() }
                try assembly.loop.run()
            } catch { throw .file(error) }
            assembly.shutDown()
            return 0
        } catch {
            Log.error(error.message)
            return 1
        }
    }
}
