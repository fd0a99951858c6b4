/// Lengths of time that the screens go by, each with its reason.
enum Timing {
    /// A page of a message: two short rows are read in that time.
    static let announcementMilliseconds = 2000
    /// The artist stands where the progress bar will: long enough to be read once.
    static let artistMilliseconds = 4000
    /// How long a line stays on the glass after it was spoken, unless the next one comes.
    static let lingerMilliseconds = 2000
    /// The first page of a title; it says which item it is, so it stands longer than the others.
    static let titleMilliseconds = 6000
    /// So late may a title turn, for something else that changes by then.
    static let titleLatenessMilliseconds = 1000
    /// Any other page that turns by itself.
    static let pageMilliseconds = 3000
    /// The control thread's positions come from the sound card and jitter against the clock; what differs less than this
    /// from what the screen expects is no seek, and must not make the seconds jump to and fro.
    static let jitterMilliseconds = 100
    /// A page turn so near to a whole second waits for it or comes early: nobody sees it, and both cost one wake-up.
    static let nearMilliseconds = 300
    /// A glass that is not there is looked for again soon, since its driver may be loading…
    static let firstRetryMilliseconds = 1000
    /// …and then less often, since it may never have been plugged in.
    static let longestRetryMilliseconds = 30_000
    /// What nobody has read yet is offered again: a pager may be reading slowly.
    static let unreadMilliseconds = 200
    /// What is still unread at the end may be read for so long; nobody waits longer for the program to end.
    static let lastWordsMilliseconds = 500
    /// How long one call may keep the control thread with a slow LCD: a button that is pressed meanwhile does not feel it.
    static let portionMicroseconds = 8000
}
