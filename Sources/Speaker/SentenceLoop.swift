import Core
import Posix

/// A stretch of the current item that is heard again and again: a sentence, or what lies between two places that somebody set.
///
/// It wakes the thread at its end alone, by what the ear hears: the place jumped to is the same each time, so that nothing drifts.
public final class SentenceLoop {
    /// Milliseconds of the item.
    public private(set) var bounds: Range<Int>?
    /// Where the stretch is to begin, once its end is set as well.
    public private(set) var mark: Int?
    /// It is one sentence, and goes along with those who go to the next.
    private(set) var isSentence = false
    private let timers: any Timers
    private var timer: EventLoop.TimerToken?
    /// What the ear hears.
    struct Heard {
        var milliseconds: Int
        var speed = Speed.own
        /// It moves with time.
        var isAdvancing: Bool
        /// It is to move, and will.
        var isWanted: Bool
        /// For how long it moves as time does; nil for always.
        var steadyMilliseconds: Int?
    }

    var heard: () -> Heard = { Heard(milliseconds: 0, isAdvancing: false, isWanted: false) }
    /// The end has been heard: to the start.
    var jump: (_ milliseconds: Int) -> Void = { _ in }

    /// So near its end it has been heard: sooner than the ear can tell, and later than a timer that fires early.
    private static let nearMilliseconds = 3
    private static let lookMilliseconds = 20
    /// Shorter stretches are no words any more.
    static let leastMilliseconds = 200

    init(timers: any Timers) { self.timers = timers }

    var isOn: Bool { bounds != nil }

    func set(_ bounds: Range<Int>, isSentence: Bool) {
        self.bounds =
            bounds.count < SentenceLoop.leastMilliseconds
            ? bounds.lowerBound..<bounds.lowerBound + SentenceLoop.leastMilliseconds : bounds
        self.isSentence = isSentence
        mark = nil
        watch()
    }

    /// The stretch is to begin here.
    func begin(at milliseconds: Int) {
        end()
        mark = milliseconds
    }

    func end() {
        bounds = nil
        mark = nil
        isSentence = false
        watch()
    }

    /// Somebody went to a place: outside the stretch ends it.
    func didSeek(to milliseconds: Int) {
        if let bounds, !bounds.contains(milliseconds) { end() }
    }

    /// Playing, or the place, is another than time alone would have made it.
    func watch() {
        if let timer { timers.cancel(timer) }
        timer = nil
        guard let bounds else { return }
        let now = heard()
        if !now.isAdvancing {
            // A jump is under way, of whose end nobody tells.
            if now.isWanted { look(inMilliseconds: SentenceLoop.lookMilliseconds) }
            return
        }
        let left = bounds.upperBound - now.milliseconds
        if left <= SentenceLoop.nearMilliseconds { return jump(bounds.lowerBound) }
        let due = left * 100 / now.speed.percent
        look(inMilliseconds: min(due, now.steadyMilliseconds ?? due))
    }

    private func look(inMilliseconds milliseconds: Int) {
        timer = timers.schedule(inMilliseconds: milliseconds) { [self] in
            timer = nil
            watch()
        }
    }
}
