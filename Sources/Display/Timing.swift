// SPDX-License-Identifier: Apache-2.0
/// The durations of the screens, each with its reason.
enum Timing {
    /// The time for a page of a message: enough to read two short rows.
    static let announcementMilliseconds = 2000
    /// The time of the artist in place of the progress bar: enough to read it once.
    static let artistMilliseconds = 4000
    /// The time that a spoken line stays, unless the next one comes.
    static let lingerMilliseconds = 2000
    /// The time for the first page of a title, longer than the others, since it identifies the item.
    static let titleMilliseconds = 6000
    /// The most that a title may be late, to change together with something else.
    static let titleLatenessMilliseconds = 1000
    /// The time for any other page that turns by itself.
    static let pageMilliseconds = 3000
    /// The jitter of positions, which come from the sound card, against the clock. A smaller difference is no seek, and must not make the
    /// seconds jump.
    static let jitterMilliseconds = 100
    /// The distance to a whole second within which a page turn moves onto it. The eye does not notice, and both together cost one wake-up.
    static let nearMilliseconds = 300
    /// The first interval of the search for a missing device, short because its driver may be loading…
    static let firstRetryMilliseconds = 1000
    /// …and the longest one, since it may never have been connected.
    static let longestRetryMilliseconds = 30_000
    /// The interval for offering unread lines again: a pager may read slowly.
    static let unreadMilliseconds = 200
    /// The reader's time for the last lines, before the program ends.
    static let lastWordsMilliseconds = 500
    /// The longest time for a slow LCD in one call, too short to delay a button noticeably.
    static let portionMicroseconds = 8000
}
