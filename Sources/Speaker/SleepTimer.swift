// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Posix

/// Silences the speaker by itself: some minutes after it was set, with a fade in the last seconds, or at the end of the item.
///
/// It wakes the thread only at the start and the end of the fade, or when the audible position reaches the end of a chapter.
final class SleepTimer {
    /// The length of the fade.
    static let fadeMilliseconds = 10_000
    /// The time from the end of the fade to the pause: behind the buffer of a card that cannot rewind, the fade is heard later.
    static let silenceMilliseconds = 3000
    /// The time in which a fading sound comes back.
    private static let wakingMilliseconds = 300
    /// The time in which the volume returns during silence, in which no click can be heard.
    private static let steppingMilliseconds = 10

    /// The time after the silence in which a press means that the listener was still awake.
    static let regretMilliseconds = 120_000

    private(set) var setting = Sleep.off
    /// The last setting that ended in silence, and its time.
    private var ended: (setting: Sleep, at: MonotonicTime)?
    private(set) var isFading = false
    /// The bookmark that this timer has set; nil if it has none.
    private(set) var mark: SleepMark?
    /// The end of the chapter with which to fall silent, in milliseconds of the item; nil for the item's end.
    private(set) var end: Int?
    /// The beginning of the fade: the song id of the entry, and the place in it.
    private(set) var fadeStart: (entry: Int, milliseconds: Int)?
    /// The time of complete silence; nil if no minutes are set.
    private var due: MonotonicTime?
    /// True while a jump is under way: no place counts as reached until `setEnd` gives the end of the chapter again.
    private var isJumping = false
    private var timer: EventLoop.TimerToken?
    private let ear: EarWatch
    private let player: any PlayerPort
    private let timers: any Timers
    /// The storage of the setting; nil to store nothing.
    private let store: Library?
    /// Called when the fade is due.
    var fadeIsDue: () -> Void = {}
    /// Called at the end of a chapter that is not the last one to wait for.
    var chapterDidEnd: () -> Void = {}
    /// Called when it is time to pause.
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

    /// The time until silence; nil if no minutes are set.
    var remainingMilliseconds: Int? { due.map { Int(clamping: max(0, $0.milliseconds(since: timers.now))) } }

    /// Sets the timer from now on, which replaces an earlier setting and ends a running fade.
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

    /// Saves the setting, with the minutes that are left: a power cut must not wake a sleeper.
    func save() {
        store?.save(remainingMilliseconds.map { .minutes(max(1, ($0 + 59_999) / 60_000)) } ?? setting)
    }

    /// True for the end of one chapter or of several.
    var isByChapter: Bool {
        if case .chapters = setting { return true }
        return setting == .chapter
    }

    /// Counts one chapter less to wait for.
    /// - Returns: false if the setting counts no chapters.
    func countChapter() -> Bool {
        guard case .chapters(let count) = setting else { return false }
        setting = count > 2 ? .chapters(count - 1) : .chapter
        save()
        return true
    }

    /// Sets the end of the audible chapter; nil if it ends with the item. Only for the end of chapters.
    func setEnd(_ end: Int?) {
        self.end = end
        isJumping = false
        watch()
    }

    /// Notes that a jump begins; `setEnd` ends it.
    func willJump() { isJumping = true }

    /// Watches for the end of the chapter. Call it after any change of playback or place except progress.
    func watch() {
        if isByChapter && !isJumping { ear.watch(for: end) }
    }

    /// True if the speaker falls silent at the end of the item.
    var endsWithItem: Bool { setting == .item || (setting == .chapter && end == nil) }

    /// True if the speaker falls silent between two items, at least between some.
    var endsAtBorder: Bool { endsWithItem || setting == .book }

    /// Starts the fade: a sleeper has not heard the recording from here on.
    func beginFade(entry: Int) {
        fadeStart = (entry, player.positionMilliseconds)
        player.fall(withinMilliseconds: SleepTimer.fadeMilliseconds)
    }

    /// Ends the timer. The speaker is silent until the next play, which has the full volume.
    func finish() {
        let hasFaded = fadeStart != nil
        ended = (setting, timers.now)
        clear()
        save()
        if !hasFaded { return }
        // Not before the last of the sound has gone.
        timers.schedule(inMilliseconds: SleepTimer.wakingMilliseconds) { [self] in
            player.rise(withinMilliseconds: SleepTimer.steppingMilliseconds)
        }
    }

    /// Returns the setting that led to a silence in the last two minutes, once.
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
