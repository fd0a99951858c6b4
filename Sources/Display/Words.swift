import Core
import Model

/// All that the speaker says to a person, in one place: short enough for two rows of sixteen characters.
extension Notice {
    public var words: String {
        switch self {
        case .addedToFavourites: "Added to Favorites"
        case .removedFromFavourites: "Removed from Favorites"
        case .alreadyFavourite: "Already in Favorites"
        case .bookmarkAdded: "Bookmark added"
        case .bookmarkRemoved: "Bookmark removed"
        case .bookmarkThere: "Already a bookmark"
        case .notSaved: "Could not be saved"
        case .firstItem: "First item"
        case .lastItem: "Last item"
        case .loudest: "Volume at its highest"
        case .quietest: "Volume at its lowest"
        case .fastest: "Speed at its highest"
        case .slowest: "Speed at its lowest"
        case .isLive: "Live, at its own speed"
        case .cannotPlay: "Cannot play this"
        case .fileMissing: "File is missing"
        case .nothingToPlay: "Nothing to play"
        case .lookingForAudio: "Looking for audio"
        case .queueFull: "The queue is full"
        case .goodbye: "Good night"
        case .noTranscript: "There is no transcript"
        case .firstSentence: "First sentence"
        case .lastSentence: "Last sentence"
        case .loopBegins: "Repeat from here"
        case .loopOn: "Repeating"
        case .loopOff: "Repeat is off"
        case .loopInOneFile: "Within one file only"
        case .nothingChosen: "Nothing is chosen"
        case .alarmSet: "Alarm is set"
        case .alarmOff: "Alarm is off"
        case .snoozing: "Snooze, \(Alarm.snoozeMinutes) min"
        }
    }
}

extension SpeakerStatus {
    /// What is the matter, in words that stand for as long as it is.
    public var standingWords: String? {
        if let words = alarm?.words { return words }
        return switch (trouble, filesSeen) {
        case (nil, let files?), (.lookingForAudio, let files?): Trouble.lookingForAudio.words + " " + grouped(files)
        case (.streamAwaited, _): bufferedMilliseconds.map(waiting) ?? Trouble.streamAwaited.words
        case (let trouble, _): trouble?.words
        }
    }
}

/// "Waiting… 0.4 s", which an LCD of sixteen characters spells with three dots.
private func waiting(_ milliseconds: Int) -> String {
    let tenths = max(0, milliseconds) / 100
    return "Waiting\u{2026} " + (tenths < 100 ? "\(tenths / 10).\(tenths % 10)" : "\(tenths / 10)") + " s"
}

/// "1,204".
func grouped(_ number: Int) -> String {
    var digits: [UInt8] = []
    for (count, digit) in String(max(0, number)).utf8.reversed().enumerated() {
        if count > 0 && count % 3 == 0 { digits.append(UInt8(ascii: ",")) }
        digits.append(digit)
    }
    return String(decoding: digits.reversed(), as: UTF8.self)
}
