import Core

/// Times and dates as they are read.
enum Words {
    static func twoDigits(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }

    /// "3:05", "1:02:33".
    static func time(_ milliseconds: Int) -> String {
        let seconds = max(0, milliseconds) / 1000
        let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60)
        if hours > 0 { return "\(hours):" + twoDigits(minutes) + ":" + twoDigits(rest) }
        return "\(minutes):" + twoDigits(rest)
    }

    /// What hinders the speaker, and what a person can do about it.
    static func trouble(_ trouble: Trouble) -> (title: String, advice: String) {
        switch trouble {
        case .noSoundDevice: ("No sound card", "Is the DAC plugged in?")
        case .fileMissing: ("The recording is away", "Is its disk plugged in?")
        case .streamAwaited: ("Waiting for the network", "It goes on by itself.")
        case .noAudioFound: ("Nothing to play yet", "The library says how to fill it.")
        case .lookingForAudio: ("Looking for audio", "It is there in a moment.")
        case .clockNotSet: ("Clock is not set", "The alarm waits for it.")
        }
    }

    /// "14 min", "3 h 5 min", "under 1 min".
    static func minutes(_ milliseconds: Int) -> String {
        let minutes = (milliseconds + 30_000) / 60_000
        if minutes < 1 { return "under 1 min" }
        if minutes < 60 { return "\(minutes) min" }
        return minutes % 60 == 0 ? "\(minutes / 60) h" : "\(minutes / 60) h \(minutes % 60) min"
    }

    /// "1.25×"; "2×".
    static func speed(_ percent: Int) -> String {
        let hundredths = percent % 100
        if hundredths == 0 { return "\(percent / 100)×" }
        return hundredths % 10 == 0
            ? "\(percent / 100).\(hundredths / 10)×" : "\(percent / 100)." + twoDigits(hundredths) + "×"
    }

    /// "7:05" of minutes of the day.
    static func clock(_ minute: Int) -> String { "\(minute / 60):" + twoDigits(minute % 60) }

    /// "May 21"; "" where the day is not known.
    static func date(_ month: Int, _ day: Int) -> String {
        let names = [
            "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
            "November", "December",
        ]
        return names.indices.contains(month - 1) ? names[month - 1] + " \(day)" : ""
    }
}
