// SPDX-License-Identifier: Apache-2.0
import CPosix
import Configuration
import Core
import Display
import Library
import Model
import Playback
import Posix
import Scanning
import Speaker
import Streams

/// `nightstand play PATH…`, or network addresses: the speaker with the terminal as its board. The terminal shows the LCD, and keys are the
/// buttons. Otherwise it writes a line for each change, and ends with its last item.
enum PlaySubcommand {
    struct Options {
        /// The configuration file; nil for none at all.
        var configPath: String?
        var lcdSize: (columns: Int, rows: Int)?
        var device: String?
        var statePath: String?
        var socketPath: String?
        /// The panel; nil for none.
        var screen: ScreenLauncher.Options?
    }

    private static let help = [
        "space play/pause   \u{2190} \u{2192} 10 s   n p next/previous", "f favourite   + - volume   q quit",
    ]

    /// Returns the exit code.
    static func run(paths: [String], options: Options) -> Int32 {
        do throws(PlaybackError) {
            var configuration: Configuration
            do throws(ConfigurationError) { configuration = try self.configuration(options) } catch {
                Log.error(error.message)
                return 1
            }
            var existing: [String] = []
            var addresses: [String] = []
            for path in paths {
                if StreamAddress.isOne(path) {
                    if let problem = StreamAddress.problem(path) {
                        Log.error("\(StreamAddress.shown(path)): \(problem)")
                    } else {
                        addresses.append(path)
                    }
                    continue
                }
                do throws(PosixError) {
                    _ = try FileStatus(path: path)
                    existing.append(absolute(path))
                } catch {
                    Log.error("\(path): \(error.reason)")
                }
            }
            if existing.isEmpty && addresses.isEmpty { return 1 }
            if !existing.isEmpty && !addresses.isEmpty {
                Log.error("play: files or addresses, not both at once")
                return 1
            }
            // An address on the command line asks for fetching.
            if !addresses.isEmpty { configuration.network.isEnabled = true }
            return try play(
                existing, addresses, configuration, configPath: options.configPath, screen: options.screen,
                isPartial: existing.count + addresses.count < paths.count)
        } catch {
            TerminalMode.leave()
            Log.error(error.message)
            return 1
        }
    }

    private static func play(
        _ paths: [String], _ addresses: [String], _ configuration: Configuration, configPath: String?,
        screen panel: ScreenLauncher.Options?, isPartial: Bool
    ) throws(PlaybackError) -> Int32 {
        let signals: SignalDescriptor
        do throws(PosixError) { signals = try SignalDescriptor(SignalDescriptor.ending) } catch { throw .file(error) }
        let terminalSignals: SignalDescriptor
        do throws(PosixError) { terminalSignals = try SignalDescriptor(SignalDescriptor.terminal) } catch {
            throw .file(error)
        }
        let lcd = configuration.lcd
        let terminal =
            TerminalMode.canDraw(on: 1)
            ? TerminalLCD(columns: lcd.width, rows: lcd.height, rom: Assembly.rom(lcd), help: help) : nil
        let screen: any Screen = if let terminal { Assembly.display(lcd, on: terminal) } else { LineLog() }
        terminal?.enter()
        defer { terminal?.leave() }
        let assembly = try Assembly(
            configuration: configuration, source: .named(paths), screens: [screen], silentDevice: "null",
            signals: signals.number, configPath: configPath
        ) { message in if let terminal { terminal.log(message) } else { Log.notice(message) } }
        var played = terminal != nil
        if terminal == nil {
            assembly.speaker.audience.didEnd = {
                played = assembly.speaker.itemTrouble == nil && !assembly.speaker.queue.isEmpty
                if assembly.speaker.queue.isEmpty { Log.error("nothing to play found") }
                assembly.loop.stop()
            }
        }
        if !addresses.isEmpty {
            let items = addresses.compactMap { assembly.speaker.streaming.item(of: $0)?.id }
            do throws(QueueFull) { _ = try assembly.speaker.insert(items) } catch {
                Log.error("play: more addresses than the queue takes")
                return 1
            }
        }
        try assembly.start()
        if var panel {
            if configuration.console.socketPath.isEmpty {
                Log.error("play: a screen needs a socket: name one with --socket")
                return 1
            }
            panel.isSilent = terminal != nil
            ScreenLauncher(
                panel, configPath: configPath, socketPath: configuration.console.socketPath, loop: assembly.loop
            ).start()
        }
        do throws(PosixError) {
            try assembly.loop.add(signals.number, .readable) { _ in
                played = true
                assembly.loop.stop()
            }
            if let terminal {
                try listen(assembly.speaker, assembly.loop)
                let number = terminalSignals.number
                try assembly.loop.add(number, .readable) { _ in
                    SignalDescriptor.drain(number)
                    terminal.redraw()
                }
            }
            try assembly.loop.run()
        } catch { throw .file(error) }
        assembly.shutDown()
        // The fetching process ends with this one.
        if !addresses.isEmpty && configPath == nil { _ = configuration.network.socketPath.withPath { unlink($0) } }
        return played && !isPartial ? 0 : 1
    }

    /// Reads the keys as buttons.
    private static func listen(_ speaker: Speaker, _ loop: EventLoop) throws(PosixError) {
        var keyboard = TerminalKeyboard()
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
                    case .space, .enter: speaker.perform(.playPause, asked: loop.turnBegan)
                    case .left: speaker.perform(.skip(milliseconds: -10_000), asked: loop.turnBegan)
                    case .right: speaker.perform(.skip(milliseconds: 10_000), asked: loop.turnBegan)
                    case .up: speaker.perform(.volume(step: Command.volumeStep), asked: loop.turnBegan)
                    case .down: speaker.perform(.volume(step: -Command.volumeStep), asked: loop.turnBegan)
                    case .interrupt, .endOfInput: loop.stop()
                    case .character(let letter): press(letter, speaker, loop)
                    }
                }
            }
        }
    }

    private static func press(_ letter: UInt8, _ speaker: Speaker, _ loop: EventLoop) {
        switch letter {
        case UInt8(ascii: "f"): speaker.perform(.toggleFavourite, asked: loop.turnBegan)
        case UInt8(ascii: "n"): speaker.perform(.next, asked: loop.turnBegan)
        case UInt8(ascii: "p"): speaker.perform(.previous, asked: loop.turnBegan)
        case UInt8(ascii: "+"), UInt8(ascii: "="):
            speaker.perform(.volume(step: Command.volumeStep), asked: loop.turnBegan)
        case UInt8(ascii: "-"): speaker.perform(.volume(step: -Command.volumeStep), asked: loop.turnBegan)
        case UInt8(ascii: "q"): loop.stop()
        default: break
        }
    }

    /// Returns the defaults for a program in a terminal: state in the user's own folder, a socket in the user's usual place. A file named
    /// by --config replaces all of that.
    private static func configuration(_ options: Options) throws(ConfigurationError) -> Configuration {
        var configuration: Configuration
        if let path = options.configPath {
            configuration = try Configuration.load(path: path)
            if let mistake = configuration.mistakes.first { throw mistake }
        } else {
            configuration = Configuration()
            let home = environmentVariable("HOME") ?? "/tmp"
            configuration.statePath = (environmentVariable("XDG_STATE_HOME") ?? home + "/.local/state") + "/nightstand"
            let cache = environmentVariable("XDG_CACHE_HOME") ?? home + "/.cache"
            configuration.network.cachePath = cache + "/nightstand"
            // For this run only: another may play something else.
            configuration.network.socketPath = configuration.network.cachePath + "/socket-\(getpid())"
            configuration.console.socketPath =
                environmentVariable("XDG_RUNTIME_DIR").map { $0 + "/nightstand/socket" } ?? ""
            // A developer's machine usually has no rtprio limit: do not warn of a refusal below.
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
