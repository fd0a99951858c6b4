import Core
import Posix

/// Lets the speaker fall silent by itself: some minutes after it was set, the last seconds dying away, or at the end of what is heard.
///
/// It wakes the thread where the sound begins to die away and where it has, and never in between; for the end of a chapter when the
/// ear comes there.
final class SleepTimer {
    /// What sounds dies away within so long.
    static let fadeMilliseconds = 10_000
    /// And so long after that it is paused: what a card has queued that cannot be taken back dies away later.
    static let silenceMilliseconds = 3000

    private(set) var setting = Sleep.off
    /// When all is silent; nil where nobody counts minutes.
    private(set) var due: MonotonicTime?
    /// What sounds is dying away.
    private(set) var isFading = false
    /// Where the chapter ends that the speaker is to fall silent with, in milliseconds of the item; nil where it is the item's end.
    private(set) var end: Int?

    /// Where the sound began to die away, as it was told: the entry, and the place in it.
    var place: (entry: Int, milliseconds: Int)?

    private var isLookingAway = false
    let ear: EarWatch
    private let timers: any Timers
    private var timer: EventLoop.TimerToken?
    /// The sound is to die away now.
    var fade: () -> Void = {}
    /// It is time to pause.
    var arrived: () -> Void = {}

    init(timers: any Timers) {
        self.timers = timers
        ear = EarWatch(timers: timers)
        ear.arrived = { [self] in arrived() }
    }

    /// Counts from now on; what was set before is no more.
    func set(_ wanted: Sleep) {
        clear()
        setting = wanted
        guard case .minutes(let minutes) = wanted else { return }
        let due = timers.now.adding(milliseconds: minutes * 60_000)
        self.due = due
        let whole = SleepTimer.fadeMilliseconds + SleepTimer.silenceMilliseconds
        timer = timers.schedule(at: due.adding(milliseconds: -whole)) { [self] in
            timer = timers.schedule(at: due) { [self] in
                timer = nil
                arrived()
            }
            isFading = true
            fade()
        }
    }

    /// The chapter that is heard ends there: nil for with the item. Only for those who sleep with a chapter.
    func aim(at end: Int?) {
        self.end = end
        isLookingAway = false
        watch()
    }

    /// The ear is about to be somewhere else: no place is arrived at until it is said anew where the chapter ends.
    func lookAway() { isLookingAway = true }

    /// Playing, or the place, is another than time alone would have made it.
    func watch() {
        if setting == .chapter && !isLookingAway { ear.watch(for: end) }
    }

    /// It is silent with the end of the item, if that is reached.
    var endsWithItem: Bool { setting == .item || (setting == .chapter && end == nil) }

    /// It is silent where one item passes into another, if not at every such place.
    var endsAtBorder: Bool { endsWithItem || setting == .book }

    func clear() {
        if let timer { timers.cancel(timer) }
        timer = nil
        due = nil
        isFading = false
        end = nil
        place = nil
        setting = .off
        ear.watch(for: nil)
    }
}
