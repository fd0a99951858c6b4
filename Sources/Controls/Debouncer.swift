// SPDX-License-Identifier: Apache-2.0
import Posix

/// Removes the contact bounce from one button's edges. A level counts once it was stable for `stableMilliseconds`, from the first edge of
/// its burst on; glitches vanish. Only the edges' time stamps count, so edges that are read late in one batch give the same result.
public struct Debouncer: Sendable {
    /// A level that was stable long enough.
    public struct Change: Equatable, Sendable {
        public let isPressed: Bool
        /// The time of the burst's first edge.
        public let timestamp: MonotonicTime
    }

    private struct Burst {
        let start: MonotonicTime
        var last: MonotonicTime
        var isPressed: Bool
    }

    /// The required time; 0 passes every change at once, for lines that the kernel debounces.
    public let stableMilliseconds: Int
    /// The last stable level. Initially released: a button held down since before the start does nothing.
    public private(set) var isPressed = false
    private var burst: Burst?

    public init(stableMilliseconds: Int) {
        self.stableMilliseconds = stableMilliseconds
    }

    /// The time at which `advance` will end the present burst, unless more edges come; nil without a burst.
    public var nextDeadline: MonotonicTime? { burst?.last.adding(milliseconds: stableMilliseconds) }

    /// The time of the present burst's first edge: later changes are still undecided.
    public var unsettledSince: MonotonicTime? { burst?.start }

    /// Sets the level to pressed without an edge, since it was pressed before the first observation.
    public mutating func hold() { isPressed = true }

    /// Takes an edge, in order of time. Returns the change that the preceding silence has confirmed, or the edge itself if
    /// `stableMilliseconds` is 0.
    public mutating func receive(isPressed: Bool, at time: MonotonicTime) -> Change? {
        let settled = advance(to: time)
        // Two edges to the same level mean that one between them was lost, so the level is not stable, either.
        burst = Burst(start: burst?.start ?? time, last: max(time, burst?.last ?? time), isPressed: isPressed)
        return stableMilliseconds > 0 ? settled : advance(to: time)
    }

    /// Reports that no further edge came up to `time`.
    public mutating func advance(to time: MonotonicTime) -> Change? {
        guard let burst, let nextDeadline, time >= nextDeadline else { return nil }
        self.burst = nil
        if burst.isPressed == isPressed { return nil }
        isPressed = burst.isPressed
        return Change(isPressed: isPressed, timestamp: burst.start)
    }
}
