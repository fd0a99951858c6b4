import Posix

extension ConfigurationReader {
    static let screenKeys = [
        "enabled", "device", "output", "rotation", "layout", "scale", "text_size", "theme", "night", "backlight",
        "brightness",
        "dim_brightness", "dim_seconds", "off_seconds", "off_at_night", "reduce_motion", "reduce_transparency",
        "contrast", "low_power", "input", "calibration", "fonts",
    ]

    mutating func setScreen(_ key: String, _ value: String) throws(ConfigurationError) {
        switch key {
        case "enabled": result.screen.isEnabled = try isYes(key, value)
        case "device":
            if !value.isEmpty && !value.begins(with: "/dev/") {
                throw error("device is '\(value)'", expected: "such as /dev/dri/card0 or /dev/fb1, or nothing")
            }
            result.screen.device = value
        case "output":
            switch value {
            case "auto": result.screen.output = .automatic
            case "flip": result.screen.output = .flip
            case "update": result.screen.output = .update
            case "fb": result.screen.output = .framebuffer
            default: throw error("output is '\(value)'", expected: oneOf(value, ["auto", "flip", "update", "fb"]))
            }
        case "rotation":
            let degrees = try number(key, value, 0...270)
            if degrees % 90 != 0 { throw error("rotation is \(degrees)", expected: "0, 90, 180 or 270") }
            result.screen.rotation = degrees
        case "layout":
            if value != "full" && value != "simple" {
                throw error("layout is '\(value)'", expected: oneOf(value, ["full", "simple"]))
            }
            result.screen.isSimple = value == "simple"
        case "scale": result.screen.scalePercent = value == "auto" ? 0 : try number(key, value, 25...400)
        case "text_size": result.screen.textPercent = try number(key, value, 50...400)
        case "theme":
            switch value {
            case "light": result.screen.theme = .light
            case "dark": result.screen.theme = .dark
            case "auto": result.screen.theme = .byHour
            default: throw error("theme is '\(value)'", expected: oneOf(value, ["light", "dark", "auto"]))
            }
        case "night": result.screen.night = try nightHours(key, value)
        case "backlight":
            if value.utf8.contains(UInt8(ascii: "/")) || value.begins(with: ".") {
                throw error("backlight is '\(value)'", expected: "a name in /sys/class/backlight, or nothing")
            }
            result.screen.backlight = value
        case "brightness": result.screen.brightness = try number(key, value, 1...100)
        case "dim_brightness": result.screen.dimBrightness = try number(key, value, 0...100)
        case "dim_seconds": result.screen.dimSeconds = try number(key, value, 0...86_400)
        case "off_seconds": result.screen.offSeconds = try number(key, value, 0...86_400)
        case "off_at_night": result.screen.isOffAtNight = try isYes(key, value)
        case "reduce_motion": result.screen.reducesMotion = try isYes(key, value)
        case "reduce_transparency": result.screen.reducesTransparency = try isYes(key, value)
        case "contrast":
            if value != "normal" && value != "more" {
                throw error("contrast is '\(value)'", expected: oneOf(value, ["normal", "more"]))
            }
            result.screen.hasMoreContrast = value == "more"
        case "low_power": result.screen.savesPower = try isYes(key, value)
        case "fonts": result.screen.fontsPath = try path(key, value, canBeEmpty: true)
        case "calibration": result.screen.calibration = try calibration(value)
        default: result.screen.hasInput = try isYes(key, value)
        }
    }

    private func calibration(_ value: String) throws(ConfigurationError) -> [Float] {
        if value.isEmpty { return [] }
        var numbers: [Float] = []
        for word in value.utf8.split(separator: 0x20) {
            if let number = Decimals.number(Array(word)) { numbers.append(number) }
        }
        if numbers.count == 6 { return numbers }
        throw error(
            "calibration is '\(value)'", expected: "six numbers, such as 1 0 0 0 1 0, or nothing")
    }
}

/// Decimal numbers without what the C library's would bring along: its locale.
enum Decimals {
    /// "-1.25"; nil for what is none, or has an exponent.
    static func number(_ bytes: [UInt8]) -> Float? {
        var rest = bytes[...]
        var sign: Float = 1
        if rest.first == UInt8(ascii: "-") {
            sign = -1
            rest = rest.dropFirst()
        }
        var value: Float = 0
        var unit: Float = 0
        var digits = 0
        for byte in rest {
            if byte == UInt8(ascii: ".") && unit == 0 {
                unit = 1
            } else if byte >= 0x30 && byte <= 0x39 {
                digits += 1
                // Fits: a Float goes to infinity.
                value = value * 10 + Float(byte - 0x30)
                if unit > 0 { unit *= 10 }
            } else {
                return nil
            }
        }
        return digits == 0 ? nil : sign * value / (unit > 0 ? unit : 1)
    }
}
