// SPDX-License-Identifier: Apache-2.0
import Audio
import Realtime

/// The fade at the end of the sleep timer, independent of the listener's volume.
extension Player {
    /// Fades the sound out; playback continues in silence.
    public func fall(withinMilliseconds milliseconds: Int) {
        audio.send(.gain(.sleep, level: 0, milliseconds: milliseconds))
    }

    /// Fades the sound in again; at once if nothing sounds.
    public func rise(withinMilliseconds milliseconds: Int) {
        audio.send(.gain(.sleep, level: Envelope.unity, milliseconds: milliseconds))
    }
}
