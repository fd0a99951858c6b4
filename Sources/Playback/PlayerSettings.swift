// SPDX-License-Identifier: Apache-2.0
import ALSA
import Realtime

extension Player {
    /// The settings for opening the card.
    public struct Settings {
        public var device: String
        /// The device that plays in time but silently, if `device` does not open at the start.
        public var silentDevice: String?
        public var bufferMilliseconds: Int
        public var periodMilliseconds: Int
        /// The SCHED_FIFO priority of the audio thread, 0 for none.
        public var priority: Int
        /// The way to cut the queue; nil chooses by the kind of device.
        public var cut: CutMethod?
        /// The seconds after which the player closes an unused card, for other programs; 0 keeps it open.
        public var idleCloseSeconds = 0
        /// The decibels by which the playing sound is lower while the voice speaks, in steps of 6; nil for silence.
        public var lowerUnderVoice: Int? = 12
        var levelUnderVoice: Int { lowerUnderVoice.map { Envelope.unity >> ($0 / 6) } ?? 0 }

        public init(
            device: String, silentDevice: String?, bufferMilliseconds: Int, periodMilliseconds: Int, priority: Int,
            cut: CutMethod?
        ) {
            self.device = device
            self.silentDevice = silentDevice
            self.bufferMilliseconds = bufferMilliseconds
            self.periodMilliseconds = periodMilliseconds
            self.priority = priority
            self.cut = cut
        }
    }
}
