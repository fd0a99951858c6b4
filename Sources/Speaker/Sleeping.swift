// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Media
import Model
import Playback
import Posix

/// The sleep timer's effects, without a loss of the place.
extension Speaker {
    /// Sets the sleep timer from now on; a fading sound comes back.
    /// - Parameter marks: false after a start, which keeps the bookmark where it is.
    func setSleep(_ wanted: Sleep, marks: Bool = true) {
        if marks { markSleep(wanted) }
        let hadBorder = sleep.endsAtBorder
        sleep.set(wanted)
        // nil if the item ends with the audible chapter.
        sleep.setEnd(sleep.isByChapter ? listening.nextChapterMilliseconds() : nil)
        if hadBorder || sleep.endsAtBorder { player.followingDidChange() }
        audience.didChange(.modes)
    }

    /// Updates the end after the audible chapter may have changed.
    func updateSleepEnd(behind end: Int = 0) {
        if !sleep.isByChapter { return }
        let endedWithItem = sleep.endsWithItem
        sleep.setEnd(listening.nextChapterMilliseconds(behind: end))
        if sleep.endsWithItem != endedWithItem { player.followingDidChange() }
    }

    /// Counts a chapter when the listener has heard its end, or that of the file; `didHearChapter` reports a lone chapter's end.
    func countChapter() {
        let heard = sleep.end ?? 0
        guard sleep.countChapter() else { return }
        updateSleepEnd(behind: heard)
        player.followingDidChange()
        audience.didChange(.modes)
    }

    /// Returns whether the speaker has to fall silent at this track's end.
    func fallsAsleep(after track: Track) -> Bool { fallsAsleep(between: track, queueKeeper.following?.itemID) }

    /// Returns whether the speaker has to fall silent between these two, even if they have already passed into each other.
    /// - Parameter next: nil if nothing plays after it.
    func fallsAsleep(between ended: Track, _ next: ItemID?) -> Bool {
        guard sleep.endsAtBorder, ended.entry == queue.current?.songID else { return false }
        return sleep.setting == .book ? next.map { !library.areOneBook(ended.id, $0) } ?? true : sleep.endsWithItem
    }

    // MARK: Fading

    func beginSleepFade() {
        // Nothing plays: there is nothing to fall asleep to.
        guard wantsToPlay, let track = player.track else { return setSleep(.off) }
        sleep.beginFade(entry: track.entry)
    }

    /// Handles a press during the fade: the listener is awake. A pause or a stop ends the timer; any other command starts it again.
    func wake(by command: Command) {
        switch command {
        case .none, .interrupt, .alarm, .sleep, .sleepStep: break
        case .pause, .stop: setSleep(.off)
        case .playPause where wantsToPlay: setSleep(.off)
        default: setSleep(sleep.setting)
        }
    }

    /// Resumes after a press within two minutes of the silence: the listener was still awake, and wants to hear on for as long as before.
    func playOn(by command: Command, _ asked: MonotonicTime) {
        switch command {
        case .none, .pause, .stop, .interrupt, .alarm, .setVolume, .sleep, .sleepStep, .screen, .menu, .toggleFavourite,
            .toggleBookmark, .say, .switchVoice, .describe, .lock:
            return
        default:
            guard let setting = sleep.takeRegretted(), !wantsToPlay, player.track != nil else { return }
            setSleep(setting)
            if command != .playPause { perform(.play, asked: asked) }
        }
    }

    /// Pauses after the fade, or at the end of the last chapter to hear.
    func fallAsleep() {
        let end = sleep.end
        let fadeStart = sleep.fadeStart
        sleep.finish()
        let wasPlaying = wantsToPlay
        if wasPlaying {
            // No listener presses: an open menu stays open.
            endInterruption(by: .pause)
            pause(nil)
        }
        if let fadeStart, wasPlaying, player.track?.isLive != true {
            goBackAsleep(to: fadeStart)
        } else if let end, wasPlaying {
            player.seek(toMilliseconds: end, asked: nil)
        }
        if wasPlaying { didFallSilent() }
        savePlace()
        saveState()
        audience.didChange([.player, .modes])
    }

    private func goBackAsleep(to place: (entry: Int, milliseconds: Int)) {
        if player.track?.entry == place.entry {
            player.seek(toMilliseconds: place.milliseconds, asked: nil)
        } else if let index = queue.index(ofSongID: place.entry) {
            // The listener has to hear the faded part again.
            let pause = listening.rewind.pause
            go(to: index, milliseconds: place.milliseconds, play: false)
            listening.rewind.resume(pause)
        }
    }

    /// Notes the end of the item with which the speaker falls silent.
    func didFallAsleep() {
        sleep.finish()
        didFallSilent()
        audience.didChange(.modes)
    }
}
