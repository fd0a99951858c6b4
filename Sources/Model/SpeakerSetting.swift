// SPDX-License-Identifier: Apache-2.0
import Core
import Text

/// A listener's settings of the speaker itself: in its menu, on a panel, on a console.
public enum SpeakerSetting: String, CaseIterable, Sendable {
    /// The highest volume, in percent.
    case loudest
    /// The language of texts and speech, such as "de".
    case language
    /// The manner of the voice's answers: a `VoiceManner`.
    case voice
    /// The lowest level of headings for next and previous in a talking book, 1 to 6: this and those above count.
    case headings
    /// The skippable parts of a talking book, "play" or "skip".
    case pageNumbers = "pagenumbers"
    case notes
    case producerNotes = "prodnotes"
    case sidebars
    /// The skipped seconds at the beginning and at the end of each file of the current book.
    case skipStart = "skipstart"
    case skipEnd = "skipend"
    /// "book" if a book starts again at its end, or "off".
    case repeats = "repeat"

    /// The parts of a talking book for this setting; none for other settings.
    public var skippableParts: SkippableParts {
        switch self {
        case .pageNumbers: .pageNumbers
        case .notes: .notes
        case .producerNotes: .producerNotes
        case .sidebars: .sidebars
        case .loudest, .language, .voice, .headings, .skipStart, .skipEnd, .repeats: []
        }
    }

    /// True if a listener can set other numbers than the choices.
    public var takesAnyNumber: Bool { self == .skipStart || self == .skipEnd }

    /// The lowest level of a heading.
    public static let lowestHeading = 6

    /// The setting's name for people.
    public var words: String {
        switch self {
        case .loudest: translated("Loudest")
        case .language: translated("Language")
        case .voice: translated("Voice")
        case .headings: translated("Headings")
        case .pageNumbers: translated("Page numbers")
        case .notes: translated("Notes")
        case .producerNotes: translated("Producer notes")
        case .sidebars: translated("Sidebars")
        case .skipStart: translated("Skip the beginning")
        case .skipEnd: translated("Skip the end")
        case .repeats: translated("Repeat")
        }
    }

    /// Returns the words for a value. A language has its own name, so that its speakers find it.
    public func words(of value: String) -> String {
        switch self {
        case .loudest: return value + " %"
        case .skipStart, .skipEnd: return value == "0" ? translated("off") : value + " s"
        case .voice: return VoiceManner(rawValue: value)?.words ?? value
        case .repeats: return value == "book" ? translated("The book") : translated("off")
        case .pageNumbers, .notes, .producerNotes, .sidebars:
            return value == "skip" ? translated("Skip") : translated("Read aloud")
        case .headings:
            return value == "\(SpeakerSetting.lowestHeading)" ? translated("All") : translated("Level %1", value)
        case .language:
            switch value {
            case "de": return "Deutsch"
            case "en": return "English"
            case "es": return "Español"
            case "fr": return "Français"
            case "it": return "Italiano"
            case "nl": return "Nederlands"
            case "pl": return "Polski"
            case "pt": return "Português"
            default: return value
            }
        }
    }
}

/// The state of one setting.
public struct SettingStatus: Equatable, Sendable {
    public var setting: SpeakerSetting
    public var value: String
    /// The values to choose from, in their order.
    public var choices: [String]

    public init(_ setting: SpeakerSetting, _ value: String, choices: [String]) {
        self.setting = setting
        self.value = value
        self.choices = choices
    }

    /// Returns the next or the previous choice; at the end of the choices the last one or the first.
    public func stepped(forward: Bool) -> String {
        if choices.isEmpty { return value }
        // Behind a value between two choices, the next is the one above it.
        let isBetween = choices[index] != value
        let place = forward ? index + (isBetween ? 0 : 1) : index - 1
        return choices[max(0, min(choices.count - 1, place))]
    }

    /// The index of the present choice, or of the one above it.
    public var index: Int {
        if let index = choices.firstIndex(of: value) { return index }
        guard setting == .loudest || setting.takesAnyNumber, let number = Int(value) else { return 0 }
        return choices.firstIndex { Int($0) ?? 0 >= number } ?? max(0, choices.count - 1)
    }
}
