// SPDX-License-Identifier: Apache-2.0
import CPosix
import Configuration
import Core
import Panel
import Posix
import Typography
import Wire
import Workers

/// `nightstand screen`: the process that draws a speaker's state on a panel.
public enum ScreenSubcommand {
    /// The options as given; nil if absent.
    public struct Options {
        public var configPath: String?
        /// A socket other than the configured one.
        public var socketPath: String?
        public var device: String?
        /// The size of a picture, or of a file that stands for a panel: "800x480".
        public var size: String?
        public var theme: String?
        /// True if a speaker on a desk, or a test, started this process: the screen is then enabled, and ends with its parent.
        public var isChild = false
        /// "take" or "give" for the text console.
        public var terminal: String?
        /// The file for a single picture.
        public var png: String?
        public var picture = PictureOptions()
        /// The program's version, for people.
        public var version = ""

        public init() {}
    }

    static let misused: Int32 = 2

    static func misused(_ words: String) -> Int32 {
        Log.error("screen: " + words)
        return misused
    }

    /// Draws the speaker's state until the process is asked to end, or draws one picture. Returns the exit code; 2 for wrong options.
    public static func run(_ options: Options) -> Int32 {
        if let word = options.terminal { return console(word) }
        let size = (options.size ?? "800x480").utf8.split(separator: UInt8(ascii: "x")).map { Int(Substring($0)) ?? 0 }
        guard size.count == 2, size.allSatisfy({ (64...4096).contains($0) }) else {
            return misused("bad --size, expected WIDTHxHEIGHT such as 800x480")
        }
        if let theme = options.theme, !["light", "dark", "night"].contains(theme) {
            return misused("bad --theme '\(theme)', expected light, dark or night")
        }
        if let path = options.png {
            return options.picture.draw(to: path, options, width: size[0], height: size[1])
        }
        return show(options, fileSize: (size[0], size[1]))
    }

    private static func show(_ options: Options, fileSize: (width: Int, height: Int)) -> Int32 {
        var configuration: Configuration
        let families: [FontFamily]
        do throws(ConfigurationError) {
            configuration = try Configuration.load(path: options.configPath)
            if !configuration.screen.isEnabled && !options.isChild && options.device == nil {
                Log.error("screen: not enabled: set enabled = yes under [screen] in the configuration")
                return ConfigurationError.exitCode
            }
            families = try ScreenFonts.families(configuration.screen.fontsPath)
        } catch {
            Log.error(error.message)
            return ConfigurationError.exitCode
        }
        let language = configuration.speakPeoplesLanguage()
        if options.isChild { ns_die_with_parent() }
        if let device = options.device { configuration.screen.device = device }
        if let theme = options.theme { configuration.screen.theme = theme == "light" ? .light : .dark }
        let socketPath = options.socketPath ?? configuration.console.socketPath
        if socketPath.isEmpty {
            Log.error("screen: the speaker has no socket: set one under [console], or name its --socket")
            return ConfigurationError.exitCode
        }
        do throws(PosixError) {
            try show(
                configuration.screen, families, socketPath, fileSize: fileSize,
                hasHaptics: configuration.haptics.isThere, version: options.version,
                libraryPath: configuration.libraryPath, language: language, wordsPath: configuration.people.wordsPath)
            return 0
        } catch {
            Log.error("screen: " + error.message)
            return 1
        }
    }

    private static func show(
        _ configured: Configuration.Screen, _ families: [FontFamily], _ socketPath: String,
        fileSize: (width: Int, height: Int), hasHaptics: Bool, version: String, libraryPath: String,
        language: String, wordsPath: String
    ) throws(PosixError) {
        let signals = try SignalDescriptor(SignalDescriptor.ending)
        let loop = try EventLoop()
        try loop.add(signals.number, .readable) { _ in loop.stop() }
        let worker = try Worker(name: "pictures")
        try worker.start(loop: loop)
        let speaker = ScreenSpeaker(
            hasHaptics: hasHaptics, timers: loop, worker: worker, folder: ScreenPictures.folder,
            deaths: environmentVariable("RUNTIME_DIRECTORY") ?? socketPath.pathFolder
        ) { users in
            SpeakerLink(socketPath: socketPath, interests: ScreenSpeaker.interests, loop: loop, users: users)
        }
        let memory = ScreenMemory(folder: environmentVariable("STATE_DIRECTORY")) { speaker.write($0, to: $1) }
        let settings = ScreenSettings(
            configured, memory, version: version, libraryPath: libraryPath, language: language, wordsPath: wordsPath)
        let output = ScreenPanel(ScreenPanel.Finder(configured, fileSize: fileSize), loop) {
            (descriptor, handler) throws(PosixError) in
            guard let handler else { return loop.remove(descriptor) }
            try loop.add(descriptor, .readable) { _ in handler() }
        }
        let lamp = backlight(configured.backlight)
        let wall = try WallClock(loop)
        let run = ScreenRun(
            settings, families: families, speaker: speaker, output: output,
            around: ScreenRun.Surroundings(
                timers: loop, clock: { clock }, watchClock: { watch(wall, $0) }, setLamp: { lamp?.set(percent: $0) },
                openInputs: { ScreenInputs(configured, loop: loop, users: $0) }))
        run.start()
        try loop.run()
        run.stop()
        worker.stop()
    }

    /// Most panels have no backlight, so only a missing one that is configured by name is logged.
    private static func backlight(_ name: String) -> Backlight? {
        do throws(PosixError) { return try Backlight(name) } catch {
            if !name.isEmpty { Log.warning("screen: " + error.message) }
            return nil
        }
    }

    /// Calls back whenever the wall clock is set, and once a day.
    private static func watch(_ wall: WallClock, _ changed: @escaping () -> Void) {
        wall.schedule(atSeconds: wallClockSeconds().addingSaturated(86_400)) { _ in
            changed()
            watch(wall, changed)
        }
    }

    /// The wall clock's time; nil on a board that does not know it yet.
    static var clock: (minuteOfDay: Int, second: Int)? {
        var now = time(nil)
        var parts = tm()
        // A time before Nightstand existed is not a set clock.
        if now < 1_600_000_000 || localtime_r(&now, &parts) == nil { return nil }
        return (Int(parts.tm_hour) * 60 + Int(parts.tm_min), Int(parts.tm_sec))
    }

    /// EX_TEMPFAIL of sysexits.h: makes the parent start this process again.
    static func endToBeginAnew() -> Never { exit(75) }

    static func endWithoutLetters(_ missing: MissingLibrary) -> Never {
        Log.error("screen: " + missing.message)
        exit(ConfigurationError.exitCode)
    }

    /// Switches the text console off for drawing on /dev/fb*, or on again. Only root may, so it runs before and after the unprivileged
    /// process.
    private static func console(_ word: String) -> Int32 {
        switch word {
        case "take": TextConsole.take()
        case "give": TextConsole.giveBack()
        default: return misused("bad --terminal '\(word)', expected take or give")
        }
        return 0
    }
}
