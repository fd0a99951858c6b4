// SPDX-License-Identifier: Apache-2.0
import Posix

/// An event of a key or a knob.
public struct InputEvent: Equatable, Sendable {
    public enum Change: Equatable, Sendable {
        case key(isPressed: Bool)
        /// The key is still pressed; the kernel repeats this.
        case repeated
        /// The knob turned by so many steps; positive to the right, or away.
        case turned(Int)
    }

    /// The code in `linux/input-event-codes.h`.
    public let code: UInt16
    public let change: Change
    /// The kernel's time stamp.
    public let timestamp: MonotonicTime
}
