import CPosix
import Configuration
import Console
import Core
import Display
import Playback
import Posix

/// `nightstand play PATH…`: the speaker with the terminal as its board. The LCD is drawn there and keys are the buttons; where
/// standard output is no terminal, what plays is told line by line, and the program ends with what it was given to play.
enum PlayCommand {
    struct Options {
        /// Nil for no configuration file at all.
        var configPath: String?
        var lcdSize: (columns: Int, rows: Int)?
        var device: String?
        var statePath: String?
        var socketPath: String?
    }

    private static let help = [
        "space play/pause   \u{2190} \u{2192} 10 s   n p next/previous", "f favourite   + - volume   q quit",
    ]

    /// Returns the exit code.
    static func run(paths: [String], options: Options) -> Int32 {
        do throws(PlaybackError) {
            let configuration: Configuration
            do throws(ConfigurationError) { configuration = try self.configuration(options) } catch {
                Log.error(error.message)
                return 1
            }
            var existing: [String] = []
            for path in paths {
                do throws(PosixError) {
                    _ = try FileStatus(path: path)
                    existing.append(absolute(path))
                } catch {
                    Log.error("\(path): \(error.reason)")
                }
            }
            if existing.isEmpty { return 1 }
            return try play(existing, configuration, isPartial: existing.count < paths.count)
        } catch {
            TerminalMode.leave()
            Log.error(error.message)
            return 1
        }
    }

    private static func play(
        _ paths: [String], _ configuration: Configuration, isPartial: Bool
    ) throws(PlaybackError) -> Int32 {
        let signals: SignalDescriptor
        do throws(PosixError) { signals = try SignalDescriptor(SignalDescriptor.ending) } catch { throw .file(error) }
        let terminalSignals: SignalDescriptor
        do throws(PosixError) { terminalSignals = try SignalDescriptor(SignalDescriptor.terminal) } catch {
            throw .file(error)
        }
        let isTerminal = TerminalMode.canDraw(on: 1)
        let terminal =
            isTerminal
            ? TerminalLCD(
                columns: configuration.lcd.width, rows: configuration.lcd.height,
                rom: configuration.lcd.rom == .a00 ? .a00 : .a02, help: help) : nil
        let warn: (String) -> Void = { message in
            if let terminal { terminal.log(message) } else { Log.notice(message) }
        }
        let lines = isTerminal ? nil : LineLog()
        var screens: [any Screen] = []
        if let terminal {
            screens.append(
                CharacterDisplay(
                    columns: configuration.lcd.width, rows: configuration.lcd.height,
                    rom: configuration.lcd.rom == .a00 ? .a00 : .a02, surface: terminal))
        } else {
            if let lines { screens.append(lines) }
        }
        if !configuration.lcd.device.isEmpty {
            screens.append(
                CharacterDisplay(
                    columns: configuration.lcd.width, rows: configuration.lcd.height,
                    rom: configuration.lcd.rom == .a00 ? .a00 : .a02,
                    surface: CharlcdDevice(path: configuration.lcd.device)))
        }
        terminal?.enter()
        defer { terminal?.leave() }
        let appliance = try Appliance(
            configuration: configuration, source: .paths(paths), silentDevice: "null", warn: warn)
        if !configuration.audio.mixer.isEmpty {
            appliance.mixer = VolumeControl(
                device: configuration.audio.device, element: configuration.audio.mixer, warn: warn)
        }
        let board = Board(appliance: appliance, screens: screens)
        var played = false
        if !isTerminal {
            appliance.didEnd = {
                played = appliance.itemTrouble == nil && !appliance.queue.isEmpty
                if appliance.queue.isEmpty { Log.error("nothing to play found") }
                appliance.loop.stop()
            }
        }
        try appliance.start()
        board.openConsoles()
        board.openButtons()
        do throws(PosixError) {
            try appliance.loop.add(signals.number, .readable) { _ in
                played = true
                appliance.loop.stop()
            }
            if let terminal {
                try listen(to: terminal, appliance)
                let number = terminalSignals.number
                try appliance.loop.add(number, .readable) { _ in
                    SignalDescriptor.drain(number)
                    terminal.redraw()
                }
                played = true
            }
            try appliance.loop.run()
        } catch { throw .file(error) }
        appliance.shutDown()
        board.close()
        lines?.close()
        return played && !isPartial ? 0 : 1
    }

    /// Keys are the buttons.
    private static func listen(to terminal: TerminalLCD, _ appliance: Appliance) throws(PosixError) {
        var keyboard = TerminalKeyboard()
        let loop = appliance.loop
        try loop.add(0, .readable) { interest in
            withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { buffer in
                let count = read(0, buffer.baseAddress, buffer.count)
                if count <= 0 {
                    // The terminal is gone.
                    loop.remove(0)
                    loop.stop()
                    return
                }
                for key in keyboard.keys(in: buffer[..<count]) {
                    switch key {
                    case .space, .enter: appliance.perform(.playPause)
                    case .left: appliance.perform(.skip(milliseconds: -10_000))
                    case .right: appliance.perform(.skip(milliseconds: 10_000))
                    case .up: appliance.perform(.volume(step: Command.volumeStep))
                    case .down: appliance.perform(.volume(step: -Command.volumeStep))
                    case .interrupt, .endOfInput: loop.stop()
                    case .character(let letter): press(letter, appliance)
                    }
                }
            }
        }
    }

    private static func press(_ letter: UInt8, _ appliance: Appliance) {
        switch letter {
        case UInt8(ascii: "f"): appliance.perform(.toggleFavourite)
        case UInt8(ascii: "n"): appliance.perform(.next)
        case UInt8(ascii: "p"): appliance.perform(.previous)
        case UInt8(ascii: "+"), UInt8(ascii: "="): appliance.perform(.volume(step: Command.volumeStep))
        case UInt8(ascii: "-"): appliance.perform(.volume(step: -Command.volumeStep))
        case UInt8(ascii: "q"): appliance.loop.stop()
        default: break
        }
    }

    /// The defaults for a program in a terminal: state in the user's own folder, a socket where users have theirs. A file named by
    /// --config stands for all of that.
    private static func configuration(_ options: Options) throws(ConfigurationError) -> Configuration {
        var configuration: Configuration
        if let path = options.configPath {
            configuration = try Configuration.load(path: path)
        } else {
            configuration = Configuration()
            let home = environmentVariable("HOME") ?? "/tmp"
            configuration.statePath = (environmentVariable("XDG_STATE_HOME") ?? home + "/.local/state") + "/nightstand"
            configuration.console.socketPath =
                environmentVariable("XDG_RUNTIME_DIR").map { $0 + "/nightstand/socket" } ?? ""
            // A maker's desk has no rtprio limit as a rule: asked for, and not complained of below.
            configuration.audio.priority = geteuid() == 0 ? configuration.audio.priority : 0
        }
        if let size = options.lcdSize {
            configuration.lcd.width = size.columns
            configuration.lcd.height = size.rows
        }
        if let device = options.device { configuration.audio.device = device }
        if let path = options.statePath { configuration.statePath = path }
        if let path = options.socketPath { configuration.console.socketPath = path }
        return configuration
    }

    private static func absolute(_ path: String) -> String {
        (try? Files.resolved(path)) ?? path
    }
}
