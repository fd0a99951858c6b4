import Configuration
import Console
import Core
import Design
import Display
import Model
import Scenes

/// What a person has set at the screen: the configuration, and what was kept from before, say how it begins.
final class ScreenSettings {
    private var settings: Configuration.Screen
    private let memory: ScreenMemory
    /// Whether the speaker fetches anything, or what hinders it; "" before it has said so.
    private var network = ""
    private static let speeds = [50, 75, 90, 100, 110, 125, 150, 175, 200, 250, 300]
    private static let textSizes = [80, 100, 120, 150, 200, 250, 310]

    init(_ settings: Configuration.Screen, _ memory: ScreenMemory) {
        self.settings = settings
        self.memory = memory
    }

    var brightness: Int { settings.brightness }
    var textPercent: Int { settings.textPercent }

    /// - Parameter isNight: whether the configuration has it dark now.
    func isDark(isNight: Bool) -> Bool {
        switch settings.theme {
        case .light: false
        case .dark: true
        case .byHour: isNight
        }
    }

    /// Whether what the speaker itself has set is the same.
    static func isAlike(_ one: SpeakerStatus, _ other: SpeakerStatus) -> Bool {
        one.volumePercent == other.volumePercent && one.speed.percent == other.speed.percent && one.sleep == other.sleep
    }

    func rows(_ state: SpeakerStatus) -> [SettingRow] {
        var rows = [SettingRow(.speed, ScreenSettings.decimal(state.speed.percent) + "\u{00D7}", .steps)]
        if let volume = state.volumePercent { rows.append(SettingRow(.volume, "\(volume) %", .steps)) }
        rows.append(
            SettingRow(.sleep, state.sleep == .off ? "Off" : ScreenSettings.capitalised(state.sleep.words), .steps))
        let theme =
            switch settings.theme {
            case .light: "Light"
            case .dark: "Dark"
            case .byHour: "By the hour"
            }
        rows += [
            SettingRow(.brightness, "\(settings.brightness) %", .steps), SettingRow(.theme, theme, .steps),
            SettingRow(.textSize, "\(settings.textPercent) %", .steps),
            SettingRow(.reducedMotion, "", .toggle(settings.reducesMotion)),
            SettingRow(.reducedTransparency, "", .toggle(settings.reducesTransparency)),
            SettingRow(.increasedContrast, "", .toggle(settings.hasMoreContrast)),
            SettingRow(.lowPower, "", .toggle(settings.savesPower)),
            SettingRow(.network, network, .words),
            SettingRow(.about, "Nightstand " + Main.version, .words),
        ]
        return rows.filter { $0.name != .network || !network.isEmpty }
    }

    /// Asks how it is with the network. It can be set in the configuration alone.
    func askNetwork(_ state: SpeakerStatus, _ speaker: ScreenSpeaker, then: @escaping () -> Void) {
        func tell(_ words: String) {
            if network == words { return }
            network = words
            then()
        }
        speaker.ask("urlhandlers") { answer in
            guard let answer, answer.refusal == nil else { return }
            if !answer.fields.contains(where: { $0.value == "http://" }) { return tell("Off") }
            if state.trouble == .streamAwaited {
                return speaker.ask("status") { tell($0?.value("error") ?? Trouble.streamAwaited.words) }
            }
            speaker.ask("subscriptions") { tell(ScreenSettings.words(ofFeeds: $0)) }
        }
    }

    /// Of podcasts that could not be asked for.
    private static func words(ofFeeds answer: SpeakerLink.Answer?) -> String {
        let problems = (answer?.fields ?? []).filter { $0.name == "problem" }.map { $0.value }
        guard let first = problems.first else { return "On" }
        return problems.allSatisfy { $0 == first } ? first : "\(problems.count) podcasts cannot be fetched"
    }

    func change(
        _ name: SettingName, _ step: Element.Step, _ stage: Stage, _ state: SpeakerStatus, _ speaker: ScreenSpeaker
    ) {
        let isMore = step == .more
        switch name {
        case .speed:
            let speed = ScreenSettings.step(state.speed.percent, isMore, ScreenSettings.speeds)
            speaker.tell("speed " + ScreenSettings.decimal(speed))
        case .volume: speaker.tell(isMore ? "volume +5" : "volume -5")
        case .sleep: speaker.tell("sleep " + state.sleep.step(forward: isMore, around: false).word)
        case .brightness: settings.brightness = min(100, max(5, settings.brightness + (isMore ? 10 : -10)))
        case .theme:
            let all: [Configuration.Screen.Theme] = [.light, .dark, .byHour]
            let at = all.firstIndex(of: settings.theme) ?? 0
            settings.theme = all[(at + (isMore ? 1 : 2)) % 3]
        case .textSize:
            settings.textPercent = ScreenSettings.step(settings.textPercent, isMore, ScreenSettings.textSizes)
            stage.scale = PanelScale(factor: stage.scale.factor, textSize: Float(settings.textPercent) / 100)
        case .reducedMotion: settings.reducesMotion.toggle()
        case .reducedTransparency: settings.reducesTransparency.toggle()
        case .increasedContrast: settings.hasMoreContrast.toggle()
        case .lowPower: settings.savesPower.toggle()
        case .network, .about: break
        }
        memory.keep(name, of: settings)
        stage.comfort.reducesMotion = settings.reducesMotion
        stage.comfort.reducesTransparency = settings.reducesTransparency
        stage.comfort.savesPower = settings.savesPower
        stage.theme = Theme(isDark: stage.theme.isDark, hasMoreContrast: settings.hasMoreContrast)
    }

    /// "End of chapter".
    private static func capitalised(_ words: String) -> String {
        var bytes = Array(words.utf8)
        if let first = bytes.first, first >= 0x61 && first <= 0x7A { bytes[0] = first - 32 }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func step(_ value: Int, _ isMore: Bool, _ steps: [Int]) -> Int {
        isMore ? steps.first { $0 > value } ?? value : steps.last { $0 < value } ?? value
    }

    /// "1.25" of 125.
    private static func decimal(_ percent: Int) -> String {
        let rest = percent % 100
        if rest == 0 { return "\(percent / 100)" }
        return "\(percent / 100)." + (rest % 10 == 0 ? "\(rest / 10)" : rest < 10 ? "0\(rest)" : "\(rest)")
    }
}
