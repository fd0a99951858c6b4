// SPDX-License-Identifier: Apache-2.0
import Core
import Text

/// A listener's settings of the speaker itself: in its menu, on a panel, by a console.
public enum SpeakerSetting: String, CaseIterable, Sendable {
    /// The highest volume, in percent.
    case loudest
    /// Of what people read and hear, such as "de".
    case language
    /// When the voice answers, as `VoiceManner` has it.
    case voice
    /// The headings of a talking book that next and previous go by: those of this level, 1 to 6, and above.
    case headings
    /// The skippable parts of a talking book, "play" or "skip".
    case pageNumbers = "pagenumbers"
    case notes
    case producerNotes = "prodnotes"
    case sidebars
    /// The seconds that are not played at the beginning and at the end of each file of the current book.
    case skipStart = "skipstart"
    case skipEnd = "skipend"
    /// Whether a book begins anew at its end: "book" or "off".
    case repeats = "repeat"

    /// The parts of a talking book that it is about; none for another setting.
    public var skippableParts: SkippableParts {
        switch self {
        case .pageNumbers: .pageNumbers
        case .notes: .notes
        case .producerNotes: .producerNotes
        case .sidebars: .sidebars
        case .loudest, .language, .voice, .headings, .skipStart, .skipEnd, .repeats: []
        }
    }

    /// Whether other numbers than the choices can be set.
    public var takesAnyNumber: Bool { self == .skipStart || self == .skipEnd }

    /// The lowest level of a heading.
    public static let lowestHeading = 6

    /// As a person reads it.
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

    /// Returns the words for a value. A language has its own name, so that a listener who reads no other finds it.
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
    /// Values that can be chosen, in their order.
    public var choices: [String]

    public init(_ setting: SpeakerSetting, _ value: String, choices: [String]) {
        self.setting = setting
        self.value = value
        self.choices = choices
    }

    /// The next of the choices, or the one before; the last one, or the first, where there is none.
    public func stepped(forward: Bool) -> String {
        if choices.isEmpty { return value }
        // From a value between two of them the next is the one that is above it.
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
