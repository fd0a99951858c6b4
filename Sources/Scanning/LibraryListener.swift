// SPDX-License-Identifier: Apache-2.0
import Library
import Model

/// An item that is there now and was not before, and its place among the others.
public struct Arrival: Equatable, Sendable {
    public enum Place: Equatable, Sendable {
        case first
        case behind(Item.ID)
        /// Behind all that has arrived so far: files that a person named keep the order of naming.
        case last
    }

    public let id: Item.ID
    /// In the library's order. One that stands in the queue already moves there.
    public let place: Place

    public init(id: Item.ID, place: Place) {
        self.id = id
        self.place = place
    }
}

/// The progress of a scan.
public struct ScanProgress: Equatable, Sendable {
    /// Files of audio come across so far.
    public var filesSeen: Int

    public init(filesSeen: Int) { self.filesSeen = filesSeen }
}

/// Is told what becomes of the library. Called on the control thread, from the event loop and never from within a call to the
/// keeper; and only where something has changed.
public protocol LibraryListener: AnyObject {
    /// Some items are newly there, at most 64 at a time, in the library's order: the place of each is behind an earlier report or an
    /// earlier one here. For named files: everything found, known before or not.
    func libraryDidGain(_ arrivals: [Arrival])
    /// Their files are away.
    func libraryDidLose(_ ids: [Item.ID])
    /// Title, duration or the like are others now.
    func libraryDidChange(_ ids: [Item.ID])
    func scanDidBegin()
    /// The keeper's `progress` is another; once a second.
    func scanDidProgress()
    /// - Parameter foundAny: true if there was any file of audio.
    func scanDidEnd(foundAny: Bool)
    /// A disk came within the library, and its scan is over.
    func libraryDidMount(_ folder: String)
}
