import Configuration
import Playback
import Posix
import Scanning

/// `nightstand [--config FILE]`: the speaker.
enum ServeSubcommand {
    /// Returns the exit code after SIGTERM, SIGINT or SIGHUP.
    static func run(configPath: String?) -> Int32 {
        let configuration: Configuration
        do throws(ConfigurationError) { configuration = try Configuration.load(path: configPath) } catch {
            Log.error(error.message)
            return ConfigurationError.exitCode
        }
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
