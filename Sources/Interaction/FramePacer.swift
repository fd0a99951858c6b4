// SPDX-License-Identifier: Apache-2.0
/// Decides when the next frame is drawn: at most one in each of the panel's, none while the last one is not shown, and late ones not at
/// all. Moments are microseconds of a monotonic clock, in 64 bits: 32 hold only 35 minutes. A pure value.
public struct FramePacer: Equatable, Sendable {
    public enum Decision: Equatable, Sendable {
        case now
        case at(Int64)
        /// Until the panel has shown the last one.
        case whenShown
        /// Nothing is to be drawn.
        case never
    }

    /// From one frame to the next, at least.
    public var intervalMicroseconds: Int64
    private var next: Int64 = 0

    public init(framesPerSecond: Int) { intervalMicroseconds = 1_000_000 / Int64(max(1, framesPerSecond)) }

    /// - Parameter wanted: when the picture next looks different; nil for never.
    public func decide(wanted: Int64?, isPanelBusy: Bool, now: Int64) -> Decision {
        guard let wanted else { return .never }
        let due = max(wanted, next)
        if due > now { return .at(due) }
        return isPanelBusy ? .whenShown : .now
    }

    /// A frame was drawn. Those that follow come in step with it, as long as they are not late.
    public mutating func drew(at moment: Int64) {
        next = moment - next < intervalMicroseconds ? next + intervalMicroseconds : moment + intervalMicroseconds
    }
}
