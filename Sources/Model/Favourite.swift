// SPDX-License-Identifier: Apache-2.0
/// A favourite: the item with its identifier, title, artwork and audio reference, duration and last position, and since when.
public struct Favourite: Sendable {
    public var item: Item
    /// Seconds since 1970, by a clock that a board without one may have had wrong; the order "newest" does not hang on it.
    public var addedSeconds: Int64

    public init(item: Item, addedSeconds: Int64) {
        self.item = item
        self.addedSeconds = addedSeconds
    }

    public enum Order: Sendable {
        case newest
        case title
        /// Shortest first; unknown ones last.
        case duration
        case mostPlayed
    }

    /// The result of adding one.
    public enum Addition: Sendable {
        case added
        case alreadyThere
        /// The item is unknown, or the disk would not take it.
        case notSaved
    }
}
