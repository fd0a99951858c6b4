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
    /// The listening time of each day, as last saved; nil before it was read.
    var week: HeardWeek?
    private var saved: Int64 = 0
    /// The shortest interval of saves during playback.
    private static let saveMilliseconds: Int64 = 60_000

    /// Returns the listening time in milliseconds.
    func played(at now: MonotonicTime) -> Int64 {
        playedBefore + (playingSince.map { (now.nanoseconds - $0.nanoseconds) / 1_000_000 } ?? 0)
    }

    // MARK: By days

    func week(at now: MonotonicTime, day: Int64) -> HeardWeek {
        var week = (week ?? HeardWeek(day: day)).through(day)
        week.add(played(at: now) - saved, on: day)
        return week
    }

    /// Returns whether there is something to save.
    func isWeekDue(at now: MonotonicTime, isPlaying: Bool) -> Bool {
        played(at: now) - saved >= (isPlaying ? PlayTime.saveMilliseconds : 1)
    }

    /// Returns the counts to save; nil if there are none, or not yet.
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

    /// Starts the visit of another item, or a new visit of the same.
    mutating func beginVisit() { isCounted = false }

    /// Returns whether to count the item as played: once a visit, when its playback starts at its beginning. So an item that was prepared
    /// while paused counts when it plays. An item that resumes in its middle does not count, even if the item before it continued into it.
    mutating func counts(isPlaying: Bool, positionMilliseconds: Int) -> Bool {
        guard isPlaying, !isCounted else { return false }
        isCounted = true
        return positionMilliseconds < PlayTime.beginningMilliseconds
    }
}
