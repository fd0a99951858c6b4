import Core
import Posix

/// Tells when the ear comes to a place of the current item. It wakes the thread there alone, by what the ear hears.
final class EarWatch {
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
    /// The ear is there, or behind it.
    var arrived: () -> Void = {}
    private let timers: any Timers
    private var timer: EventLoop.TimerToken?

    /// So near it is there: sooner than the ear can tell, and later than a timer that fires early.
    static let nearMilliseconds = 3
    private static let lookMilliseconds = 20

    init(timers: any Timers) { self.timers = timers }

    /// Looks where the ear is, now and each time that playing, or the place, is another than time alone would have made it.
    /// - Parameter place: in milliseconds; nil for none.
    func watch(for place: Int?) {
        if let timer { timers.cancel(timer) }
        timer = nil
        guard let place else { return }
        let now = heard()
        if !now.isAdvancing {
            // A jump is under way, of whose end nobody tells.
            if now.isWanted { look(for: place, inMilliseconds: EarWatch.lookMilliseconds) }
            return
        }
        let left = place - now.milliseconds
        if left <= EarWatch.nearMilliseconds { return arrived() }
        let due = left * 100 / now.speed.percent
        look(for: place, inMilliseconds: min(due, now.steadyMilliseconds ?? due))
    }

    private func look(for place: Int, inMilliseconds milliseconds: Int) {
        timer = timers.schedule(inMilliseconds: milliseconds) { [self] in
            timer = nil
            watch(for: place)
        }
    }
}
