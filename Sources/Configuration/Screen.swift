// SPDX-License-Identifier: Apache-2.0
import Core

extension Configuration {
    /// The panel, and the listener's settings for it.
    public struct Screen: Equatable, Sendable {
        /// The method of bringing pictures to the panel.
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
        /// True to show only the player and the books, both very large.
        public var isSimple = false
        /// The device, such as "/dev/dri/card1" or "/dev/fb1"; "" for the first one found.
        public var device = ""
        public var output = Output.automatic
        /// The rotation: 0, 90, 180 or 270 degrees clockwise.
        public var rotation = 0
        /// The size of letters, in percent.
        public var textPercent = 100
        public var theme = Theme.byHour
        /// The table of fonts; "" for Debian's.
        public var fontsPath = ""
        /// The hours of the night; nil if it is always day.
        public var night: NightHours? = NightHours(from: 22 * 60, to: 7 * 60)
        /// The backlight's name in /sys/class/backlight; "" for the first.
        public var backlight = ""
        /// The brightness in percent.
        public var brightness = 80
        public var dimBrightness = 10
        /// The seconds after the last touch until the panel dims; 0 for never.
        public var dimSeconds = 60
        public var offSeconds = 0
        /// True if the panel goes off at night when it would dim by day, so that it dazzles no sleeper.
        public var isOffAtNight = true
        public var reducesMotion = false
        public var reducesTransparency = false
        public var hasMoreContrast = false
        public var savesPower = false
        /// The calibration matrix: six numbers, as in X's input drivers; empty for none.
        public var calibration: [Float] = []
        /// True if fingers, mice and keys work the panel.
        public var hasInput = true

        public init() {}
    }
}
