// SPDX-License-Identifier: Apache-2.0
import Core
import Text

// The state, in the people's language.

/// Returns a length such as "3 hours 20 minutes" or "45 minutes".
/// - Parameter minutes: 0 or more.
public func lengthWords(minutes: Int64) -> String {
    let rest = minutes % 60
    if minutes < 60 { return translated("%1 minute", plural: "%1 minutes", rest) }
    let hours = translated("%1 hour", plural: "%1 hours", minutes / 60)
    return rest == 0 ? hours : hours + " " + translated("%1 minute", plural: "%1 minutes", rest)
}

/// Returns a time such as "6:40", for people.
/// - Parameter minute: of the day.
public func clockWords(minute: Int) -> String { "\(minute / 60):" + (minute % 60 < 10 ? "0" : "") + "\(minute % 60)" }

extension Trouble {
    /// The text for people, short enough for two rows of sixteen characters.
    public var words: String { translated(text) }
}

extension Sleep {
    /// The setting in words, such as "30 min" or "end of chapter".
    public var words: String {
        switch self {
        case .off: translated("off")
        case .minutes(let minutes): translated("%1 min", "\(minutes)")
        case .chapter: translated("end of chapter")
        case .chapters(let count): translated("%1 chapter", plural: "%1 chapters", Int64(count))
        case .item: translated("end of item")
        case .book: translated("end of book")
        }
    }
}

extension AlarmDays {
    /// The days in people's language; `words` has them in English, for the console.
    public var localWords: String {
        if bits == 0 { return translated("once") }
        if bits == 127 { return translated("daily") }
        return spelled(by: AlarmDays.localName)
    }

    private static func localName(_ day: Int) -> String {
        switch day {
        case 0: translated("mon")
        case 1: translated("tue")
        case 2: translated("wed")
        case 3: translated("thu")
        case 4: translated("fri")
        case 5: translated("sat")
        default: translated("sun")
        }
    }
}

extension VoiceManner {
    public var words: String {
        switch self {
        case .always: translated("Says everything")
        case .menu: translated("In the menu")
        case .byDay: translated("By day only")
        }
    }
}
