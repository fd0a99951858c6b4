// SPDX-License-Identifier: Apache-2.0
import Posix

/// A change of a button's level as the kernel saw it.
public struct Edge: Sendable {
    public let button: ButtonName
    /// The recognizer's number of the contact; nil for the one that every button has.
    public let contact: Int?
    public let isPressed: Bool
    /// The kernel's time stamp, not the time when it was read: gestures are judged by it alone.
    public let timestamp: MonotonicTime

    public init(button: ButtonName, contact: Int? = nil, isPressed: Bool, timestamp: MonotonicTime) {
        self.button = button
        self.contact = contact
        self.isPressed = isPressed
        // Far beyond any board's uptime, and what is added to it still cannot overflow.
        self.timestamp = MonotonicTime(nanoseconds: max(0, min(timestamp.nanoseconds, .max / 2)))
    }
}
