// SPDX-License-Identifier: Apache-2.0
import Library
import Model

/// A new item of the library, and its place among the others.
public struct Arrival: Equatable, Sendable {
    public enum Place: Equatable, Sendable {
        case first
        case behind(Item.ID)
        /// Behind all earlier arrivals: named files keep their order.
        case last
    }

    public let id: Item.ID
    /// The place in the library's order. An item that is in the queue already moves there.
    public let place: Place

    public init(id: Item.ID, place: Place) {
        self.id = id
        self.place = place
    }
}

/// The progress of a scan.
public struct ScanProgress: Equatable, Sendable {
    /// The number of audio files found so far.
    public var filesSeen: Int

    public init(filesSeen: Int) { self.filesSeen = filesSeen }
}

/// The receiver of the library's changes. Called on the control thread, from the event loop and never from within a call to the keeper; and
/// only after a change.
public protocol LibraryListener: AnyObject {
    /// Reports new items, at most 64 at a time, in the library's order: the place of each is behind an item reported before it. For named
    /// files: everything found, known before or not.
    func libraryDidGain(_ arrivals: [Arrival])
    /// Reports items with missing files.
    func libraryDidLose(_ ids: [Item.ID])
    /// Reports items with another title, duration or the like.
    func libraryDidChange(_ ids: [Item.ID])
    func scanDidBegin()
    /// Reports that the keeper's `progress` has changed; once a second.
    func scanDidProgress()
    /// - Parameter foundAny: true if there was any audio file.
    func scanDidEnd(foundAny: Bool)
    /// Reports a new disk within the library, after its scan.
    func libraryDidMount(_ folder: String)
}
