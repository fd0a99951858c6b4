// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Media
import Model

/// The settings of the speaker itself.
extension Speaker {
    /// The choices of the highest volume, in percent.
    private static let loudnesses = [30, 40, 50, 60, 70, 80, 90, 100]

    /// The choices of a file's skipped beginning and end, in seconds.
    private static let skips = [0, 5, 10, 15, 20, 30, 45, 60, 90, 120, 180]

    /// Returns a setting's status; nil if there is no choice: without a voice, with one language, without headings of several levels, or
    /// without such parts.
    public func status(of setting: SpeakerSetting) -> SettingStatus? {
        switch setting {
        case .loudest:
            return SettingStatus(setting, "\(loudestPercent)", choices: Speaker.loudnesses.map { "\($0)" })
        case .language:
            guard let languages = audience.languages, languages.all.count > 1 else { return nil }
            return SettingStatus(setting, languages.current, choices: languages.all)
        case .voice:
            guard let answers = audience.answers else { return nil }
            return SettingStatus(setting, answers.manner.rawValue, choices: VoiceManner.allCases.map { $0.rawValue })
        case .headings:
            // The levels of the book's headings; the lowest one means all headings.
            let list = bookOfFiles == nil ? headingsOfBook : headings
            let levels = Set(list.map { $0.chapter.level }).filter { $0 > 0 }.sorted().dropLast()
            if levels.isEmpty { return nil }
            let choices = levels.map { "\($0)" } + ["\(SpeakerSetting.lowestHeading)"]
            let chosen = "\(rules.headingLevel)"
            return SettingStatus(setting, choices.contains(chosen) ? chosen : choices.last ?? chosen, choices: choices)
        case .repeats:
            guard rules.repeatsBook || currentItem.map({ library.isPartOfBook($0.id) }) ?? false else { return nil }
            return SettingStatus(setting, rules.repeatsBook ? "book" : "off", choices: ["off", "book"])
        case .skipStart, .skipEnd:
            guard currentItem != nil, player.track?.isLive != true else { return nil }
            let seconds = setting == .skipStart ? skipped.ends.start : skipped.ends.end
            return SettingStatus(setting, "\(seconds)", choices: Speaker.skips.map { "\($0)" })
        case .pageNumbers, .notes, .producerNotes, .sidebars:
            let isSkipped = skipped.wanted.contains(setting.skippableParts)
            // A skipped kind can always be switched back on, whatever plays.
            if !isSkipped && !skipped.offered.contains(setting.skippableParts) { return nil }
            return SettingStatus(setting, isSkipped ? "skip" : "play", choices: ["play", "skip"])
        }
    }

    /// Changes a setting from now on, and saves it. A language changes once its words were read.
    /// - Returns: false if the value is none of the choices.
    public func choose(_ value: String, of setting: SpeakerSetting) -> Bool {
        guard let status = status(of: setting) else { return false }
        guard setting.takesAnyNumber || status.choices.contains(value) else { return false }
        switch setting {
        case .loudest: setLoudest(Int(value) ?? 100)
        case .language:
            audience.languages?.speak(value) { [self] isSpoken in
                if !isSpoken {
                    audience.warn("[people] language: no words in '\(value)' any more, so they are as they were")
                    return audience.announce(.notSaved)
                }
                library.save(language: value)
                places.didWrite()
                audience.didChange(.modes)
            }
        case .voice:
            guard let manner = VoiceManner(rawValue: value) else { return false }
            audience.answers?.manner = manner
            library.save(manner)
            places.didWrite()
        case .headings:
            rules.headingLevel = Int(value) ?? SpeakerSetting.lowestHeading
            library.save(headingLevel: rules.headingLevel)
            places.didWrite()
        case .repeats:
            rules.repeatsBook = value == "book"
            library.save(repeatsBook: rules.repeatsBook)
            places.didWrite()
            player.followingDidChange()
        case .skipStart, .skipEnd:
            guard let item = currentItem, let seconds = Int(value), (0...SkippedEnds.most).contains(seconds) else {
                return false
            }
            var ends = skipped.ends
            if setting == .skipStart { ends.start = seconds } else { ends.end = seconds }
            guard library.save(skipped: ends == .none ? nil : ends, forBookOf: item.id) else {
                audience.announce(.notSaved)
                return false
            }
            skipped.set(ends)
            places.didWrite()
            player.followingDidChange()
        case .pageNumbers, .notes, .producerNotes, .sidebars:
            var parts = skipped.wanted
            if value == "skip" { parts.insert(setting.skippableParts) } else { parts.remove(setting.skippableParts) }
            skipped.set(parts, transcripts.transcript)
            library.save(skipped: parts)
            places.didWrite()
        }
        if setting != .language { audience.didChange(.modes) }
        return true
    }
}
