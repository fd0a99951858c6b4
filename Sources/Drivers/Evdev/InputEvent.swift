// SPDX-License-Identifier: Apache-2.0
import Posix

/// An act of a key or a knob.
public struct InputEvent: Equatable, Sendable {
    public enum Change: Equatable, Sendable {
        case key(isPressed: Bool)
        /// It is still pressed: the kernel tells so again and again.
        case repeated
        /// So many steps: to the right, or away, where positive.
        case turned(Int)
    }

    /// By `linux/input-event-codes.h`.
    public let code: UInt16
    public let change: Change
    /// The kernel's time stamp.
    public let timestamp: MonotonicTime
}
