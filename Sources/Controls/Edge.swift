// SPDX-License-Identifier: Apache-2.0
import Posix

/// A change of a button's level, as seen by the kernel.
public struct Edge: Sendable {
    public let button: ButtonName
    /// The recognizer's number of the contact; nil for a button's first one.
    public let contact: Int?
    public let isPressed: Bool
    /// The kernel's time stamp, not the time of reading: gestures depend on it alone.
    public let timestamp: MonotonicTime

    public init(button: ButtonName, contact: Int? = nil, isPressed: Bool, timestamp: MonotonicTime) {
        self.button = button
        self.contact = contact
        self.isPressed = isPressed
        // Far beyond any board's uptime, but additions cannot overflow.
        self.timestamp = MonotonicTime(nanoseconds: max(0, min(timestamp.nanoseconds, .max / 2)))
    }
}
