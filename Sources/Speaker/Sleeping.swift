import Core
import Library
import Media
import Model
import Playback
import Posix

/// Falling silent by itself, for those who go to sleep, without a loss of the place.
extension Speaker {
    /// How long it is until all is silent; nil where nobody counts minutes.
    public var sleepMilliseconds: Int? {
        sleep.due.map { Int(clamping: max(0, $0.milliseconds(since: timers.now))) }
    }

    func connectSleep() {
        sleep.ear.heard = loop.heard
        sleep.fade = { [self] in beginSleepFade() }
        sleep.arrived = { [self] in fallAsleep() }
    }

    /// Sets it anew, from now on; a sound that is dying away comes back.
    func setSleep(_ wanted: Sleep) {
        let wasFading = sleep.isFading
        let hadBorder = sleep.endsAtBorder
        sleep.set(wanted)
        if wasFading { player.rise(withinMilliseconds: Speaker.wakingMilliseconds) }
        sleep.aim(at: endOfChapter)
        if hadBorder || sleep.endsAtBorder { player.followingDidChange() }
        saveSleep()
        audience.didChange(.modes)
    }

    /// Saves what is set, with the minutes that are left: whoever has fallen asleep is not to be woken because the power was away.
    func saveSleep() {
        if !isLibrary { return }
        library.save(sleepMilliseconds.map { .minutes(max(1, ($0 + 59_999) / 60_000)) } ?? sleep.setting)
    }

    /// Another chapter is heard than before, or may be.
    func aimSleep() {
        if sleep.setting != .chapter { return }
        let endedWithItem = sleep.endsWithItem
        sleep.aim(at: endOfChapter)
        if sleep.endsWithItem != endedWithItem { player.followingDidChange() }
    }

    /// Where the chapter that is heard ends and another begins; nil where the item ends with it.
    private var endOfChapter: Int? {
        if sleep.setting != .chapter { return nil }
        let position = player.positionMilliseconds
        return listening.chapters.first { $0.startMilliseconds > position }?.startMilliseconds
    }

    /// Whether the speaker is to fall silent where this track ends.
    func fallsAsleep(after track: Track) -> Bool {
        guard sleep.endsAtBorder, track.entry == queue.current?.songID else { return false }
        guard sleep.setting == .book, let index = queue.index(ofSongID: track.entry) else { return sleep.endsWithItem }
        let next = queue.index(followingByItself: index).map { queue.entries[$0].itemID }
        return next.map { !library.areOneBook(track.id, $0) } ?? true
    }

    /// Whether it was to fall silent between these two, which have passed into each other already.
    func fallsAsleep(between ended: Track, _ begun: Track) -> Bool {
        guard sleep.endsAtBorder, ended.entry == queue.current?.songID else { return false }
        return sleep.setting == .book ? !library.areOneBook(ended.id, begun.id) : sleep.endsWithItem
    }

    // MARK: Dying away

    private func beginSleepFade() {
        // Nobody listens: there is nothing to fall asleep over.
        guard wantsToPlay, let track = player.track else { return setSleep(.off) }
        // Whoever sleeps has not heard what comes from here on.
        sleep.place = (track.entry, player.positionMilliseconds)
        player.fall(withinMilliseconds: SleepTimer.fadeMilliseconds)
    }

    /// Somebody is awake. Whoever pauses has what he wants; all others want to hear on, and for as long as they wanted before.
    func wake(by command: Command) {
        switch command {
        case .none, .sleep, .sleepStep: break
        case .pause, .stop: setSleep(.off)
        case .playPause where wantsToPlay: setSleep(.off)
        default: setSleep(sleep.setting)
        }
    }

    /// All is silent, or what was to be heard has been.
    private func fallAsleep() {
        let end = sleep.end
        let place = sleep.place
        sleep.clear()
        saveSleep()
        let wasPlaying = wantsToPlay
        if wasPlaying { perform(.pause) }
        if let place, wasPlaying, !isLive {
            goBackAsleep(to: place)
        } else if let end, wasPlaying {
            player.seek(toMilliseconds: end, asked: nil)
        }
        if place != nil {
            // Not before the last of it has gone.
            timers.schedule(inMilliseconds: Speaker.wakingMilliseconds) { [self] in
                player.rise(withinMilliseconds: Speaker.steppingMilliseconds)
            }
        }
        savePlace()
        saveState()
        audience.didChange([.player, .modes])
    }

    private func goBackAsleep(to place: (entry: Int, milliseconds: Int)) {
        if player.track?.entry == place.entry {
            player.seek(toMilliseconds: place.milliseconds, asked: nil)
        } else if let index = queue.index(ofSongID: place.entry) {
            // What was heard to its end while it died away is to be heard again.
            let pause = rewind
            go(to: index, milliseconds: place.milliseconds, play: false)
            rewind = pause
            if isLibrary { library.savePause(sinceSeconds: pause.sinceSeconds) }
        }
    }

    /// The item has ended that the speaker was to fall silent with.
    func didFallAsleep() {
        sleep.clear()
        saveSleep()
        audience.didChange(.modes)
    }

    /// A sound that was dying away is there again within so long.
    private static let wakingMilliseconds = 300
    /// Where nothing sounds that is at once, else it does not click.
    private static let steppingMilliseconds = 10
}
