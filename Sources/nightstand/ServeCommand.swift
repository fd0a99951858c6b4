import Configuration
import Display
import Playback
import Posix

/// `nightstand [--config FILE]`: the speaker.
enum ServeCommand {
    /// sysexits.h's EX_CONFIG: to start again would not help until the configuration is mended.
    static let badConfiguration: Int32 = 78

    /// Returns the exit code after SIGTERM, SIGINT or SIGHUP.
    static func run(configPath: String?) -> Int32 {
        let configuration: Configuration
        do throws(ConfigurationError) { configuration = try Configuration.load(path: configPath) } catch {
            Log.error(error.message)
            return badConfiguration
        }
        do throws(PlaybackError) {
            let signals: SignalDescriptor
            do throws(PosixError) { signals = try SignalDescriptor(SignalDescriptor.ending) } catch {
                throw .file(error)
            }
            let appliance = try Appliance(
                configuration: configuration, source: .library, silentDevice: nil, warn: Log.warning)
            if !configuration.audio.mixer.isEmpty {
                appliance.mixer = VolumeControl(
                    device: configuration.audio.device, element: configuration.audio.mixer, warn: Log.warning)
            }
            var screens: [any Screen] = []
            if !configuration.lcd.device.isEmpty {
                screens.append(
                    CharacterDisplay(
                        columns: configuration.lcd.width, rows: configuration.lcd.height,
                        rom: configuration.lcd.rom == .a00 ? .a00 : .a02,
                        surface: CharlcdDevice(path: configuration.lcd.device)))
            }
            let board = Board(appliance: appliance, screens: screens)
            try appliance.start()
            board.openConsoles()
            board.openButtons()
            board.ready()
            do throws(PosixError) {
                try appliance.loop.add(signals.number, .readable) { _ in appliance.loop.stop() }
                try appliance.loop.run()
            } catch { throw .file(error) }
            board.stopping()
            appliance.shutDown()
            board.close()
            return 0
        } catch {
            Log.error(error.message)
            return 1
        }
    }
}
