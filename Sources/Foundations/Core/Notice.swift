// SPDX-License-Identifier: Apache-2.0
/// A passing word to the person at the speaker: the result of a command. Screens say it for a moment, each in its own way.
public enum Notice: Equatable, Sendable {
    case addedToFavourites
    case removedFromFavourites
    case alreadyFavourite
    /// The sentence being spoken was kept, was forgotten, or is kept already.
    case bookmarkAdded
    case bookmarkRemoved
    case bookmarkThere
    /// The disk refuses to save.
    case notSaved
    /// There is nothing before it.
    case firstItem
    /// There is nothing after it.
    case lastItem
    /// The volume is at its upper limit.
    case loudest
    /// The volume is at its lower limit.
    case quietest
    /// It cannot be played faster.
    case fastest
    /// It cannot be played slower.
    case slowest
    /// The stream is live: at no other speed than its own.
    case isLive
    /// The wanted recording is no audio, or broken.
    case cannotPlay
    /// The file, or the disk that it is on, is away.
    case fileMissing
    /// The stick of that name is away.
    case stickMissing(String)
    case nothingToPlay
    /// The library is still being looked through, and nothing is there to be played yet.
    case lookingForAudio
    /// The queue takes no more.
    case queueFull
    /// The speaker is being switched off.
    case goodbye
    /// There is no transcript, so that there are no sentences to go by.
    case noTranscript
    /// There is no sentence before it.
    case firstSentence
    /// There is no sentence after it.
    case lastSentence
    /// A stretch that is to be repeated begins here.
    case loopBegins
    /// A stretch is repeated from now on.
    case loopOn
    /// And no more.
    case loopOff
    /// It was to end in another file than it began in.
    case loopInOneFile
    /// The request needs a current item, and there is none.
    case nothingChosen
    /// An alarm will ring, or will not.
    case alarmSet
    case alarmOff
    case alarmRemoved
    /// The alarm snoozes for some minutes.
    case snoozing
    /// The voice speaks from now on, or no longer; or there is none that could.
    case voiceOn
    case voiceOff
    case noVoice
    /// The buttons are locked, act again, or describe themselves.
    case locked
    case unlocked
    case describing
    /// Headphones of that name are connected, or cannot be.
    case connected(String)
    case cannotConnect(String)
    /// The board asks a phone for the Wi-Fi, by an access point of that name; it has joined one; it asks no longer.
    case wifiOpen(String)
    case wifiJoined
    case wifiClosed
    /// The effect of a button that describes itself.
    case hint(String)
    /// It goes on where it was heard last, which was on another speaker.
    case heardElsewhere
    /// The chosen or next recording is unavailable; another one plays.
    case passedOver(title: String, isMissing: Bool)
}
