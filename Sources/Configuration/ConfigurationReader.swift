// SPDX-License-Identifier: Apache-2.0
import Controls
import Core
import Posix

/// Turns the entries of the file, one by one, into a `Configuration`, by the table of settings.
struct ConfigurationReader {
    private let file: String
    var result = Configuration()
    /// The line numbers of "section.key".
    private var lines: [String: Int] = [:]
    var line = 0
    /// The key of that line.
    private(set) var key = ""
    /// The number of the last line with an LCD setting.
    private var lcdLine = 0
    private var isNightWritten = false
    /// The buttons and knobs with gestures, and their lines.
    private var gestureLines: [(name: String, line: Int)] = []
    /// True if [console] has a mistake, so that the permitted clients are not certain.
    private var isConsoleMistaken = false

    init(file: String) {
        self.file = file
    }

    private static let mostMistakes = 100

    /// - Parameter section: the section of the mistaken line; "" if several lines together are mistaken.
    mutating func note(_ mistake: ConfigurationError, in section: String = "") {
        // A port that should have a password must not open without one.
        if section == "console" { isConsoleMistaken = true }
        if result.mistakes.count < ConfigurationReader.mostMistakes { result.mistakes.append(mistake) }
    }

    /// Takes an entry, or notes its mistake. Entries of an unknown section get no note of their own.
    mutating func takeWhatCanBeUsed(_ entry: INIFile.Entry) {
        if case .value = entry.content, !entry.section.isEmpty, section(entry.section) == nil { return }
        do throws(ConfigurationError) { try take(entry) } catch { note(error, in: entry.section) }
    }

    private func section(_ name: String) -> SettingSection? {
        name == SettingSection.former ? .playing : SettingSection(named: name)
    }

    private mutating func take(_ entry: INIFile.Entry) throws(ConfigurationError) {
        line = entry.line
        guard let section = section(entry.section) else {
            let names = SettingSection.allCases.map { $0.rawValue }
            if case .value(let key, _) = entry.content, entry.section.isEmpty {
                throw error("'\(key)' before any section", expected: "a section first, " + oneOf("", names))
            }
            throw error("unknown section '\(entry.section)'", expected: oneOf(entry.section, names))
        }
        guard case .value(let key, let value) = entry.content else { return }
        let setting = section.settings.first { $0.key == key }
        if setting == nil, section != .gestures || !key.utf8.contains(UInt8(ascii: ".")) {
            let names = ConfigurationReader.keys(of: section)
            if section != .buttons || !names.contains(key) {
                let binding = section == .gestures ? "BUTTON.GESTURE such as play.long, or " : ""
                throw error("unknown key '\(key)' in [\(entry.section)]", expected: binding + oneOf(key, names))
            }
        }
        let name = section.rawValue + "." + key
        if let before = lines[name] {
            throw error("'\(key)' again", expected: "it once: line \(before) sets it already")
        }
        lines[name] = line
        if section == .lcd { lcdLine = line }
        if value.utf8.first == UInt8(ascii: "\"") || value.utf8.first == UInt8(ascii: "'") {
            throw error("'\(key)' in quotation marks", expected: "the bare value")
        }
        if hasHash(value) {
            throw error("' #' within the value of '\(key)'", expected: "';' before a comment behind a value")
        }
        self.key = key
        if entry.section == SettingSection.former { warn("'\(key)' is now under [\(section.rawValue)]") }
        if let setting { return try set(setting, value) }
        if section == .gestures { return try setGesture(value) }
        if let name = ButtonName(name: key) { return try setButton(name, value) }
        if let name = KnobName(name: key) { try setKnob(name, value) }
    }

    /// Returns the keys of a section, without those of older versions.
    static func keys(of section: SettingSection) -> [String] {
        if section == .buttons {
            return ButtonName.allCases.map { $0.name } + KnobName.allCases.map { $0.name }
        }
        var keys: [String] = []
        for setting in section.settings where !setting.isFormer { keys.append(setting.key) }
        return keys
    }

    private mutating func set(_ setting: Setting, _ value: String) throws(ConfigurationError) {
        switch setting.kind {
        case .flag(let store): store(&result, try isYes(value))
        case .number(let least, let most, let store): store(&result, try number(key, value, least...most))
        case .choice(let choices, let store):
            let words = choices.parts(between: " ")
            guard let index = words.firstIndex(of: value) else { throw refusal(value, expected: oneOf(value, words)) }
            store(&result, index)
        case .path(let canBeEmpty, let store):
            try check(path: value, canBeEmpty: canBeEmpty)
            store(&result, value)
        case .secretPath(let store):
            // The value may be the secret itself, and messages go to the journal.
            if !value.isEmpty && !value.begins(with: "/") {
                throw error("\(key) is not a path", expected: "the path of a file, such as /etc/nightstand.\(key)")
            }
            store(&result, value)
        case .text(let expected, let store):
            if !store(&result, value) { throw refusal(value, expected: expected) }
        case .own(let store): try store(&self, value)
        case .former(let reason, let store):
            warn("'\(key)' is no longer needed: \(reason)")
            try store(&self, value)
        }
    }

    private mutating func setGesture(_ value: String) throws(ConfigurationError) {
        do throws(GestureError) {
            try result.gestures.set(key: key, to: value)
            gestureLines.append((key.parts(between: ".")[0], line))
        } catch let failure {
            throw error("\(key): \(failure.problem)", expected: failure.expected)
        }
    }

    /// Sets the night of sound, LCD and panel. Empty is the default: the panel alone has a night.
    mutating func setNight(_ value: String) throws(ConfigurationError) {
        if value.isEmpty { return }
        let hours = value == "never" ? nil : try nightHours(value)
        isNightWritten = true
        (result.night.hours, result.screen.night) = (hours, hours)
    }

    /// Follows the former key of the panel's night, unless the file has today's key. Empty meant never.
    mutating func setFormerNight(_ value: String) throws(ConfigurationError) {
        let hours = value.isEmpty ? nil : try nightHours(value)
        if !isNightWritten { (result.night.hours, result.screen.night) = (hours, hours) }
    }

    /// Checks the rules that concern several keys, and returns the whole.
    mutating func finish() -> Configuration {
        do throws(ConfigurationError) { try checkHapticLine() } catch {
            note(error)
            result.haptics.line = ""
        }
        do throws(ConfigurationError) { try checkGestures() } catch { note(error) }
        if isConsoleMistaken { result.console.listen = nil }
        let lcd = result.lcd
        // A blind listener may see neither screen: the menu speaks in any case.
        if result.screen.isEnabled && !result.voice.isEnabled {
            result.gestures.bindToPanel()
        } else if !lcd.device.isEmpty || result.voice.isEnabled {
            result.gestures.bindToMenu()
        }
        if result.voice.isEnabled { result.gestures.bindToVoice() }
        if lcd.width * lcd.height > 80 && !(lcd.width == 40 && lcd.height == 4) {
            line = lcdLine
            note(
                error(
                    "an LCD of \(lcd.width) x \(lcd.height) cells",
                    expected: "one that is made: 16 x 2, 20 x 4, 40 x 2 …"
                ))
            (result.lcd.width, result.lcd.height) = (Configuration.LCD().width, Configuration.LCD().height)
        }
        return result
    }

    /// Checks that each gesture belongs to a configured button. Without buttons, the keys of a terminal may replace all of them.
    private mutating func checkGestures() throws(ConfigurationError) {
        let names =
            result.buttons.map { $0.name.name } + result.keys.map { $0.name.name } + result.knobs.map { $0.name.name }
        if names.isEmpty { return }
        for (name, place) in gestureLines where lines[SettingSection.buttons.rawValue + "." + name] == nil {
            line = place
            throw error("a gesture of '\(name)', which is not under [buttons]", expected: oneOf(name, names))
        }
    }

    /// Parses "22:00-07:00", or "sun 52.52 13.40".
    private func nightHours(_ value: String) throws(ConfigurationError) -> NightHours {
        let words = value.parts(between: " ")
        if words.first == "sun" {
            guard words.count == 3, let latitude = degrees(words[1], most: 90),
                let longitude = degrees(words[2], most: 180)
            else {
                throw refusal(value, expected: "sun LATITUDE LONGITUDE in degrees, such as sun 52.52 13.40")
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
        throw refusal(value, expected: "such as 22:00-07:00, sun 52.52 13.40, never, or nothing")
    }

    /// Parses an angle in hundred-thousandths; nil if the text is no angle of up to `most` degrees.
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

    func isYes(_ value: String) throws(ConfigurationError) -> Bool {
        if value == "yes" { return true }
        if value == "no" { return false }
        throw refusal(value, expected: "yes or no")
    }

    func check(path: String, canBeEmpty: Bool) throws(ConfigurationError) {
        if path.begins(with: "/") || path.isEmpty && canBeEmpty { return }
        throw refusal(path, expected: "a path from the root, such as /srv/nightstand")
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

    /// Warns of a setting that still works but should be removed from the file.
    private mutating func warn(_ text: String) {
        if result.warnings.count < ConfigurationReader.mostMistakes {
            result.warnings.append(ConfigurationError(file: file, line: line, problem: text))
        }
    }

    func refusal(_ value: String, expected: String) -> ConfigurationError {
        error("\(key) is '\(value)'", expected: expected)
    }

    func error(_ problem: String, expected: String) -> ConfigurationError {
        // A value may contain tabs, but a message is one line of text.
        let text = problem.parts(between: "\t").joined(separator: " ") + ", expected " + expected
        return ConfigurationError(file: file, line: line, problem: text)
    }
}
