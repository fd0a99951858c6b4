import Controls
import Core
import Posix

/// Turns the entries of the file, one by one, into a `Configuration`. Knows every key, its form and its range.
struct ConfigurationReader {
    static let keys: [(section: String, keys: [String])] = [
        ("audio", ["device", "mixer", "buffer_ms", "period_ms", "priority", "cut", "idle_close"]),
        ("playing", ["rewind", "next", "resume", "keep_pause", "next_book"]), ("speaker", ["after_power_cut"]),
        ("night", ["hours", "sleep", "volume", "loudest", "voice"]),
        ("people", ["language", "words"]),
        ("voice", ["enabled", "command", "language", "rate", "says", "cache"]),
        ("library", ["path"]),
        ("state", ["path"]),
        ("playlists", ["path"]),
        ("buttons", ButtonName.allCases.map { $0.name } + KnobName.allCases.map { $0.name }),
        ("gestures", []),
        ("haptics", hapticKeys),
        ("lcd", ["device", "width", "height", "rom", "off_at_night"]), ("light", ["pwm", "pwm_hz", "minutes"]),
        (
            "network",
            [
                "enabled", "cache", "cache_mb", "station_kb", "socket", "credentials", "refresh_hours", "keep",
                "quality", "local", "words",
            ]
        ),
        ("transcripts", ["make", "cache"]),
        ("screen", screenKeys),
        ("console", ["serial", "baud", "socket", "listen", "password", "default_permissions"]),
    ]

    private let file: String
    var result = Configuration()
    /// The line that set "section.key".
    private var lines: [String: Int] = [:]
    var line = 0
    /// Of which buttons and knobs there are gestures, and where.
    private var gestureLines: [(name: String, line: Int)] = []
    /// Who may come in, and by what word, is not known for sure.
    private var isConsoleMistaken = false

    init(file: String) {
        self.file = file
    }

    private static let mostMistakes = 100

    /// - Parameter section: that the mistaken line stands under; "" where several lines together are mistaken.
    mutating func note(_ mistake: ConfigurationError, in section: String = "") {
        // A door that was to have a lock is not opened without it.
        if section == "console" { isConsoleMistaken = true }
        if result.mistakes.count < ConfigurationReader.mostMistakes { result.mistakes.append(mistake) }
    }

    /// Takes an entry, or notes why it cannot be used. What stands under a section that is unknown is not told of again.
    mutating func takeWhatCanBeUsed(_ entry: INIFile.Entry) {
        if case .value = entry.content, !entry.section.isEmpty, !isKnown(entry.section) { return }
        do throws(ConfigurationError) { try take(entry) } catch { note(error, in: entry.section) }
    }

    private func isKnown(_ section: String) -> Bool {
        ConfigurationReader.keys.contains { $0.section == section }
    }

    private mutating func take(_ entry: INIFile.Entry) throws(ConfigurationError) {
        line = entry.line
        let names = ConfigurationReader.keys.map { $0.section }
        guard let section = ConfigurationReader.keys.first(where: { $0.section == entry.section }) else {
            if case .value(let key, _) = entry.content, entry.section.isEmpty {
                throw error("'\(key)' before any section", expected: "a section first, " + oneOf("", names))
            }
            throw error("unknown section '\(entry.section)'", expected: oneOf(entry.section, names))
        }
        guard case .value(let key, let value) = entry.content else { return }
        if entry.section != "gestures", !section.keys.contains(key) {
            throw error("unknown key '\(key)' in [\(entry.section)]", expected: oneOf(key, section.keys))
        }
        let name = entry.section + "." + key
        if let before = lines[name] {
            throw error("'\(key)' again", expected: "it once: line \(before) sets it already")
        }
        lines[name] = line
        if value.utf8.first == UInt8(ascii: "\"") || value.utf8.first == UInt8(ascii: "'") {
            throw error("'\(key)' in quotation marks", expected: "the bare value")
        }
        if hasHash(value) {
            throw error("' #' within the value of '\(key)'", expected: "';' before a comment behind a value")
        }
        try set(entry.section, key, value)
    }

    /// Checks what depends on several keys, and gives the whole.
    mutating func finish() -> Configuration {
        let audio = result.audio
        let most = audio.bufferMilliseconds / 2
        if audio.periodMilliseconds > most {
            if let written = lines["audio.period_ms"] {
                line = written
                note(
                    error(
                        "period_ms is \(audio.periodMilliseconds)",
                        expected: "5 to \(most), at most half of buffer_ms (\(audio.bufferMilliseconds))"))
            }
            // Somebody who asks for a short buffer only gets periods that suit it.
            result.audio.periodMilliseconds = max(5, audio.bufferMilliseconds / 4)
        }
        // One night for all, unless the panel was given its own.
        if lines["screen.night"] == nil, let hours = result.night.hours { result.screen.night = hours }
        do throws(ConfigurationError) { try checkHapticLine() } catch {
            note(error)
            result.haptics.line = ""
        }
        do throws(ConfigurationError) { try checkGestures() } catch { note(error) }
        if isConsoleMistaken { result.console.listen = nil }
        let lcd = result.lcd
        // With a voice there may be somebody who sees neither: the menu speaks, whatever else is there.
        if result.screen.isEnabled && !result.voice.isEnabled {
            result.gestures.bindToPanel()
        } else if !lcd.device.isEmpty || result.voice.isEnabled {
            result.gestures.bindToMenu()
        }
        if result.voice.isEnabled { result.gestures.bindToVoice() }
        if lcd.width * lcd.height > 80 && !(lcd.width == 40 && lcd.height == 4) {
            line = lines["lcd.width"] ?? lines["lcd.height"] ?? 0
            note(
                error(
                    "an LCD of \(lcd.width) x \(lcd.height) cells",
                    expected: "one that is made: 16 x 2, 20 x 4, 40 x 2 …"
                ))
            (result.lcd.width, result.lcd.height) = (Configuration.LCD().width, Configuration.LCD().height)
        }
        return result
    }

    /// Where there are buttons, a gesture is one of theirs. Without any, the keys of a terminal may stand for all of them.
    private mutating func checkGestures() throws(ConfigurationError) {
        let names =
            result.buttons.map { $0.name.name } + result.keys.map { $0.name.name } + result.knobs.map { $0.name.name }
        if names.isEmpty { return }
        for (name, place) in gestureLines where lines["buttons." + name] == nil {
            line = place
            throw error("a gesture of '\(name)', which is not under [buttons]", expected: oneOf(name, names))
        }
    }

    private mutating func set(_ section: String, _ key: String, _ value: String) throws(ConfigurationError) {
        switch section + "." + key {
        case "audio.device":
            if value.isEmpty { throw error("'device' is empty", expected: "an ALSA device, such as default") }
            result.audio.device = value
        case "audio.mixer": result.audio.mixer = value
        case "audio.buffer_ms": result.audio.bufferMilliseconds = try number(key, value, 50...10_000)
        case "audio.period_ms": result.audio.periodMilliseconds = try number(key, value, 5...5000)
        case "audio.priority": result.audio.priority = try number(key, value, 0...99)
        case "audio.idle_close": result.audio.idleCloseSeconds = try number(key, value, 0...3600)
        case "audio.cut":
            switch value {
            case "auto": result.audio.cut = .automatic
            case "rewind": result.audio.cut = .rewind
            case "drop": result.audio.cut = .drop
            default: throw error("cut is '\(value)'", expected: oneOf(value, ["auto", "rewind", "drop"]))
            }
        case "playing.rewind": result.playing.rewindsAfterPause = try isYes(key, value)
        case "playing.next":
            switch value {
            case "chapter": result.playing.stepsByChapter = true
            case "file": result.playing.stepsByChapter = false
            default: throw error("next is '\(value)'", expected: oneOf(value, ["chapter", "file"]))
            }
        case "playing.resume": result.playing.resumes = try isYes(key, value)
        case "playing.next_book": result.playing.flowsIntoNextBook = try isYes(key, value)
        case "speaker.after_power_cut":
            switch value {
            case "auto": result.playing.afterPowerCut = .automatic
            case "play": result.playing.afterPowerCut = .play
            case "pause": result.playing.afterPowerCut = .pause
            default: throw error("after_power_cut is '\(value)'", expected: oneOf(value, ["auto", "play", "pause"]))
            }
        case "night.hours": result.night.hours = try nightHours("hours", value)
        case "night.sleep":
            guard let sleep = Sleep(word: value) else { throw error("sleep is '\(value)'", expected: Sleep.expected) }
            result.night.sleep = sleep
        case "night.volume": result.night.startPercent = value.isEmpty ? nil : try number(key, value, 1...100)
        case "night.voice": result.night.voicePercent = try number(key, value, 1...100)
        case "night.loudest": result.night.mostPercent = try number(key, value, 1...100)
        case "people.language":
            // It names a folder.
            let isName = value.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
            }
            if !isName {
                throw error("language is '\(value)'", expected: "one such as de or pt_BR, or nothing for English")
            }
            result.people.language = value
        case "people.words": result.people.wordsPath = try path(key, value, canBeEmpty: false)
        case "voice.enabled": result.voice.isEnabled = try isYes(key, value)
        case "voice.command":
            if value.isEmpty { throw error("'command' is empty", expected: "a program, such as espeak-ng --stdout") }
            result.voice.command = value
        case "voice.language":
            if value.utf8.contains(where: { $0 == 0x20 || $0 == 0x09 }) || value.begins(with: "-") {
                throw error("language is '\(value)'", expected: "one that espeak-ng --voices lists, such as de")
            }
            result.voice.language = value
        case "voice.rate": result.voice.bareRate = try number(key, value, 8000...48_000)
        case "voice.says":
            guard let manner = VoiceManner(rawValue: value) else {
                throw error("says is '\(value)'", expected: oneOf(value, VoiceManner.allCases.map { $0.rawValue }))
            }
            result.voice.says = manner
        case "voice.cache": result.voice.cachePath = try path(key, value, canBeEmpty: true)
        case "playing.keep_pause": result.playing.keepsPause = try isYes(key, value)
        case "library.path": result.libraryPath = try path(key, value, canBeEmpty: false)
        case "state.path": result.statePath = try path(key, value, canBeEmpty: false)
        case "playlists.path": result.playlistsFolder = try path(key, value, canBeEmpty: true)
        case "lcd.device": result.lcd.device = try path(key, value, canBeEmpty: true)
        case "lcd.width": result.lcd.width = try number(key, value, 8...40)
        case "lcd.height":
            let height = try number(key, value, 1...4)
            if height == 3 { throw error("height is 3", expected: "1, 2 or 4") }
            result.lcd.height = height
        case "lcd.off_at_night": result.lcd.isOffAtNight = try isYes(key, value)
        case "light.pwm": result.light.pwm = try pwmChannel(key, value)
        case "light.pwm_hz": result.light.pwmHertz = try number(key, value, 50...100_000)
        case "light.minutes": result.light.riseMinutes = try number(key, value, 1...120)
        case "lcd.rom":
            switch value {
            case "A00", "a00": result.lcd.rom = .a00
            case "A02", "a02": result.lcd.rom = .a02
            default: throw error("rom is '\(value)'", expected: "A00 (Japanese) or A02 (European)")
            }
        case "console.serial": result.console.serialDevice = try path(key, value, canBeEmpty: true)
        case "console.baud":
            guard let baud = Int(value), LineSpeed.bauds.contains(baud) else {
                let rates = LineSpeed.bauds.map { "\($0)" }.joined(separator: ", ")
                throw error("baud is '\(value)'", expected: "one of " + rates)
            }
            result.console.baud = baud
        case "console.socket":
            let socket = try path(key, value, canBeEmpty: true)
            // sockaddr_un has 108 bytes with the terminator.
            if socket.utf8.count > 107 { throw error("socket is too long", expected: "a path of at most 107 bytes") }
            result.console.socketPath = socket
        case "network.enabled": result.network.isEnabled = try isYes(key, value)
        case "network.cache": result.network.cachePath = try path(key, value, canBeEmpty: false)
        case "network.cache_mb": result.network.cacheMegabytes = try number(key, value, 16...1_000_000)
        case "network.station_kb": result.network.stationKilobytes = try number(key, value, 128...65_536)
        case "network.socket": result.network.socketPath = try path(key, value, canBeEmpty: false)
        case "network.refresh_hours": result.network.refreshHours = try number(key, value, 0...720)
        case "network.keep": result.network.keptEpisodes = try number(key, value, 0...50)
        case "network.local": result.network.allowsLocal = try isYes(key, value)
        case "network.words": result.network.asksForWords = try isYes(key, value)
        case "network.quality": result.network.quality = try quality(value)
        case "network.credentials": result.network.credentialsPath = try path(key, value, canBeEmpty: true)
        case "transcripts.make":
            switch value {
            case "idle": result.transcripts.areMade = true
            case "never": result.transcripts.areMade = false
            default: throw error("make is '\(value)'", expected: oneOf(value, ["idle", "never"]))
            }
        case "transcripts.cache": result.transcripts.cachePath = try path(key, value, canBeEmpty: false)
        case "console.listen": result.console.listen = try internetAddress(value)
        case "console.password": result.console.passwordPath = try path(key, value, canBeEmpty: true)
        case "console.default_permissions":
            do throws(PasswordFile.Mistake) {
                result.console.defaultPermissions =
                    value.isEmpty ? nil : value == "none" ? [] : try PasswordFile.permissions(value)
            } catch let mistake {
                throw error("default_permissions: " + mistake.problem, expected: mistake.expected)
            }
        default:
            if section == "screen" {
                try setScreen(key, value)
            } else if section == "haptics" {
                try setHaptics(key, value)
            } else if section == "gestures" {
                do throws(GestureError) {
                    try result.gestures.set(key: key, to: value)
                    let parts = key.parts(between: ".", keepingEmpty: true)
                    if parts.count == 2 { gestureLines.append((parts[0], line)) }
                } catch let failure {
                    throw error("\(key): \(failure.problem)", expected: failure.expected)
                }
            } else if let name = ButtonName(name: key) {
                try setButton(name, value)
            } else if let name = KnobName(name: key) {
                try setKnob(name, value)
            }
        }
    }

    /// "22:00-07:00", or "sun 52.52 13.40".
    func nightHours(_ key: String, _ value: String) throws(ConfigurationError) -> NightHours? {
        if value.isEmpty { return nil }
        let words = value.parts(between: " ")
        if words.first == "sun" {
            guard words.count == 3, let latitude = degrees(words[1], most: 90),
                let longitude = degrees(words[2], most: 180)
            else {
                throw error(
                    "\(key) is '\(value)'", expected: "sun LATITUDE LONGITUDE in degrees, such as sun 52.52 13.40")
            }
            return NightHours(from: 0, to: 0, sun: NightHours.Place(latitude: latitude, longitude: longitude))
        }
        var minutes: [Int] = []
        for time in value.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false) {
            let parts = time.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
                .map { Int(Substring($0)) ?? -1 }
            if parts.count == 2, (0...23).contains(parts[0]), (0...59).contains(parts[1]) {
                minutes.append(parts[0] * 60 + parts[1])
            }
        }
        if minutes.count == 2 { return NightHours(from: minutes[0], to: minutes[1]) }
        throw error("\(key) is '\(value)'", expected: "such as 22:00-07:00, sun 52.52 13.40, or nothing")
    }

    /// In hundred-thousandths; nil for what is no angle of up to `most` degrees.
    private func degrees(_ text: String, most: Int64) -> Int? {
        let isNegative = text.utf8.first == UInt8(ascii: "-")
        let parts = text.dropping(bytes: isNegative ? 1 : 0).utf8.split(
            separator: 0x2E, omittingEmptySubsequences: false)
        guard parts.count <= 2, !parts[0].isEmpty, let whole = Int64(digits: parts[0], most: 3) else { return nil }
        var fraction: Int64 = 0
        if parts.count == 2 {
            guard !parts[1].isEmpty, let digits = Int64(digits: parts[1], most: 5) else { return nil }
            fraction = digits
            for _ in parts[1].count..<5 { fraction *= 10 }
        }
        let angle = whole * 100_000 + fraction
        return angle <= most * 100_000 ? Int(isNegative ? -angle : angle) : nil
    }

    func number(_ key: String, _ value: String, _ range: ClosedRange<Int>) throws(ConfigurationError) -> Int {
        if let number = Int(value), range.contains(number) { return number }
        throw error("\(key) is '\(value)'", expected: "a whole number from \(range.lowerBound) to \(range.upperBound)")
    }

    private func quality(_ value: String) throws(ConfigurationError) -> Configuration.Network.Quality {
        switch value {
        case "auto": return .auto
        case "low": return .low
        case "high": return .high
        default:
            if let number = Int(value), (8...2000).contains(number) { return .kilobits(number) }
            throw error("quality is '\(value)'", expected: "auto, low, high, or kbit/s from 8 to 2000")
        }
    }

    func isYes(_ key: String, _ value: String) throws(ConfigurationError) -> Bool {
        if value == "yes" { return true }
        if value == "no" { return false }
        throw error("\(key) is '\(value)'", expected: "yes or no")
    }

    func path(_ key: String, _ value: String, canBeEmpty: Bool) throws(ConfigurationError) -> String {
        if value.begins(with: "/") || value.isEmpty && canBeEmpty { return value }
        // What stands there may be the secret itself, and messages go to the journal.
        if key == "password" || key == "credentials" {
            throw error("\(key) is not a path", expected: "the path of a file, such as /etc/nightstand.\(key)")
        }
        throw error("\(key) is '\(value)'", expected: "a path from the root, such as /srv/nightstand")
    }

    private func internetAddress(_ value: String) throws(ConfigurationError) -> InternetAddress? {
        if value.isEmpty { return nil }
        if let address = InternetAddress(parsing: value) { return address }
        throw error(
            "listen is '\(value)'",
            expected:
                "ADDRESS:PORT in numbers, such as 192.168.1.5:6600 or [::]:6600, or a port alone for every address")
    }

    private func hasHash(_ value: String) -> Bool {
        var previous: UInt8 = 0
        for byte in value.utf8 {
            if byte == UInt8(ascii: "#") && (previous == 0x20 || previous == 0x09) { return true }
            previous = byte
        }
        return false
    }

    func oneOf(_ word: String, _ names: [String]) -> String { Spelling.expectation(of: word, among: names) }

    func error(_ problem: String, expected: String) -> ConfigurationError {
        // A value may have tabs in it, and a message is one line of text.
        let text = problem.parts(between: "\t").joined(separator: " ") + ", expected " + expected
        return ConfigurationError(file: file, line: line, problem: text)
    }
}
