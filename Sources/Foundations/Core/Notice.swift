// SPDX-License-Identifier: Apache-2.0
/// A brief message to the listener: the result of a command. Each kind of screen shows it in its own way.
public enum Notice: Equatable, Sendable {
    case addedToFavourites
    case removedFromFavourites
    case alreadyFavourite
    /// The sentence being spoken was bookmarked, its bookmark was removed, or it is bookmarked already.
    case bookmarkAdded
    case bookmarkRemoved
    case bookmarkThere
    /// The disk refuses to save.
    case notSaved
    /// There is nothing before the current item.
    case firstItem
    /// There is nothing after the current item.
    case lastItem
    /// The volume is at its upper limit.
    case loudest
    /// The volume is at its lower limit.
    case quietest
    /// The speed is at its upper limit.
    case fastest
    /// The speed is at its lower limit.
    case slowest
    /// The stream is live and has only its own speed.
    case isLive
    /// The requested recording is no audio, or damaged.
    case cannotPlay
    /// The file or its disk is missing.
    case fileMissing
    /// The stick of that name is missing.
    case stickMissing(String)
    case nothingToPlay
    /// The library is still being scanned, and there is nothing to play yet.
    case lookingForAudio
    /// The queue is full.
    case queueFull
    /// The speaker is shutting down.
    case goodbye
    /// There is no transcript, so there are no sentences.
    case noTranscript
    /// There is no earlier sentence.
    case firstSentence
    /// There is no later sentence.
    case lastSentence
    /// The start of a repeated part is set.
    case loopBegins
    /// A part repeats from now on.
    case loopOn
    /// The repetition has ended.
    case loopOff
    /// The end of the repeated part would be in another file than its start.
    case loopInOneFile
    /// The request needs a current item, and there is none.
    case nothingChosen
    /// An alarm will ring, or will not ring.
    case alarmSet
    case alarmOff
    case alarmRemoved
    /// The alarm rings again in some minutes.
    case snoozing
    /// The voice is on, or off, or there is none.
    case voiceOn
    case voiceOff
    case noVoice
    /// The buttons are locked, unlocked, or describe themselves.
    case locked
    case unlocked
    case describing
    /// The headphones of that name are connected, or cannot be.
    case connected(String)
    case cannotConnect(String)
    /// The board offers an access point of that name for its Wi-Fi setup; it has joined a network; the setup has ended.
    case wifiOpen(String)
    case wifiJoined
    case wifiClosed
    /// The effect of a button that describes itself.
    case hint(String)
    /// Playback resumes at a later position, heard on another speaker.
    case heardElsewhere
    /// The chosen or next recording is unavailable; another one plays.
    case passedOver(title: String, isMissing: Bool)
}
