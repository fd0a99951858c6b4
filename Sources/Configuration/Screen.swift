// SPDX-License-Identifier: Apache-2.0
import Core

extension Configuration {
    /// The panel, and the listener's wishes for it.
    public struct Screen: Equatable, Sendable {
        /// The way of pictures to the panel.
        public enum Output: Equatable, Sendable {
            case automatic, flip, update, framebuffer
        }

        public enum Theme: Equatable, Sendable {
            /// Light at any hour.
            case light
            /// Dark by day. The night has its own theme.
            case dark
            /// Light by day.
            case byHour
        }

        public var isEnabled = false
        /// Only the player and the books, both very large.
        public var isSimple = false
        /// "/dev/dri/card1", "/dev/fb1"; "" for the first that there is.
        public var device = ""
        public var output = Output.automatic
        /// 0, 90, 180 or 270 degrees clockwise.
        public var rotation = 0
        /// The size of letters, in percent.
        public var textPercent = 100
        public var theme = Theme.byHour
        /// The table of fonts; "" for those of Debian.
        public var fontsPath = ""
        /// Nil for none: it is always day.
        public var night: NightHours? = NightHours(from: 22 * 60, to: 7 * 60)
        /// Of those in /sys/class/backlight; "" for the first.
        public var backlight = ""
        /// In percent.
        public var brightness = 80
        public var dimBrightness = 10
        /// After the last touch; 0 for never.
        public var dimSeconds = 60
        public var offSeconds = 0
        /// At night it goes off when it dims by day, so that it dazzles no sleeper.
        public var isOffAtNight = true
        public var reducesMotion = false
        public var reducesTransparency = false
        public var hasMoreContrast = false
        public var savesPower = false
        /// Six numbers, as X's input drivers take them; empty for none.
        public var calibration: [Float] = []
        /// True if fingers, mice and keys work the panel.
        public var hasInput = true

        public init() {}
    }
}
