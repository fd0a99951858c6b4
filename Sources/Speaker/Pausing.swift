import Core
import Library
import Model
import Playback
import Posix
import Transcript

/// What becomes of the place where a pause was begun.
extension Speaker {
    /// It is from now on that nobody listens, if somebody did.
    func beginPause() {
        guard wantsToPlay else { return }
        let seconds = wallSeconds()
        rewind.begin(at: timers.now, wallSeconds: seconds)
        if isLibrary { library.savePause(sinceSeconds: seconds) }
    }

    /// The place of a pause that was begun is saved. Who pauses in the last seconds has heard it all.
    func savePlaceOfPause() {
        savePlace()
        guard let item = currentItem, player.track?.id == item.id,
            listening.isHeardToEnd(at: player.positionMilliseconds, duration: item.durationMilliseconds)
        else { return }
        library.didHearToEnd(item.id)
    }

    /// Somebody listens, or has chosen another place.
    func endPause() {
        guard rewind.isPaused else { return }
        rewind.end()
        if isLibrary { library.savePause(sinceSeconds: nil) }
    }

    /// Goes back as far as the pause was long, once.
    func rewindAfterPause(_ asked: MonotonicTime?) {
        let position = player.positionMilliseconds
        let place = placeAfterPause(from: position)
        endPause()
        if place < position { player.seek(toMilliseconds: place, asked: asked) }
    }

    /// Where to play on after the pause under way.
    func placeAfterPause(from position: Int) -> Int {
        guard rewind.isPaused, rules.rewindsAfterPause else { return position }
        let seconds = rewind.seconds(now: timers.now, wallSeconds: wallSeconds())
        return SmartRewind.place(from: position, afterSeconds: seconds, transcripts.transcript)
    }
}
