// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Text

/// All texts of the speaker for people, short enough for two rows of sixteen characters.
extension Notice {
    public var words: String {
        switch self {
        case .addedToFavourites: translated("Added to Favorites")
        case .removedFromFavourites: translated("Removed from Favorites")
        case .alreadyFavourite: translated("Already in Favorites")
        case .bookmarkAdded: translated("Bookmark added")
        case .bookmarkRemoved: translated("Bookmark removed")
        case .bookmarkThere: translated("Already a bookmark")
        case .notSaved: translated("Could not be saved")
        case .firstItem: translated("First item")
        case .lastItem: translated("Last item")
        case .loudest: translated("Volume at its highest")
        case .quietest: translated("Volume at its lowest")
        case .fastest: translated("Speed at its highest")
        case .slowest: translated("Speed at its lowest")
        case .isLive: translated("Live, at its own speed")
        case .cannotPlay: translated("Cannot play this")
        case .fileMissing: translated("File is missing")
        case .stickMissing(let name): translated("%1 is missing", name)
        case .nothingToPlay: translated("Nothing to play")
        case .lookingForAudio: translated("Looking for audio")
        case .queueFull: translated("The queue is full")
        case .goodbye: translated("Good night")
        case .noTranscript: translated("There is no transcript")
        case .firstSentence: translated("First sentence")
        case .lastSentence: translated("Last sentence")
        case .loopBegins: translated("Repeat from here")
        case .loopOn: translated("Repeating")
        case .loopOff: translated("Repeat is off")
        case .loopInOneFile: translated("Within one file only")
        case .nothingChosen: translated("Nothing is chosen")
        case .alarmSet: translated("Alarm is set")
        case .alarmOff: translated("Alarm is off")
        case .alarmRemoved: translated("Alarm is deleted")
        case .snoozing: translated("Snooze, %1 min", "\(Alarm.snoozeMinutes)")
        case .voiceOn: translated("The voice is on")
        case .voiceOff: translated("The voice is off")
        case .noVoice: translated("No voice here")
        case .locked: translated("Buttons locked")
        case .unlocked: translated("Buttons act")
        case .describing: translated("Buttons explain")
        case .connected(let name): translated("%1 connected", name)
        case .cannotConnect(let name): translated("%1: no connection", name)
        case .wifiOpen(let name): translated("Join Wi-Fi %1", name)
        case .wifiJoined: translated("Wi-Fi joined")
        case .wifiClosed: translated("No Wi-Fi joined")
        case .hint(let words): words
        case .heardElsewhere: translated("Heard further")
        case .passedOver(let title, let isMissing): title + ": " + (isMissing ? Notice.fileMissing : .cannotPlay).words
        }
    }
}

extension SpeakerStatus {
    /// The words for the trouble, shown as long as it lasts.
    public var standingWords: String? {
        if let words = alarm?.words { return words }
        return switch (trouble, filesSeen) {
        case (nil, let files?), (.lookingForAudio, let files?): Trouble.lookingForAudio.words + " " + grouped(files)
        case (.streamAwaited, _): bufferedMilliseconds.map(waiting) ?? Trouble.streamAwaited.words
        case (.noNetwork?, _), (.noServer?, _), (.serverSilent?, _), (.serverRefuses?, _):
            (trouble?.words ?? "") + fetched
        case (.fileMissing?, _): missingStick.map { Notice.stickMissing($0).words } ?? trouble?.words
        case (.soundDeviceBusy?, _): guest.map { translated("%1 plays here", $0) } ?? trouble?.words
        case (let trouble, _): trouble?.words
        }
    }
}

extension SpeakerStatus {
    /// The fetched part of a waiting stream; "" for none.
    fileprivate var fetched: String {
        guard let buffered = bufferedMilliseconds, buffered >= 100 else { return "" }
        return " " + withDecimalSign("\(buffered / 1000).\(buffered / 100 % 10)") + " s"
    }
}

/// Returns "Waiting… 0.4 s", with three dots on an LCD of sixteen characters.
private func waiting(_ milliseconds: Int) -> String {
    let tenths = max(0, milliseconds) / 100
    return translated("Waiting… %1 s", withDecimalSign("\(tenths / 10)" + (tenths < 100 ? ".\(tenths % 10)" : "")))
}
