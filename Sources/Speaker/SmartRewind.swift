import Model
import Posix
import Transcript

/// Where to play on after a pause: at the start of the sentence, and further back the longer nobody listened.
struct SmartRewind: Equatable {
    /// When the pause under way began, by the clock that never jumps; nil where the pause is older than this run, or there is none.
    private var began: MonotonicTime?
    /// The same by the clock on the wall, in seconds since 1970, as it is saved; nil where there is no pause.
    private(set) var sinceSeconds: Int64?

    /// A pause that was under way when the speaker last ran.
    init(restored sinceSeconds: Int64?) { self.sinceSeconds = sinceSeconds }

    var isPaused: Bool { sinceSeconds != nil }

    mutating func begin(at now: MonotonicTime, wallSeconds: Int64) {
        began = now
        sinceSeconds = wallSeconds
    }

    /// It is over, or somebody chose another place: no pause is made up for twice.
    mutating func end() {
        began = nil
        sinceSeconds = nil
    }

    /// How long the pause was; 0 where a clock that was set wrong says that it begins yet.
    func seconds(now: MonotonicTime, wallSeconds: Int64) -> Int64 {
        if let began { return max(0, now.milliseconds(since: began) / 1000) }
        guard let sinceSeconds else { return 0 }
        let (passed, hasOverflown) = wallSeconds.subtractingReportingOverflow(sinceSeconds)
        return hasOverflown ? 0 : max(0, passed)
    }

    /// How far a pause takes one back.
    struct Reach: Equatable {
        /// So many sentences before the one that was heard.
        var sentences: Int
        /// No further than this, even where sentences are long.
        var mostMilliseconds: Int
        /// Where there is no transcript, or nothing is said around there.
        var plainMilliseconds: Int
    }

    static func reach(afterSeconds seconds: Int64) -> Reach {
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
