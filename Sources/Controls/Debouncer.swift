// SPDX-License-Identifier: Apache-2.0
import Posix

/// Takes the contact bounce out of one button's edges: a level counts once it has been stable for `stableMilliseconds`, so
/// glitches vanish, and it counts from the first edge of the burst that led to it. It goes by the edges' time stamps, so edges
/// that are read late, in one batch, give what they would have given one by one.
public struct Debouncer: Sendable {
    /// A level that has proved stable.
    public struct Change: Equatable, Sendable {
        public let isPressed: Bool
        /// The first edge of the burst.
        public let timestamp: MonotonicTime
    }

    private struct Burst {
        let start: MonotonicTime
        var last: MonotonicTime
        var isPressed: Bool
    }

    /// 0 passes every change on at once: for lines that the kernel debounces.
    public let stableMilliseconds: Int
    /// The last level that proved stable. Released at first: a button held down since before the start does nothing.
    public private(set) var isPressed = false
    private var burst: Burst?

    public init(stableMilliseconds: Int) {
        self.stableMilliseconds = stableMilliseconds
    }

    /// When `advance` will settle the burst under way, unless more edges come; nil if none is under way.
    public var nextDeadline: MonotonicTime? { burst?.last.adding(milliseconds: stableMilliseconds) }

    /// The first edge of the burst under way: later changes are still undecided.
    public var unsettledSince: MonotonicTime? { burst?.start }

    /// The level is pressed without an edge: it was so before anything could be seen of it.
    public mutating func hold() { isPressed = true }

    /// Takes an edge, in order of time. Returns the change that the silence before it, or it itself where
    /// `stableMilliseconds` is 0, has settled.
    public mutating func receive(isPressed: Bool, at time: MonotonicTime) -> Change? {
        let settled = advance(to: time)
        // Two edges in a row to the same level mean that one between them was lost: not stable either.
        burst = Burst(start: burst?.start ?? time, last: max(time, burst?.last ?? time), isPressed: isPressed)
        return stableMilliseconds > 0 ? settled : advance(to: time)
    }

    /// Says that no further edge came up to `time`.
    public mutating func advance(to time: MonotonicTime) -> Change? {
        guard let burst, let nextDeadline, time >= nextDeadline else { return nil }
        self.burst = nil
        if burst.isPressed == isPressed { return nil }
        isPressed = burst.isPressed
        return Change(isPressed: isPressed, timestamp: burst.start)
    }
}
