// SPDX-License-Identifier: Apache-2.0
/// The play modes of the queue, as in MPD's protocol. Kept over a restart.
public struct PlayModes: Equatable, Sendable {
    /// The behavior at the end of an item: pauses at the start of the next, or repeats the item if `repeats` is set.
    public enum Single: Int, Sendable {
        case off = 0
        case on = 1
        /// Active for one item, then off.
        case oneShot = 2
    }

    /// True plays in random order, higher priorities first.
    public var isRandom = false
    /// True starts again after the last item.
    public var repeats = false
    public var single = Single.off
    /// True removes played items from the queue.
    public var consumes = false
    /// MPD's cross-fade between items, as their files describe it; kept for clients that set it.
    public var mixRampMillidecibels = 0
    /// The delay of that cross-fade; off unless above 0.
    public var mixRampDelayMilliseconds = 0

    public init() {}
}
