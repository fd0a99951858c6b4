/// Says when the next frame is drawn: never two within one of the panel's, none while the last one is not shown, and those that come too
/// late not at all. Moments in microseconds of a clock that never goes back. A pure value.
public struct FramePacer: Equatable, Sendable {
    public enum Decision: Equatable, Sendable {
        case now
        case at(Int)
        /// Until the panel has shown the last one.
        case whenShown
        /// Nothing is to be drawn.
        case never
    }

    /// From one frame to the next, at least.
    public var intervalMicroseconds: Int
    private var next = 0

    public init(framesPerSecond: Int) { intervalMicroseconds = 1_000_000 / max(1, framesPerSecond) }

    /// - Parameter wanted: when the picture next looks different; nil for never.
    public func decide(wanted: Int?, isPanelBusy: Bool, now: Int) -> Decision {
        guard let wanted else { return .never }
        let due = max(wanted, next)
        if due > now { return .at(due) }
        return isPanelBusy ? .whenShown : .now
    }

    /// A frame was drawn. Those that follow come in step with it, as long as they are not late.
    public mutating func drew(at moment: Int) {
        next = moment - next < intervalMicroseconds ? next + intervalMicroseconds : moment + intervalMicroseconds
    }
}
