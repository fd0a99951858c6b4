// SPDX-License-Identifier: Apache-2.0
/// In which way the queue is gone through, as MPD's protocol knows it. Kept over a restart.
public struct PlayModes: Equatable, Sendable {
    /// The behavior at the end of an item: paused at the beginning of the next, or the same again where `repeats`.
    public enum Single: Int, Sendable {
        case off = 0
        case on = 1
        /// For one item, then off.
        case oneShot = 2
    }

    /// In an order of chance, a higher priority first.
    public var isRandom = false
    /// From the start again after the last.
    public var repeats = false
    public var single = Single.off
    /// Played items leave the queue.
    public var consumes = false
    /// MPD's cross-fade of the end of an item and the beginning of the next, if files tell how; kept for clients that set it.
    public var mixRampMillidecibels = 0
    /// Off where it is not above 0.
    public var mixRampDelayMilliseconds = 0

    public init() {}
}
