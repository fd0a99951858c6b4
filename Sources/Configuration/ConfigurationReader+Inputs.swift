// SPDX-License-Identifier: Apache-2.0
import Controls
import Posix

/// Reads `[buttons]`: `SOURCE | SOURCE …` for each button and knob.
extension ConfigurationReader {
    private static let lineOptions = ["active-low", "pull-up", "pull-down"]

    /// Parses `LINE[,active-low][,pull-up][,debounce=MS]` or `input:KEY[@DEVICE][,grab]`; empty for no such button.
    mutating func setButton(_ name: ButtonName, _ value: String) throws(ConfigurationError) {
        for source in try sources(value) {
            guard source.begins(with: "input:") else {
                try addLine(name, source)
                continue
            }
            let input = try input(source, .key)
            if let other = result.keys.first(where: { $0.input.code == input.code && $0.input.device == input.device })
            {
                throw error(
                    "key \(input.code.name) for '\(name.name)'", expected: "another key: '\(other.name.name)' has it")
            }
            result.keys.append(Configuration.Key(name: name, input: input))
        }
    }

    /// Parses `encoder:LINE,LINE[,detents=N][,active-low][,pull-up]` or `input:AXIS[@DEVICE][,grab]`; empty for no such knob.
    mutating func setKnob(_ name: KnobName, _ value: String) throws(ConfigurationError) {
        var knob = Configuration.Knob(name: name, sourceLine: line)
        for source in try sources(value) {
            if source.begins(with: "input:") {
                knob.axes.append(try input(source, .axis))
            } else if source.begins(with: "encoder:") {
                let encoder = try encoder(source.dropping(bytes: 8))
                let taken = knob.encoders.contains { $0.lineA == encoder.lineA || $0.lineB == encoder.lineB }
                if taken { throw error("line \(encoder.lineA) or \(encoder.lineB) twice", expected: "two other lines") }
                knob.encoders.append(encoder)
            } else {
                throw error(
                    "'\(source)' for a knob", expected: "encoder:LINE,LINE and options behind commas, or input:REL_DIAL"
                )
            }
        }
        if !knob.encoders.isEmpty || !knob.axes.isEmpty { result.knobs.append(knob) }
    }

    /// Returns the sources in a value; none for an empty one.
    private func sources(_ value: String) throws(ConfigurationError) -> [String] {
        if value.isEmpty { return [] }
        let sources = value.parts(between: "|", keepingEmpty: true).map { INIFile.trimmed($0) }
        if sources.contains("") { throw error("nothing beside '|'", expected: "a line or a key on both sides of it") }
        return sources
    }

    private mutating func addLine(_ name: ButtonName, _ source: String) throws(ConfigurationError) {
        let parts = source.parts(between: ",", keepingEmpty: true).map { INIFile.trimmed($0) }
        var button = Configuration.Button(name: name, line: try gpioLine(parts[0]), sourceLine: line)
        for option in parts.dropFirst() {
            if try takeLineOption(option, &button.isActiveLow, &button.bias) { continue }
            guard option.begins(with: "debounce=") else {
                throw error(
                    "unknown option '\(option)'",
                    expected: oneOf(option, ConfigurationReader.lineOptions + ["debounce=MS"]))
            }
            button.debounceMilliseconds = try number("debounce", option.dropping(bytes: 9), 0...1000)
        }
        try checkFree(button.line, for: name.name)
        result.buttons.append(button)
    }

    private func encoder(_ text: String) throws(ConfigurationError) -> Configuration.Encoder {
        let parts = text.parts(between: ",", keepingEmpty: true).map { INIFile.trimmed($0) }
        guard parts.count >= 2 else {
            throw error("an encoder on '\(text)'", expected: "two lines: encoder:GPIO5,GPIO6")
        }
        var encoder = Configuration.Encoder(lineA: try gpioLine(parts[0]), lineB: try gpioLine(parts[1]))
        if encoder.lineA == encoder.lineB {
            throw error("an encoder on one line", expected: "two: encoder:GPIO5,GPIO6")
        }
        for option in parts.dropFirst(2) {
            if try takeLineOption(option, &encoder.isActiveLow, &encoder.bias) { continue }
            guard option.begins(with: "detents=") else {
                throw error(
                    "unknown option '\(option)'",
                    expected: oneOf(option, ConfigurationReader.lineOptions + ["detents=N"]))
            }
            encoder.quartersEach = try number("detents", option.dropping(bytes: 8), 1...4)
            if encoder.quartersEach == 3 {
                throw error("detents is 3", expected: "1, 2 or 4 changes of the lines each")
            }
        }
        for line in [encoder.lineA, encoder.lineB] { try checkFree(line, for: "a knob") }
        return encoder
    }

    /// Returns true for an option that all lines have.
    private func takeLineOption(
        _ option: String, _ isActiveLow: inout Bool, _ bias: inout Configuration.Bias
    ) throws(ConfigurationError) -> Bool {
        switch option {
        case "active-low": isActiveLow = true
        case "pull-up", "pull-down":
            if bias != .asIs { throw error("a second pull", expected: "pull-up or pull-down") }
            bias = option == "pull-up" ? .pullUp : .pullDown
        default: return false
        }
        return true
    }

    private func checkFree(_ wanted: String, for name: String) throws(ConfigurationError) {
        if let other = result.buttons.first(where: { $0.line == wanted }) {
            throw error(
                "line \(wanted) for '\(name)'",
                expected: "another line: '\(other.name.name)' has it in line \(other.sourceLine)")
        }
        let knob = result.knobs.first { $0.encoders.contains { $0.lineA == wanted || $0.lineB == wanted } }
        if let knob {
            throw error(
                "line \(wanted) for '\(name)'",
                expected: "another line: '\(knob.name.name)' has it in line \(knob.sourceLine)")
        }
    }

    /// Parses an input device. Its name may contain commas.
    private func input(_ source: String, _ kind: InputCode.Kind) throws(ConfigurationError) -> Configuration.Input {
        var text = source.dropping(bytes: 6)
        var isGrabbed = false
        let ending = ",grab"
        if text.utf8.count > ending.utf8.count, text.utf8.suffix(ending.utf8.count).elementsEqual(ending.utf8) {
            isGrabbed = true
            text = String(Substring(text.utf8.dropLast(ending.utf8.count)))
        }
        let at = text.utf8.firstIndex(of: UInt8(ascii: "@"))
        let key = INIFile.trimmed(at.map { String(text[..<$0]) } ?? text)
        let device = INIFile.trimmed(at.map { String(text[text.utf8.index(after: $0)...]) } ?? "")
        if at != nil && device.isEmpty { throw error("no device behind '@'", expected: "its name, as evtest shows it") }
        let isKey = kind == .key
        guard let code = InputCode(parsing: key), code.kind == kind else {
            let name = INIFile.trimmed(key.parts(between: ",").first ?? "")
            throw error(
                (isKey ? "unknown key" : "unknown axis") + " '\(key)'",
                expected: (Spelling.nearest(to: name, among: InputCode.names(kind)).map { "'\($0)' perhaps: " } ?? "")
                    + (isKey
                        ? "a name such as KEY_PLAYPAUSE or a number, as evtest shows them, then [@DEVICE][,grab]"
                        : oneOf("", InputCode.names(kind))))
        }
        return Configuration.Input(code: code, device: device, isGrabbed: isGrabbed)
    }

    /// Returns the only spelling of a line: "17" becomes "GPIO17", and "/dev/gpiochip0:17" becomes "gpiochip0:17".
    private func gpioLine(_ text: String) throws(ConfigurationError) -> String {
        let line = text.begins(with: "/dev/") ? text.dropping(bytes: 5) : text
        if line.isEmpty || line.utf8.contains(where: { $0 == 0x20 || $0 == 0x09 || $0 == UInt8(ascii: "=") }) {
            throw error(
                "no GPIO line in '\(text)'",
                expected: "a line such as GPIO17, 17 or gpiochip0:17, then options behind commas")
        }
        if let number = Int(line) {
            if number < 0 { throw error("line '\(text)'", expected: "a BCM number from 0") }
            return "GPIO\(number)"
        }
        return line
    }

    // MARK: [haptics]

    mutating func setHapticLine(_ value: String) throws(ConfigurationError) {
        if value.isEmpty { return }
        let parts = value.parts(between: ",", keepingEmpty: true).map { INIFile.trimmed($0) }
        result.haptics.line = try gpioLine(parts[0])
        result.haptics.sourceLine = line
        for option in parts.dropFirst() {
            if option != "active-low" {
                throw error("unknown option '\(option)'", expected: oneOf(option, ["active-low"]))
            }
            result.haptics.isActiveLow = true
        }
    }

    func pwmChannel(_ value: String) throws(ConfigurationError) -> Configuration.PWM? {
        if value.isEmpty { return nil }
        let name = value.pathName
        guard let channel = Int(name), (0...255).contains(channel), value.utf8.count > name.utf8.count + 1 else {
            throw error("\(key) '\(value)'", expected: "CHIP/CHANNEL, such as pwmchip0/0")
        }
        return Configuration.PWM(chip: value.pathFolder, channel: channel)
    }

    /// Checks the haptic line at the end: buttons may come before it in the file, or after it.
    mutating func checkHapticLine() throws(ConfigurationError) {
        if result.haptics.line.isEmpty { return }
        line = result.haptics.sourceLine
        if result.haptics.pwm != nil { throw error("both line and pwm under [haptics]", expected: "one of them") }
        try checkFree(result.haptics.line, for: "haptics")
    }
}
