// SPDX-License-Identifier: Apache-2.0
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
    /// And so long after that it is paused: the queue of a card that cannot rewind fades later.
    static let silenceMilliseconds = 3000
    /// A sound that was fading is there again within so long.
    private static let wakingMilliseconds = 300
    /// Silence moves at once, sound in steps, so that it does not click.
    private static let steppingMilliseconds = 10

    /// A press so soon after the silence means that the listener was awake still.
    static let regretMilliseconds = 120_000

    private(set) var setting = Sleep.off
    /// The last setting that ended in silence, and the time of that.
    private var ended: (setting: Sleep, at: MonotonicTime)?
    private(set) var isFading = false
    /// The bookmark that this timer has set; nil if it has none.
    private(set) var mark: SleepMark?
    /// The end of the chapter to fall silent with, in milliseconds of the item; nil where it is the item's end.
    private(set) var end: Int?
    /// The beginning of the fade: the song id of the entry, and the place in it.
    private(set) var fadeStart: (entry: Int, milliseconds: Int)?
    /// When all is silent; nil where no minutes are set.
    private var due: MonotonicTime?
    /// The ear is about to be somewhere else: no place is arrived at until it is said anew where the chapter ends.
    private var isJumping = false
    private var timer: EventLoop.TimerToken?
    private let ear: EarWatch
    private let player: any PlayerPort
    private let timers: any Timers
    /// The storage of the setting; nil for nowhere.
    private let store: Library?
    /// The fade is to begin now.
    var fadeIsDue: () -> Void = {}
    /// The end of a chapter is heard, and not the last one of those to wait for.
    var chapterDidEnd: () -> Void = {}
    /// It is time to pause.
    var arrived: () -> Void = {}

    init(_ player: any PlayerPort, _ timers: any Timers, store: Library?) {
        self.player = player
        self.timers = timers
        self.store = store
        ear = EarWatch(player, timers)
        ear.arrived = { [self] in
            if case .chapters = setting { chapterDidEnd() } else { arrived() }
        }
    }

    /// The time until silence; nil where no minutes are set.
    var remainingMilliseconds: Int? { due.map { Int(clamping: max(0, $0.milliseconds(since: timers.now))) } }

    /// Counts from now on; it replaces an earlier setting, and ends a running fade.
    func set(_ wanted: Sleep) {
        if isFading { player.rise(withinMilliseconds: SleepTimer.wakingMilliseconds) }
        clear()
        ended = nil
        setting = wanted
        if case .minutes(let minutes) = wanted { count(minutes) }
        save()
    }

    func restoreMark() { mark = store?.restoredSleepMark() }

    /// Replaces the bookmark.
    func set(mark: SleepMark?) {
        self.mark = mark
        store?.save(mark)
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

    /// Saves what is set, with the minutes that are left: a power cut must not wake a sleeper.
    func save() {
        store?.save(remainingMilliseconds.map { .minutes(max(1, ($0 + 59_999) / 60_000)) } ?? setting)
    }

    /// True for the end of one chapter or of several.
    var isByChapter: Bool {
        if case .chapters = setting { return true }
        return setting == .chapter
    }

    /// One chapter less to wait for.
    /// - Returns: false where none are counted.
    func countChapter() -> Bool {
        guard case .chapters(let count) = setting else { return false }
        setting = count > 2 ? .chapters(count - 1) : .chapter
        save()
        return true
    }

    /// Sets the end of the audible chapter: nil for with the item. Only for the end of chapters.
    func setEnd(_ end: Int?) {
        self.end = end
        isJumping = false
        watch()
    }

    /// A jump begins; `setEnd` says that it is done.
    func willJump() { isJumping = true }

    /// Playing, or the place, is another than time alone would have made it.
    func watch() {
        if isByChapter && !isJumping { ear.watch(for: end) }
    }

    /// It is silent with the end of the item, if that is reached.
    var endsWithItem: Bool { setting == .item || (setting == .chapter && end == nil) }

    /// It is silent where one item passes into another, if not at every such place.
    var endsAtBorder: Bool { endsWithItem || setting == .book }

    /// From here on a sleeper has not heard the recording.
    func beginFade(entry: Int) {
        fadeStart = (entry, player.positionMilliseconds)
        player.fall(withinMilliseconds: SleepTimer.fadeMilliseconds)
    }

    /// It is silent until the next play: the next sound is as loud as ever.
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
