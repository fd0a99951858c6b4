import ALSA

extension Player {
    /// How the card is opened.
    public struct Settings {
        public var device: String
        /// Played into, without a sound but in time, where `device` cannot be opened at start.
        public var silentDevice: String?
        public var bufferMilliseconds: Int
        public var periodMilliseconds: Int
        /// SCHED_FIFO priority of the audio thread, 0 for none.
        public var priority: Int
        /// Nil chooses by the kind of device.
        public var cut: CutMethod?
        /// A card on which nothing is wanted for so long is closed, for other programs; 0 keeps it open.
        public var idleCloseSeconds = 0

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
