// SPDX-License-Identifier: Apache-2.0
import Audio
import Realtime

/// The fade for a listener who falls asleep: beside the listener's volume, which stays what it is.
extension Player {
    /// Fades the sound out; silence goes on playing.
    public func fall(withinMilliseconds milliseconds: Int) {
        audio.send(.gain(.sleep, level: 0, milliseconds: milliseconds))
    }

    /// It is there again: at once where nothing sounds.
    public func rise(withinMilliseconds milliseconds: Int) {
        audio.send(.gain(.sleep, level: Envelope.unity, milliseconds: milliseconds))
    }
}
