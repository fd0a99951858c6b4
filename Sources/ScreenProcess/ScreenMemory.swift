// SPDX-License-Identifier: Apache-2.0
import Configuration
import Model
import Posix
import Scenes

/// Keeps the settings made at the screen over a restart, in a small file, since the screen has no database. Other settings follow the
/// configuration.
final class ScreenMemory {
    private let path: String?
    private var kept: [(name: SettingName, value: String)] = []
    private let write: ([UInt8], String) -> Void
    private static let mostBytes = 4096

    /// - Parameters:
    ///   - folder: the service manager's folder; nil to keep nothing.
    ///   - write: replaces a file atomically, at a later time.
    init(folder: String?, write: @escaping ([UInt8], String) -> Void) {
        path = folder.map { $0 + "/settings" }
        self.write = write
        guard let path, let bytes = try? Files.readToEnd(path, limit: ScreenMemory.mostBytes) else { return }
        for line in String(decoding: bytes, as: UTF8.self).utf8.split(separator: 0x0A) {
            let parts = line.split(separator: 0x20, maxSplits: 1).map { String(Substring($0)) }
            if parts.count == 2, let name = SettingName(word: parts[0]) {
                kept.append((name, parts[1]))
            }
        }
    }

    /// Applies the saved settings over the configured ones. Invalid values are ignored.
    func restore(_ settings: inout Configuration.Screen) {
        for (name, value) in kept {
            let number = Int(value)
            switch name {
            case .brightness: if let number, (5...100).contains(number) { settings.brightness = number }
            case .textSize: if let number, (50...310).contains(number) { settings.textPercent = number }
            case .theme:
                switch value {
                case "light": settings.theme = .light
                case "dark": settings.theme = .dark
                case "hour": settings.theme = .byHour
                default: break
                }
            case .reducedMotion: settings.reducesMotion = value == "on"
            case .reducedTransparency: settings.reducesTransparency = value == "on"
            case .increasedContrast: settings.hasMoreContrast = value == "on"
            case .lowPower: settings.savesPower = value == "on"
            case .speed, .volume, .sleep, .network, .household, .about, .speaker: break
            }
        }
    }

    /// Saves a changed setting.
    func keep(_ name: SettingName, of settings: Configuration.Screen) {
        func word(_ isOn: Bool) -> String { isOn ? "on" : "off" }
        let value: String
        switch name {
        case .brightness: value = "\(settings.brightness)"
        case .textSize: value = "\(settings.textPercent)"
        case .theme:
            switch settings.theme {
            case .light: value = "light"
            case .dark: value = "dark"
            case .byHour: value = "hour"
            }
        case .reducedMotion: value = word(settings.reducesMotion)
        case .reducedTransparency: value = word(settings.reducesTransparency)
        case .increasedContrast: value = word(settings.hasMoreContrast)
        case .lowPower: value = word(settings.savesPower)
        // The speaker keeps these settings.
        case .speed, .volume, .sleep, .network, .household, .about, .speaker: return
        }
        kept.removeAll { $0.name == name }
        kept.append((name, value))
        guard let path else { return }
        var text = ""
        for (name, value) in kept { text += name.word + " " + value + "\n" }
        write(Array(text.utf8), path)
    }
}
