// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Model
import Playback
import Posix
import Transcript

/// The place of a pause.
extension Speaker {
    /// Starts the time of silence, if the speaker was playing.
    func beginPause() { if wantsToPlay { listening.rewind.begin() } }

    /// Saves the place of a new pause. A pause in the last seconds counts as heard to the end.
    func savePlaceOfPause() {
        savePlace()
        guard let item = currentItem, listening.isHeard,
            listening.isHeardToEnd(at: player.positionMilliseconds, duration: item.durationMilliseconds)
        else { return }
        library.didHearToEnd(item.id)
    }

    /// Rewinds once, further after a longer pause.
    func rewindAfterPause(_ asked: MonotonicTime?) {
        let position = player.positionMilliseconds
        let place = placeAfterPause(from: position)
        listening.rewind.end()
        if place < position { player.seek(toMilliseconds: place, asked: asked) }
    }

    /// Returns the place to resume at after the present pause.
    func placeAfterPause(from position: Int) -> Int {
        rules.rewindsAfterPause ? listening.rewind.place(from: position, transcripts.transcript) : position
    }
}
