// SPDX-License-Identifier: Apache-2.0
import Library
import Model
import Posix
import Transcript

/// The place to resume at after a pause: the start of the sentence, and further back after a longer silence.
final class SmartRewind {
    /// The start of the silence.
    struct Pause: Equatable {
        /// By the clock on the wall, in seconds since 1970, as it is saved.
        var sinceSeconds: Int64
        /// By the clock that never jumps; nil where the pause is older than this run.
        var began: MonotonicTime?
    }

    /// Nil without a pause, or after a choice of another place: no pause is made up for twice.
    private(set) var pause: Pause?
    /// The last pause, independent of later choices of a place; nil before the first.
    private var silence: Pause?
    /// The clock on the wall, which a test sets.
    var wallSeconds: () -> Int64 = wallClockSeconds
    /// The minute of the day on it; nil where it has not been set.
    var wallMinute: () -> Int? = wallClockMinute
    /// Its day, from the first of 1970 on; likewise.
    var wallDay: () -> Int64? = wallClockDay
    private let timers: any Timers
    /// The storage of the pause; nil for nowhere.
    private let store: Library?

    init(_ timers: any Timers, store: Library?) {
        self.timers = timers
        self.store = store
    }

    /// A pause that was under way when the speaker last ran, or when the power was cut.
    func restore(sinceSeconds: Int64?) {
        pause = sinceSeconds.map { Pause(sinceSeconds: $0) }
        silence = pause
    }

    /// Silence begins.
    func begin() {
        let pause = Pause(sinceSeconds: wallSeconds(), began: timers.now)
        silence = pause
        resume(pause)
    }

    /// A listener plays on, or has chosen another place.
    func end() { if pause != nil { resume(nil) } }

    /// A pause goes on as if it had not been ended.
    func resume(_ pause: Pause?) {
        self.pause = pause
        store?.savePause(sinceSeconds: pause?.sinceSeconds)
    }

    /// Returns the place to resume at after the pause under way.
    func place(from position: Int, _ transcript: Transcript?) -> Int {
        pause == nil ? position : SmartRewind.place(from: position, afterSeconds: seconds, transcript)
    }

    /// The length of the pause; 0 where a clock that was set wrong says that it has not begun.
    var seconds: Int64 { pause.map { seconds(of: $0) } ?? 0 }

    /// The seconds of silence, while nothing plays; the most there can be if nothing was.
    var silentSeconds: Int64 { silence.map { seconds(of: $0) } ?? .max }

    private func seconds(of pause: Pause) -> Int64 {
        if let began = pause.began { return max(0, timers.now.milliseconds(since: began) / 1000) }
        return max(0, passed(sinceSeconds: pause.sinceSeconds) ?? 0)
    }

    /// Returns the time since then, by the wall clock; nil where no number holds it.
    func passed(sinceSeconds: Int64) -> Int64? {
        let (passed, hasOverflown) = wallSeconds().subtractingReportingOverflow(sinceSeconds)
        return hasOverflown ? nil : passed
    }

    /// The rewind after a pause.
    private struct Reach {
        /// So many sentences before the one that was heard.
        var sentences: Int
        /// No further than this, even where sentences are long.
        var mostMilliseconds: Int
        /// Without a transcript, or without speech around there.
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

    /// The place to play on at. Never behind `position`, and never before the start.
    static func place(from position: Int, afterSeconds seconds: Int64, _ transcript: Transcript?) -> Int {
        let reach = reach(afterSeconds: seconds)
        let plain = max(0, position - reach.plainMilliseconds)
        guard let transcript, let heard = transcript.lastIndex(startingBy: position) else { return plain }
        // In a gap too long for what was said before it to matter, time alone counts.
        if position - transcript[heard].endMilliseconds > reach.mostMilliseconds { return plain }
        var place = position
        for index in stride(from: heard, through: max(0, heard - reach.sentences), by: -1) {
            let start = transcript[index].startMilliseconds
            if position - start > reach.mostMilliseconds { break }
            place = max(0, start)
        }
        // Within a sentence that is longer than that.
        return place == position ? plain : min(place, position)
    }
}
