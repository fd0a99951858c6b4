import CPosix
import Configuration
import Panel
import Pixels
import Posix
import Typography

extension ScreenSubcommand {
    struct RunOptions {
        var configPath: String?
        /// Another than the configuration's; nil for that.
        var socketPath: String?
        var device: String?
        /// Of a file that stands for a panel.
        var size: (width: Int, height: Int)
        /// Nil for the configuration's.
        var theme: Configuration.Screen.Theme?
        /// Started by a speaker on a maker's desk, or by tests: enabled by that, and ends with it.
        var isChild: Bool
    }

    /// Shows what the speaker plays until it is asked to end. Returns the exit code.
    static func run(_ options: RunOptions) -> Int32 {
        var configuration: Configuration
        do throws(ConfigurationError) { configuration = try Configuration.load(path: options.configPath) } catch {
            Log.error(error.message)
            return ServeSubcommand.badConfiguration
        }
        if !configuration.screen.isEnabled && !options.isChild && options.device == nil {
            Log.error("screen: not enabled: set enabled = yes under [screen] in the configuration")
            return ServeSubcommand.badConfiguration
        }
        let families: [FontFamily]
        do throws(ConfigurationError) { families = try ScreenFonts.families(configuration.screen.fontsPath) } catch {
            Log.error(error.message)
            return ServeSubcommand.badConfiguration
        }
        if options.isChild { ns_die_with_parent() }
        if let device = options.device { configuration.screen.device = device }
        if let theme = options.theme { configuration.screen.theme = theme }
        let socketPath = options.socketPath ?? configuration.console.socketPath
        if socketPath.isEmpty {
            Log.error("screen: the speaker has no socket: set one under [console], or name its --socket")
            return ServeSubcommand.badConfiguration
        }
        do throws(PosixError) {
            let signals = try SignalDescriptor(SignalDescriptor.ending)
            let loop = try EventLoop()
            try loop.add(signals.number, .readable) { _ in loop.stop() }
            let run = try ScreenRun(
                configuration.screen, families: families, fileSize: options.size, socketPath: socketPath,
                hasHaptics: configuration.haptics.isThere, loop: loop)
            run.start()
            try loop.run()
            run.stop()
            return 0
        } catch {
            Log.error("screen: " + error.message)
            return 1
        }
    }

    /// Takes the text console away from whatever is drawn on /dev/fb*, or gives it back: what may be done by root alone, and before and after
    /// a process that is not.
    static func console(_ word: String) -> Int32 {
        switch word {
        case "take": TextConsole.take()
        case "give": TextConsole.giveBack()
        default:
            Log.error("screen: bad --terminal '\(word)', expected take or give")
            return 2
        }
        return 0
    }
}
