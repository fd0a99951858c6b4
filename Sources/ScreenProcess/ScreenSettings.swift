// SPDX-License-Identifier: Apache-2.0
import CPosix
import Configuration
import Core
import Design
import Display
import Model
import Posix
import Scenes
import Text
import Typography
import Wire

/// The settings of a screen. The configuration and the saved values determine how it starts.
final class ScreenSettings {
    private(set) var current: Configuration.Screen
    private let memory: ScreenMemory
    /// The version of the program.
    private let version: String
    private let libraryPath: String
    /// The network's state or trouble; "" before it is known.
    private var network = ""
    /// The household's state; "" without one.
    private var household = ""
    /// The speaker's settings, with their values in words.
    private var chosen: [(name: SettingName, words: String)] = []
    private var languages: (spoken: String, folder: String)
    static var speeds: [Int] { Overlay.speeds + [250, 300] }
    private static let textSizes = [80, 100, 120, 150, 200, 250, 310]

    /// - Parameters:
    ///   - language: the language in use already.
    ///   - wordsPath: the folder with the words of other languages.
    init(
        _ settings: Configuration.Screen, _ memory: ScreenMemory, version: String, libraryPath: String,
        language: String = "en", wordsPath: String = ""
    ) {
        current = settings
        languages = (language, wordsPath)
        memory.restore(&current)
        self.memory = memory
        self.version = version
        self.libraryPath = libraryPath
    }

    /// Switches to the speaker's language. Waits for a disk. Returns false if the language is in use already.
    func speak(_ language: String) -> Bool {
        if language.isEmpty || language == languages.spoken { return false }
        languages.spoken = language
        Translation.speak(language == "en" ? nil : Translation.Words(language, folder: languages.folder))
        return true
    }

    var isSimple: Bool { current.isSimple }

    /// The message for an empty library.
    var firstEvening: FirstEvening {
        FirstEvening(host: HostName.current, folder: libraryPath)
    }

    /// Returns the undimmed lamp, in percent. At night it is a quarter of the day's, and at least the dimmed value.
    func brightness(isNight: Bool) -> Int {
        if !isNight || current.theme == .light { return current.brightness }
        return max(min(current.brightness, current.dimBrightness), current.brightness / 4)
    }

    /// - Parameter minute: the minute of the day; nil if unknown, which counts as day.
    func isNight(_ minute: Int?) -> Bool {
        guard let minute, let night = current.night else { return false }
        return night.today.contains(minute: minute)
    }

    /// Returns the night theme at night, unless the listener wants light at any hour.
    func theme(isNight: Bool) -> Theme {
        let theme: Theme =
            switch current.theme {
            case .light: .light
            case .dark: isNight ? .night : .dark
            case .byHour: isNight ? .night : .light
            }
        return current.hasMoreContrast ? theme.withMoreContrast() : theme
    }

    /// Makes the stage for a panel.
    func makeStage(
        width: Int, height: Int, millimetres: Int?, isNight: Bool, families: [FontFamily]
    ) throws(MissingLibrary) -> Stage {
        let text = Float(current.textPercent) / 100
        let scale = PanelScale(width: width, height: height, millimetres: millimetres, textSize: text)
        let stage = try Stage(
            width: width, height: height, scale: scale, theme: theme(isNight: isNight), families: families)
        apply(to: stage)
        return stage
    }

    private func apply(to stage: Stage) {
        stage.comfort.reducesMotion = current.reducesMotion
        stage.comfort.reducesTransparency = current.reducesTransparency
        stage.comfort.savesPower = current.savesPower
    }

    func rows(_ state: SpeakerStatus) -> [SettingRow] {
        var rows = [
            SettingRow(.speed, state.speed.timesWords, .steps)
        ]
        if let volume = state.volumePercent { rows.append(SettingRow(.volume, "\(volume) %", .steps)) }
        rows.append(
            SettingRow(.sleep, state.sleep.titleWords, .steps))
        for choice in chosen { rows.append(SettingRow(choice.name, choice.words, .steps)) }
        let theme =
            switch current.theme {
            case .light: translated("Light")
            case .dark: translated("Dark")
            case .byHour: translated("By the hour")
            }
        rows += [
            SettingRow(.brightness, "\(current.brightness) %", .steps), SettingRow(.theme, theme, .steps),
            SettingRow(.textSize, "\(current.textPercent) %", .steps),
            SettingRow(.reducedMotion, "", .toggle(current.reducesMotion)),
            SettingRow(.reducedTransparency, "", .toggle(current.reducesTransparency)),
            SettingRow(.increasedContrast, "", .toggle(current.hasMoreContrast)),
            SettingRow(.lowPower, "", .toggle(current.savesPower)),
        ]
        if !network.isEmpty { rows.append(SettingRow(.network, network, .words)) }
        if !household.isEmpty { rows.append(SettingRow(.household, household, .words)) }
        rows.append(SettingRow(.about, "Nightstand " + version, .words))
        return rows
    }

    /// Requests the speaker's own settings.
    func askChoices(_ speaker: ScreenSpeaker, then: @escaping () -> Void) {
        speaker.ask("setting") { [self] answer in
            guard let answer, answer.refusal == nil else { return }
            let told = ScreenSettings.chosen(answer)
            if chosen.elementsEqual(told, by: ==) { return }
            chosen = told
            then()
        }
    }

    /// Requests the state of network and household, which cannot be set here.
    func askConnections(_ state: SpeakerStatus, _ speaker: ScreenSpeaker, then: @escaping () -> Void) {
        speaker.ask("household") { [self] answer in
            guard let answer, answer.refusal == nil else { return }
            let words = ScreenSettings.words(ofHousehold: answer)
            if household == words { return }
            household = words
            then()
        }
        func tell(_ words: String) {
            if network == words { return }
            network = words
            then()
        }
        speaker.ask("urlhandlers") { answer in
            guard let answer, answer.refusal == nil else { return }
            if !answer.fields.contains(where: { $0.value == "http://" }) { return tell(translated("Off")) }
            if state.trouble == .streamAwaited {
                return speaker.ask("status") { tell($0?.value("error") ?? Trouble.streamAwaited.words) }
            }
            speaker.ask("subscriptions") { tell(ScreenSettings.words(ofFeeds: $0)) }
        }
    }

    private static func words(ofHousehold answer: SpeakerLink.Answer) -> String {
        if answer.value("household") != "on" { return "" }
        if let problem = answer.value("problem") { return problem }
        guard let through = Int64(digits: (answer.value("through") ?? "").utf8, most: 9) else {
            return translated("Not yet shared")
        }
        return through < 60 ? translated("Shared just now") : translated("Shared %1 min ago", "\(through / 60)")
    }

    private static func chosen(_ answer: SpeakerLink.Answer) -> [(name: SettingName, words: String)] {
        var chosen: [(name: SettingName, words: String)] = []
        var name: SettingName?
        for field in answer.fields {
            if field.name == "setting" {
                name = SpeakerSetting(rawValue: field.value).map { .speaker($0) }
            } else if field.name == "words", let name {
                chosen.append((name, field.value))
            }
        }
        return chosen
    }

    /// Returns the words for podcasts that could not be fetched.
    private static func words(ofFeeds answer: SpeakerLink.Answer?) -> String {
        let problems = (answer?.fields ?? []).filter { $0.name == "problem" }.map { $0.value }
        guard let first = problems.first else { return translated("On") }
        return problems.allSatisfy { $0 == first }
            ? first
            : translated("%1 podcast cannot be fetched", plural: "%1 podcasts cannot be fetched", Int64(problems.count))
    }

    func change(
        _ name: SettingName, _ step: Element.Step, _ stage: Stage, _ state: SpeakerStatus, _ speaker: ScreenSpeaker
    ) {
        let isMore = step == .more
        switch name {
        case .speed:
            let speed = ScreenSettings.step(state.speed.percent, isMore, ScreenSettings.speeds)
            speaker.tell("speed " + Speed(percent: speed).text)
        case .volume: speaker.tell(isMore ? "volume +5" : "volume -5")
        case .sleep: speaker.tell("sleep " + state.sleep.step(forward: isMore, around: false).word)
        case .speaker: speaker.tell("setting " + name.word + (isMore ? " next" : " previous"))
        case .brightness: current.brightness = min(100, max(5, current.brightness + (isMore ? 10 : -10)))
        case .theme:
            let all: [Configuration.Screen.Theme] = [.light, .dark, .byHour]
            let at = all.firstIndex(of: current.theme) ?? 0
            current.theme = all[(at + (isMore ? 1 : 2)) % 3]
        case .textSize:
            current.textPercent = ScreenSettings.step(current.textPercent, isMore, ScreenSettings.textSizes)
            stage.setTextSize(Float(current.textPercent) / 100)
        case .reducedMotion: current.reducesMotion.toggle()
        case .reducedTransparency: current.reducesTransparency.toggle()
        case .increasedContrast: current.hasMoreContrast.toggle()
        case .lowPower: current.savesPower.toggle()
        case .network, .household, .about: break
        }
        memory.keep(name, of: current)
        apply(to: stage)
    }

    private static func step(_ value: Int, _ isMore: Bool, _ steps: [Int]) -> Int {
        isMore ? steps.first { $0 > value } ?? value : steps.last { $0 < value } ?? value
    }
}
