// SPDX-License-Identifier: Apache-2.0
/// An input's line, and its wiring.
public struct LineSettings: Sendable {
    public enum Bias: Sendable {
        case asIs, pullUp, pullDown
    }

    /// The kernel's name (`GPIO17`), a BCM number (`17`), or chip and offset (`gpiochip0:17`).
    public var line: String
    /// True if the button connects the line to ground.
    public var isActiveLow: Bool
    /// The chip's resistor; a chip without one leaves the line unchanged.
    public var bias: Bias
    /// The debounce time, 0…1000; the kernel filters if libgpiod supports that.
    public var debounceMilliseconds: Int
    /// The number of edges that the kernel queues, 16…1024, of 48 bytes each; then the oldest are lost.
    public var queuedEvents: Int

    public init(line: String, isActiveLow: Bool, bias: Bias, debounceMilliseconds: Int, queuedEvents: Int = 64) {
        self.line = line
        self.isActiveLow = isActiveLow
        self.bias = bias
        self.debounceMilliseconds = debounceMilliseconds
        self.queuedEvents = queuedEvents
    }
}
