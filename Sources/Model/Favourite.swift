// SPDX-License-Identifier: Apache-2.0
/// A favorite: the item, and the time of adding.
public struct Favourite: Sendable {
    public var item: Item
    /// The time of adding in seconds since 1970. A board without a clock may have had a wrong one, so the order "newest" does not use it.
    public var addedSeconds: Int64

    public init(item: Item, addedSeconds: Int64) {
        self.item = item
        self.addedSeconds = addedSeconds
    }

    public enum Order: Sendable {
        case newest
        case title
        /// By duration, the shortest first; unknown ones last.
        case duration
        case mostPlayed
    }

    /// The result of adding a favorite.
    public enum Addition: Sendable {
        case added
        case alreadyThere
        /// The item is unknown, or the disk refused it.
        case notSaved
    }
}
