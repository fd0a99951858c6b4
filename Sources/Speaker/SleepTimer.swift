import Core
import Library
import Posix

/// Lets the speaker fall silent by itself: some minutes after it was set, the last seconds fading, or at the end of what is heard.
///
/// It wakes the thread where the fade begins and where it ends, and never in between; for the end of a chapter when the ear comes
/// there.
final class SleepTimer {
    /// The fade takes so long.
    static let fadeMilliseconds = 10_000
    /// And so long after that it is paused: what a card has queued that cannot be taken back fades later.
    static let silenceMilliseconds = 3000
    /// A sound that was fading is there again within so long.
    private static let wakingMilliseconds = 300
    /// Where nothing sounds that is at once, else it does not click.
    private static let steppingMilliseconds = 10

    /// Whoever presses something so soon after it fell silent was awake still.
    static let regretMilliseconds = 120_000

    private(set) var setting = Sleep.off
    /// What it fell silent with last, and when.
    private var ended: (setting: Sleep, at: MonotonicTime)?
    private(set) var isFading = false
    /// Where the chapter ends that the speaker is to fall silent with, in milliseconds of the item; nil where it is the item's end.
    private(set) var end: Int?
    /// Where the fade began: the song id of the entry, and the place in it.
    private(set) var fadeStart: (entry: Int, milliseconds: Int)?
    /// When all is silent; nil where no minutes are set.
    private var due: MonotonicTime?
    /// The ear is about to be somewhere else: no place is arrived at until it is said anew where the chapter ends.
    private var isJumping = false
    private var timer: EventLoop.TimerToken?
    private let ear: EarWatch
    private let player: any PlayerPort
    private let timers: any Timers
    /// Where the setting is kept; nil for nowhere.
    private let store: Library?
    /// The fade is to begin now.
    var fadeIsDue: () -> Void = {}
    /// It is time to pause.
    var arrived: () -> Void = {}

    init(_ player: any PlayerPort, _ timers: any Timers, store: Library?) {
        self.player = player
        self.timers = timers
        self.store = store
        ear = EarWatch(player, timers)
        ear.arrived = { [self] in arrived() }
    }

    /// How long it is until all is silent; nil where no minutes are set.
    var remainingMilliseconds: Int? { due.map { Int(clamping: max(0, $0.milliseconds(since: timers.now))) } }

    /// Counts from now on; what was set before is no more, and a sound that was fading comes back.
    func set(_ wanted: Sleep) {
        if isFading { player.rise(withinMilliseconds: SleepTimer.wakingMilliseconds) }
        clear()
        ended = nil
        setting = wanted
        if case .minutes(let minutes) = wanted { count(minutes) }
        save()
    }

    private func count(_ minutes: Int) {
        let due = timers.now.adding(milliseconds: minutes * 60_000)
        self.due = due
        let whole = SleepTimer.fadeMilliseconds + SleepTimer.silenceMilliseconds
        timer = timers.schedule(at: due.adding(milliseconds: -whole)) { [self] in
            timer = timers.schedule(at: due) { [self] in
                timer = nil
                arrived()
            }
            isFading = true
            fadeIsDue()
        }
    }

    /// Saves what is set, with the minutes that are left: whoever has fallen asleep is not to be woken because the power was away.
    func save() {
        store?.save(remainingMilliseconds.map { .minutes(max(1, ($0 + 59_999) / 60_000)) } ?? setting)
    }

    /// Where the chapter that is heard ends: nil for with the item. Only for those who sleep with a chapter.
    func setEnd(_ end: Int?) {
        self.end = end
        isJumping = false
        watch()
    }

    /// A jump begins; `setEnd` says that it is done.
    func willJump() { isJumping = true }

    /// Playing, or the place, is another than time alone would have made it.
    func watch() {
        if setting == .chapter && !isJumping { ear.watch(for: end) }
    }

    /// It is silent with the end of the item, if that is reached.
    var endsWithItem: Bool { setting == .item || (setting == .chapter && end == nil) }

    /// It is silent where one item passes into another, if not at every such place.
    var endsAtBorder: Bool { endsWithItem || setting == .book }

    /// Whoever sleeps has not heard what comes from here on.
    func beginFade(entry: Int) {
        fadeStart = (entry, player.positionMilliseconds)
        player.fall(withinMilliseconds: SleepTimer.fadeMilliseconds)
    }

    /// It is silent, and stays so until somebody plays: the next sound is as loud as ever.
    func finish() {
        let hasFaded = fadeStart != nil
        ended = (setting, timers.now)
        clear()
        save()
        if !hasFaded { return }
        // Not before the last of it has gone.
        timers.schedule(inMilliseconds: SleepTimer.wakingMilliseconds) { [self] in
            player.rise(withinMilliseconds: SleepTimer.steppingMilliseconds)
        }
    }

    /// With what it fell silent, if that was in the last two minutes. Told once.
    func takeRegretted() -> Sleep? {
        defer { ended = nil }
        guard let ended, timers.now.milliseconds(since: ended.at) <= Int64(SleepTimer.regretMilliseconds) else {
            return nil
        }
        return ended.setting
    }

    private func clear() {
        if let timer { timers.cancel(timer) }
        timer = nil
        due = nil
        isFading = false
        end = nil
        fadeStart = nil
        setting = .off
        ear.watch(for: nil)
    }
}
