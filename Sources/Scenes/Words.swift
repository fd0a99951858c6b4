// SPDX-License-Identifier: Apache-2.0
import Core
import Design
import Model
import Text
import Typography

/// The written form of times and dates.
enum Words {
    static func twoDigits(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }

    /// Returns a duration as "3:05" or "1:02:33".
    static func time(_ milliseconds: Int) -> String {
        let seconds = max(0, milliseconds) / 1000
        let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60)
        if hours > 0 { return "\(hours):" + twoDigits(minutes) + ":" + twoDigits(rest) }
        return "\(minutes):" + twoDigits(rest)
    }

    /// Returns the words for a trouble and its remedy.
    /// - Parameter name: the name of the missing stick, or of the program that uses the sound card; nil if unknown.
    static func trouble(_ trouble: Trouble, name: String? = nil) -> (title: String, advice: String) {
        switch trouble {
        case .noSoundDevice: (translated("No sound card"), translated("Is the DAC plugged in?"))
        case .soundDeviceBusy:
            (
                trouble.words,
                name.map { translated("%1 plays here", $0) } ?? translated("Another program plays on it.")
            )
        case .fileMissing:
            (
                name.map { translated("%1 is missing", $0) } ?? translated("The recording is away"),
                translated("Is its disk plugged in?")
            )
        case .streamAwaited: (translated("Waiting for the network"), translated("It goes on by itself."))
        case .noNetwork, .noServer, .serverSilent, .serverRefuses:
            (trouble.words, translated("It goes on by itself."))
        case .cannotPlay: (trouble.words, translated("Choose another one."))
        case .queueEmpty: (translated("Nothing is chosen"), trouble.words)
        case .noAudioFound: (translated("Nothing to play yet"), translated("The library says how to fill it."))
        case .lookingForAudio: (translated("Looking for audio"), translated("It is there in a moment."))
        case .settingsMistaken: (translated("A setting is mistaken"), translated("About names the line."))
        case .clockNotSet: (translated("Clock is not set"), translated("The alarm waits for it."))
        }
    }

    /// Returns a duration as "14 min", "3 h 5 min" or "under 1 min".
    static func minutes(_ milliseconds: Int) -> String {
        let minutes = rounded(milliseconds)
        if minutes < 1 { return translated("under 1 min") }
        if minutes < 60 { return translated("%1 min", "\(minutes)") }
        return minutes % 60 == 0
            ? translated("%1 h", "\(minutes / 60)") : translated("%1 h %2 min", "\(minutes / 60)", "\(minutes % 60)")
    }

    /// Returns a speed as "1.25×" or "2×".
    static func speed(_ percent: Int) -> String {
        let hundredths = percent % 100
        if hundredths == 0 { return "\(percent / 100)×" }
        return withDecimalSign(
            "\(percent / 100)." + (hundredths % 10 == 0 ? "\(hundredths / 10)" : twoDigits(hundredths))) + "×"
    }

    /// Returns the line below a clock: the date and the coming events of the night. Without room for all, the date goes.
    static func belowClock(
        _ state: SpeakerStatus, sleep: Sleep = .off, _ stage: Stage, _ style: TypeStyle, width: Int
    ) -> String {
        var words: [String] = []
        if sleep != .off { words.append(translated("sleep: %1", sleep.words)) }
        if let alarm = state.alarm { words.append(alarm.title) }
        let date = date(state.month, state.day)
        let short = words.joined(separator: " · ")
        if date.isEmpty { return short }
        let all = ([date] + words).joined(separator: " · ")
        return words.isEmpty || !stage.set(all, style, width: width).isTruncated ? all : short
    }

    /// Returns a date as "May 21"; "" if it is unknown.
    static func date(_ month: Int, _ day: Int) -> String {
        let day = "\(day)"
        return switch month {
        case 1: translated("January %1", day)
        case 2: translated("February %1", day)
        case 3: translated("March %1", day)
        case 4: translated("April %1", day)
        case 5: translated("May %1", day)
        case 6: translated("June %1", day)
        case 7: translated("July %1", day)
        case 8: translated("August %1", day)
        case 9: translated("September %1", day)
        case 10: translated("October %1", day)
        case 11: translated("November %1", day)
        case 12: translated("December %1", day)
        default: ""
        }
    }
}
