// SPDX-License-Identifier: Apache-2.0
/// A person's request to the speaker, by button, touch, key or remote control.
public enum Command: Equatable, Sendable {
    /// The request of an unbound gesture.
    case none
    case playPause
    case play
    case pause
    case stop
    /// Adds the current item to the favourites, or takes it out.
    case toggleFavourite
    /// Keeps the sentence being spoken, or forgets it.
    case toggleBookmark
    case next
    case previous
    /// Forward where positive, back where negative.
    case skip(milliseconds: Int)
    /// To a place in the current item.
    case seek(milliseconds: Int)
    /// Percentage points: louder where positive.
    case volume(step: Int)
    /// 0…100.
    case setVolume(percent: Int)
    /// Percent of the pace at which it was spoken: faster where positive.
    case speed(step: Int)
    /// Plays an item of the library: its entry in the queue, or a new entry behind the current one. A file of a book begins at its beginning,
    /// all else where it was left.
    case playItem(ItemID)
    /// Plays an entry of the queue, likewise.
    case playEntry(id: Int)
    /// Along the sentences of the current item's transcript.
    case sentence(Sentence)
    /// A stretch of the current item again and again.
    case loop(Loop)
    /// To fall silent by itself.
    case sleep(Sleep)
    /// The next of `Sleep.steps`.
    case sleepStep
    /// Says what this is, when, and how much is left.
    case say
    /// The voice begins to speak where it was silent, and falls silent where it spoke, until this is asked again.
    case switchVoice
    /// Buttons say their commands and do nothing else, until this is asked again.
    case describe
    /// Buttons do nothing, until this is asked again. A ringing alarm hears them all the same.
    case lock
    /// Something else is to be heard: a doorbell, a child, a call.
    case interrupt(Interruption)
    /// To what rings.
    case alarm(AlarmAnswer)
    /// Through the speaker's own menu.
    case menu(Menu)
    /// A panel shows one of its screens. Nothing for the speaker itself to do.
    case screen(ScreenName)

    public enum Sentence: Equatable, Sendable {
        case next
        case previous
        /// The sentence that is spoken, or was last, from its start, and it plays.
        case again
    }

    public enum Interruption: Equatable, Sendable {
        /// For so long at the most; nil until it is ended.
        case begin(seconds: Int?)
        /// Playback continues, unless the interruption was long.
        case end

        /// The range of an interruption, in seconds.
        public static let lengths = 1...3600
    }

    /// By their words in the configuration and at the console.
    public enum AlarmAnswer: String, CaseIterable, Sendable {
        /// It rings again in some minutes.
        case snooze
        case end
    }

    /// Likewise.
    public enum Menu: String, CaseIterable, Sendable {
        /// Opens it; if it is open already, leaves it.
        case open
        case next
        case previous
        /// Goes into the list that one stands on, or does what stands there.
        case choose
        /// To the list that this one was come from; from the first of them, out of the menu.
        case back
        case leave
    }

    public enum Loop: Equatable, Sendable {
        /// The sentence that is spoken, or was last; and, where a stretch is repeated already, no more of it.
        case sentence
        /// The stretch begins here.
        case from
        /// The stretch ends here.
        case to
        case off
    }

    /// The default step of a volume button, in percentage points.
    public static let volumeStep = 5
}
