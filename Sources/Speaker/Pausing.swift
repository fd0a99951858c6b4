import Core
import Library
import Model
import Playback
import Posix
import Transcript

/// What becomes of the place where a pause was begun.
extension Speaker {
    /// It is from now on that nobody listens, if somebody did.
    func beginPause() { if wantsToPlay { listening.rewind.begin() } }

    /// The place of a pause that was begun is saved. Who pauses in the last seconds has heard it all.
    func savePlaceOfPause() {
        savePlace()
        guard let item = currentItem, listening.isHeard,
            listening.isHeardToEnd(at: player.positionMilliseconds, duration: item.durationMilliseconds)
        else { return }
        library.didHearToEnd(item.id)
    }

    /// Goes back as far as the pause was long, once.
    func rewindAfterPause(_ asked: MonotonicTime?) {
        let position = player.positionMilliseconds
        let place = placeAfterPause(from: position)
        listening.rewind.end()
        if place < position { player.seek(toMilliseconds: place, asked: asked) }
    }

    /// Where to play on after the pause under way.
    func placeAfterPause(from position: Int) -> Int {
        rules.rewindsAfterPause ? listening.rewind.place(from: position, transcripts.transcript) : position
    }
}
