// SPDX-License-Identifier: Apache-2.0
import Library
import Model
import Posix
import Transcript

/// The place to resume at after a pause: the start of the sentence, and further back after a longer silence.
final class SmartRewind {
    /// The start of a silence.
    struct Pause: Equatable {
        /// The start by the wall clock, in seconds since 1970, as it is saved.
        var sinceSeconds: Int64
        /// The start by the clock that never jumps; nil for a pause older than this run.
        var began: MonotonicTime?
    }

    /// The pause to make up for; nil without one, or after a choice of another place: no pause counts twice.
    private(set) var pause: Pause?
    /// The last pause, independent of later choices of a place; nil before the first.
    private var silence: Pause?
    /// Returns the wall clock's time, which a test sets.
    var wallSeconds: () -> Int64 = wallClockSeconds
    /// Returns the wall clock's minute of the day; nil if the clock was never set.
    var wallMinute: () -> Int? = wallClockMinute
    /// Returns the wall clock's day, counted from the first of 1970; nil if the clock was never set.
    var wallDay: () -> Int64? = wallClockDay
    private let timers: any Timers
    /// The storage of the pause; nil to store nothing.
    private let store: Library?

    init(_ timers: any Timers, store: Library?) {
        self.timers = timers
        self.store = store
    }

    /// Restores a pause that was under way when the speaker last ran, or when the power was cut.
    func restore(sinceSeconds: Int64?) {
        pause = sinceSeconds.map { Pause(sinceSeconds: $0) }
        silence = pause
    }

    /// Starts a silence.
    func begin() {
        let pause = Pause(sinceSeconds: wallSeconds(), began: timers.now)
        silence = pause
        resume(pause)
    }

    /// Ends the pause, since a listener resumes or has chosen another place.
    func end() { if pause != nil { resume(nil) } }

    /// Continues a pause as if it had not ended.
    func resume(_ pause: Pause?) {
        self.pause = pause
        store?.savePause(sinceSeconds: pause?.sinceSeconds)
    }

    /// Returns the place to resume at after the present pause.
    func place(from position: Int, _ transcript: Transcript?) -> Int {
        pause == nil ? position : SmartRewind.place(from: position, afterSeconds: seconds, transcript)
    }

    /// The length of the pause; 0 if a wrong clock says that it has not begun.
    var seconds: Int64 { pause.map { seconds(of: $0) } ?? 0 }

    /// The seconds of silence, while nothing plays; the largest number if nothing has played.
    var silentSeconds: Int64 { silence.map { seconds(of: $0) } ?? .max }

    private func seconds(of pause: Pause) -> Int64 {
        if let began = pause.began { return max(0, timers.now.milliseconds(since: began) / 1000) }
        return max(0, passed(sinceSeconds: pause.sinceSeconds) ?? 0)
    }

    /// Returns the time since then, by the wall clock; nil if the number overflows.
    func passed(sinceSeconds: Int64) -> Int64? {
        let (passed, hasOverflown) = wallSeconds().subtractingReportingOverflow(sinceSeconds)
        return hasOverflown ? nil : passed
    }

    /// The rewind after a pause.
    private struct Reach {
        /// The number of sentences before the last heard one.
        var sentences: Int
        /// The limit, even with long sentences.
        var mostMilliseconds: Int
        /// The distance without a transcript, or without speech around there.
        var plainMilliseconds: Int
    }

    private static func reach(afterSeconds seconds: Int64) -> Reach {
        switch seconds {
        case 86_400...: Reach(sentences: 5, mostMilliseconds: 60_000, plainMilliseconds: 30_000)
        case 3600...: Reach(sentences: 3, mostMilliseconds: 30_000, plainMilliseconds: 10_000)
        case 60...: Reach(sentences: 1, mostMilliseconds: 20_000, plainMilliseconds: 2000)
        default: Reach(sentences: 0, mostMilliseconds: 10_000, plainMilliseconds: 0)
        }
    }

    /// Returns the place to resume at: never behind `position`, and never before the start.
    static func place(from position: Int, afterSeconds seconds: Int64, _ transcript: Transcript?) -> Int {
        let reach = reach(afterSeconds: seconds)
        let plain = max(0, position - reach.plainMilliseconds)
        guard let transcript, let heard = transcript.lastIndex(startingBy: position) else { return plain }
        // In a gap too long for the words before it to matter, only time counts.
        if position - transcript[heard].endMilliseconds > reach.mostMilliseconds { return plain }
        var place = position
        for index in stride(from: heard, through: max(0, heard - reach.sentences), by: -1) {
            let start = transcript[index].startMilliseconds
            if position - start > reach.mostMilliseconds { break }
            place = max(0, start)
        }
        // A sentence longer than the reach has no start within it.
        return place == position ? plain : min(place, position)
    }
}
