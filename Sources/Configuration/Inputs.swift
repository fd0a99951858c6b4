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
        /// The kernel's name (`GPIO17`; the reader turns a BCM number into one), or chip and offset (`gpiochip0:17`).
        public var line: String
        public var isActiveLow = false
        public var bias = Bias.asIs
        /// The debounce time, 0…1000 ms.
        public var debounceMilliseconds = 8
        /// The number of its line in the file, for messages.
        public let sourceLine: Int
    }

    /// A key or an axis of an input device.
    public struct Input: Equatable, Sendable {
        public var code: InputCode
        /// The device's own name; "" for every device with this key or axis.
        public var device = ""
        /// True if no other program gets the device's events.
        public var isGrabbed = false
    }

    /// A key of a keyboard or remote control that is a button.
    public struct Key: Equatable, Sendable {
        public let name: ButtonName
        public let input: Input
    }

    /// A rotary encoder on two GPIO lines.
    public struct Encoder: Equatable, Sendable {
        /// Line A, in the form of a button's line. The knob turns to the right if A leads.
        public var lineA: String
        public var lineB: String
        public var isActiveLow = false
        public var bias = Bias.asIs
        /// The quarters of a period from one detent to the next: 1, 2 or 4.
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
        /// The chip: "pwmchip0", or the path of a similar folder.
        public var chip: String
        public var channel: Int
    }

    /// A haptic device: a motor or a piezo.
    public struct Haptics: Equatable, Sendable {
        /// The line, in the form of a button's; "" for none.
        public var line = ""
        public var isActiveLow = false
        /// The PWM channel to use instead of a line; nil for none. Its duty cycle is the strength.
        public var pwm: PWM?
        /// The frequency of the PWM in Hz.
        public var pwmHertz = 20_000
        /// The length of the line's pulses, or the PWM's duty cycle, in percent of the usual one.
        public var strengthPercent = 100
        /// True if the speaker's own buttons and knobs trigger it, too.
        public var hasButtons = true
        /// The number of its line in the file, for messages.
        public var sourceLine = 0
        /// True if a line or a channel is configured.
        public var isThere: Bool { !line.isEmpty || pwm != nil }

        public init() {}
    }
}
