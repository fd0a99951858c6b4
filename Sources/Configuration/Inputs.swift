// SPDX-License-Identifier: Apache-2.0
import Controls

extension Configuration {
    /// The resistor of a GPIO line inside the chip.
    public enum Bias: Equatable, Sendable {
        case asIs, pullUp, pullDown
    }

    /// A button that is wired to a GPIO line.
    public struct Button: Equatable, Sendable {
        public typealias Bias = Configuration.Bias

        public let name: ButtonName
        /// The kernel's name (`GPIO17`; the reader makes a BCM number one), or chip and offset (`gpiochip0:17`).
        public var line: String
        public var isActiveLow = false
        public var bias = Bias.asIs
        /// 0…1000.
        public var debounceMilliseconds = 8
        /// Its line in the file, for messages.
        public let sourceLine: Int
    }

    /// A key or an axis of an input device.
    public struct Input: Equatable, Sendable {
        public var code: InputCode
        /// The device's own name; "" for every device that has the key or axis.
        public var device = ""
        /// No other program gets the device's events.
        public var isGrabbed = false
    }

    /// A key of a keyboard or remote control that is a button.
    public struct Key: Equatable, Sendable {
        public let name: ButtonName
        public let input: Input
    }

    /// A rotary encoder on two GPIO lines.
    public struct Encoder: Equatable, Sendable {
        /// As a button's. The knob turns to the right where A leads.
        public var lineA: String
        public var lineB: String
        public var isActiveLow = false
        public var bias = Bias.asIs
        /// Quarters of a period from one detent to the next: 1, 2 or 4.
        public var quartersEach = 4
    }

    /// A knob: an encoder, an axis of an input device, or several of both.
    public struct Knob: Equatable, Sendable {
        public let name: KnobName
        public var encoders: [Encoder] = []
        public var axes: [Input] = []
        public let sourceLine: Int
    }

    /// A channel of the kernel's PWM.
    public struct PWM: Equatable, Sendable {
        /// "pwmchip0", or the path of a folder like it.
        public var chip: String
        public var channel: Int
    }

    /// A motor or a piezo that a hand feels.
    public struct Haptics: Equatable, Sendable {
        /// As a button's; "" for none.
        public var line = ""
        public var isActiveLow = false
        /// Used instead of a line: the strength is the part of each period that it is on. Nil for none.
        public var pwm: PWM?
        /// Its periods a second.
        public var pwmHertz = 20_000
        /// The length of a pulse of the line, or the part of each period, in percent of the usual.
        public var strengthPercent = 100
        /// The speaker's own buttons and knobs make it move, too.
        public var hasButtons = true
        /// Its line in the file, for messages.
        public var sourceLine = 0
        /// True if a line or a channel is configured.
        public var isThere: Bool { !line.isEmpty || pwm != nil }

        public init() {}
    }
}
