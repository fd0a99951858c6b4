// SPDX-License-Identifier: Apache-2.0
/// Lengths of time that the screens go by, each with its reason.
enum Timing {
    /// A page of a message: two short rows are read in that time.
    static let announcementMilliseconds = 2000
    /// The artist stands where the progress bar will: long enough to be read once.
    static let artistMilliseconds = 4000
    /// The time that a line stays after it was spoken, unless the next one comes.
    static let lingerMilliseconds = 2000
    /// The first page of a title; it says which item it is, so it stands longer than the others.
    static let titleMilliseconds = 6000
    /// So late may a title turn, for something else that changes by then.
    static let titleLatenessMilliseconds = 1000
    /// Any other page that turns by itself.
    static let pageMilliseconds = 3000
    /// The control thread's positions come from the sound card and jitter against the clock; a difference below this is no seek, and must
    /// not make the seconds jump to and fro.
    static let jitterMilliseconds = 100
    /// A page turn so near to a whole second waits for it or comes early: the eye does not notice, and both together cost one wake-up.
    static let nearMilliseconds = 300
    /// A glass that is not there is looked for again soon, since its driver may be loading…
    static let firstRetryMilliseconds = 1000
    /// …and then less often, since it may never have been plugged in.
    static let longestRetryMilliseconds = 30_000
    /// Unread lines are offered again: a pager may be reading slowly.
    static let unreadMilliseconds = 200
    /// The reader's time for the last lines; the program ends after it.
    static let lastWordsMilliseconds = 500
    /// The longest time for a slow LCD in one call: a button that is pressed meanwhile does not feel it.
    static let portionMicroseconds = 8000
}
