// SPDX-License-Identifier: Apache-2.0
/// Decides when the next frame is drawn: at most one per frame of the panel, none while the last one is not shown yet. Late frames are
/// skipped. Moments are microseconds of a monotonic clock, in 64 bits: 32 hold only 35 minutes. A pure value.
public struct FramePacer: Equatable, Sendable {
    public enum Decision: Equatable, Sendable {
        case now
        case at(Int64)
        /// Draw when the panel has shown the last frame.
        case whenShown
        /// There is nothing to draw.
        case never
    }

    /// The least time between two frames.
    public var intervalMicroseconds: Int64
    private var next: Int64 = 0

    public init(framesPerSecond: Int) { intervalMicroseconds = 1_000_000 / Int64(max(1, framesPerSecond)) }

    /// - Parameter wanted: the time of the picture's next change; nil for never.
    public func decide(wanted: Int64?, isPanelBusy: Bool, now: Int64) -> Decision {
        guard let wanted else { return .never }
        let due = max(wanted, next)
        if due > now { return .at(due) }
        return isPanelBusy ? .whenShown : .now
    }

    /// Records a drawn frame. Later frames stay in step with it, unless they are late.
    public mutating func drew(at moment: Int64) {
        next = moment - next < intervalMicroseconds ? next + intervalMicroseconds : moment + intervalMicroseconds
    }
}
