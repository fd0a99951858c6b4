// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Media
import Model
import Playback
import Posix

/// The sleep timer's effects, without a loss of the place.
extension Speaker {
    /// Sets it anew, from now on; a sound that is fading comes back.
    /// - Parameter marks: false after a start, which keeps the bookmark where it is.
    func setSleep(_ wanted: Sleep, marks: Bool = true) {
        if marks { markSleep(wanted) }
        let hadBorder = sleep.endsAtBorder
        sleep.set(wanted)
        // nil where the item ends with the audible chapter.
        sleep.setEnd(sleep.isByChapter ? listening.nextChapterMilliseconds() : nil)
        if hadBorder || sleep.endsAtBorder { player.followingDidChange() }
        audience.didChange(.modes)
    }

    /// Another chapter is heard than before, or may be.
    func updateSleepEnd(behind end: Int = 0) {
        if !sleep.isByChapter { return }
        let endedWithItem = sleep.endsWithItem
        sleep.setEnd(listening.nextChapterMilliseconds(behind: end))
        if sleep.endsWithItem != endedWithItem { player.followingDidChange() }
    }

    /// The ear came to the end of a chapter or of a file; a lone chapter's end is told by `didHearChapter`.
    func countChapter() {
        let heard = sleep.end ?? 0
        guard sleep.countChapter() else { return }
        updateSleepEnd(behind: heard)
        player.followingDidChange()
        audience.didChange(.modes)
    }

    /// Returns whether the speaker has to fall silent at this track's end.
    func fallsAsleep(after track: Track) -> Bool { fallsAsleep(between: track, queueKeeper.following?.itemID) }

    /// Returns whether it has to fall silent between these two, or had to if they have already passed into each other.
    /// - Parameter next: nil where nothing is played behind it.
    func fallsAsleep(between ended: Track, _ next: ItemID?) -> Bool {
        guard sleep.endsAtBorder, ended.entry == queue.current?.songID else { return false }
        return sleep.setting == .book ? next.map { !library.areOneBook(ended.id, $0) } ?? true : sleep.endsWithItem
    }

    // MARK: Fading

    func beginSleepFade() {
        // Nobody listens: there is nothing to fall asleep over.
        guard wantsToPlay, let track = player.track else { return setSleep(.off) }
        sleep.beginFade(entry: track.entry)
    }

    /// Somebody is awake. A pause is what the listener wants; all others want to hear on, and for as long as they wanted before.
    func wake(by command: Command) {
        switch command {
        case .none, .interrupt, .alarm, .sleep, .sleepStep: break
        case .pause, .stop: setSleep(.off)
        case .playPause where wantsToPlay: setSleep(.off)
        default: setSleep(sleep.setting)
        }
    }

    /// Resumes after a press within two minutes of the silence: he was awake still, and wants to hear on, for as long as he wanted before.
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

    /// All is silent, or what was to be heard has been.
    func fallAsleep() {
        let end = sleep.end
        let fadeStart = sleep.fadeStart
        sleep.finish()
        let wasPlaying = wantsToPlay
        if wasPlaying {
            // No hand does it: a menu that is open stays so.
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
            // The part that faded has to be heard again.
            let pause = listening.rewind.pause
            go(to: index, milliseconds: place.milliseconds, play: false)
            listening.rewind.resume(pause)
        }
    }

    /// The item has ended that the speaker was to fall silent with.
    func didFallAsleep() {
        sleep.finish()
        didFallSilent()
        audience.didChange(.modes)
    }
}
