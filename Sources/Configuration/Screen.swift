import Core

extension Configuration {
    /// The panel, and how a person wants it.
    public struct Screen: Equatable, Sendable {
        /// How pictures get to the panel.
        public enum Output: Equatable, Sendable {
            case automatic, flip, update, framebuffer
        }

        public enum Theme: Equatable, Sendable {
            /// At any hour.
            case light
            /// By day. At night it is that of the night.
            case dark
            /// Light by day.
            case byHour
        }

        public var isEnabled = false
        /// Only what plays, and the books, both very large.
        public var isSimple = false
        /// "/dev/dri/card1", "/dev/fb1"; "" for the first that there is.
        public var device = ""
        public var output = Output.automatic
        /// 0, 90, 180 or 270 degrees clockwise.
        public var rotation = 0
        /// Letters, in percent of their own size.
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
        /// Nobody wants to be dazzled: it goes off at night where by day it dims.
        public var isOffAtNight = true
        public var reducesMotion = false
        public var reducesTransparency = false
        public var hasMoreContrast = false
        public var savesPower = false
        /// Six numbers, as X's input drivers take them; empty for none.
        public var calibration: [Float] = []
        /// Whether fingers, mice and keys are read.
        public var hasInput = true

        public init() {}
    }
}
