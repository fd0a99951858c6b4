// SPDX-License-Identifier: Apache-2.0
import Model
import Posix

/// The listening time since the start, and the visits to an item that count as plays.
struct PlayTime {
    /// Starting later than this counts as resuming, not as a new play.
    static let beginningMilliseconds = 5000

    private var playedBefore: Int64 = 0
    private var playingSince: MonotonicTime?
    private var isCounted = false
    /// By days, as it was saved last (nil before that was read), and what had been played by then.
    var week: HeardWeek?
    private var saved: Int64 = 0
    /// While it plays the week is saved no more often than this.
    private static let saveMilliseconds: Int64 = 60_000

    /// Milliseconds.
    func played(at now: MonotonicTime) -> Int64 {
        playedBefore + (playingSince.map { (now.nanoseconds - $0.nanoseconds) / 1_000_000 } ?? 0)
    }

    // MARK: By days

    func week(at now: MonotonicTime, day: Int64) -> HeardWeek {
        var week = (week ?? HeardWeek(day: day)).through(day)
        week.add(played(at: now) - saved, on: day)
        return week
    }

    /// Something is to be saved.
    func isWeekDue(at now: MonotonicTime, isPlaying: Bool) -> Bool {
        played(at: now) - saved >= (isPlaying ? PlayTime.saveMilliseconds : 1)
    }

    /// Returns the counts to save; nil where nothing is, or not yet.
    mutating func takeWeek(at now: MonotonicTime, isPlaying: Bool, day: Int64) -> HeardWeek? {
        if !isWeekDue(at: now, isPlaying: isPlaying) { return nil }
        let played = played(at: now)
        week?.add(played - saved, on: day)
        saved = played
        return week
    }

    // MARK: Since the start

    mutating func playingDidChange(to isPlaying: Bool, at now: MonotonicTime) {
        if isPlaying {
            playingSince = playingSince ?? now
        } else {
            playedBefore = played(at: now)
            playingSince = nil
        }
    }

    /// Another item is current, or the same anew.
    mutating func beginVisit() { isCounted = false }

    /// Returns whether to count the item as played: once a visit, when playing it begins at its beginning. So an item that was made ready
    /// paused counts when it is played, and one that is gone on with in its middle does not, even where the one before it passed into it.
    mutating func counts(isPlaying: Bool, positionMilliseconds: Int) -> Bool {
        guard isPlaying, !isCounted else { return false }
        isCounted = true
        return positionMilliseconds < PlayTime.beginningMilliseconds
    }
}
