// SPDX-License-Identifier: Apache-2.0
/// A person's request to the speaker, by button, touch, key or remote control.
public enum Command: Equatable, Sendable {
    /// The command of an unbound gesture.
    case none
    case playPause
    case play
    case pause
    case stop
    /// Adds the current item to the favorites, or removes it.
    case toggleFavourite
    /// Bookmarks the sentence being spoken, or removes its bookmark.
    case toggleBookmark
    case next
    case previous
    /// Skips forward if positive, back if negative.
    case skip(milliseconds: Int)
    /// Seeks within the current item.
    case seek(milliseconds: Int)
    /// Changes the volume in percentage points; positive is louder.
    case volume(step: Int)
    /// Sets the volume, 0…100.
    case setVolume(percent: Int)
    /// Changes the speed in percent of the recorded pace; positive is faster.
    case speed(step: Int)
    /// Plays an item of the library: its entry in the queue, or a new entry behind the current one. A file of a book starts at its
    /// beginning; everything else resumes.
    case playItem(ItemID)
    /// Plays an entry of the queue in the same way.
    case playEntry(id: Int)
    /// Moves along the sentences of the current item's transcript.
    case sentence(Sentence)
    /// Repeats a part of the current item.
    case loop(Loop)
    /// Sets the sleep timer.
    case sleep(Sleep)
    /// Sets the sleep timer to the next of `Sleep.steps`.
    case sleepStep
    /// Says what is playing, the time of day, and the remaining time.
    case say
    /// Switches the voice on, or off if it is on.
    case switchVoice
    /// Makes buttons name their commands and do nothing else, or ends that.
    case describe
    /// Locks the buttons, or unlocks them. A ringing alarm still obeys them.
    case lock
    /// Interrupts playback for another sound: a doorbell, a child, a call.
    case interrupt(Interruption)
    /// Answers a ringing alarm.
    case alarm(AlarmAnswer)
    /// Moves through the speaker's own menu.
    case menu(Menu)
    /// Shows a screen on a panel. The speaker itself does nothing.
    case screen(ScreenName)

    public enum Sentence: Equatable, Sendable {
        case next
        case previous
        /// Plays the sentence being spoken, or spoken last, from its start.
        case again
    }

    public enum Interruption: Equatable, Sendable {
        /// Begins an interruption of at most so many seconds; nil until it is ended.
        case begin(seconds: Int?)
        /// Ends it. Playback resumes unless the interruption was long.
        case end

        /// The range of an interruption, in seconds.
        public static let lengths = 1...3600
    }

    /// The answers, by their words in the configuration and on the console.
    public enum AlarmAnswer: String, CaseIterable, Sendable {
        /// The alarm rings again in some minutes.
        case snooze
        case end
    }

    /// The moves in the menu, by the same kind of words.
    public enum Menu: String, CaseIterable, Sendable {
        /// Opens the menu, or closes an open one.
        case open
        case next
        case previous
        /// Enters the selected list, or does what the selected item stands for.
        case choose
        /// Returns to the list before; from the first list, closes the menu.
        case back
        case leave
    }

    public enum Loop: Equatable, Sendable {
        /// Repeats the sentence spoken now or last. If something repeats already, ends that.
        case sentence
        /// Sets the start of the repeated part.
        case from
        /// Sets the end of the repeated part.
        case to
        case off
    }

    /// The default step of a volume button, in percentage points.
    public static let volumeStep = 5
}
