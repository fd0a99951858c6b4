// SPDX-License-Identifier: Apache-2.0
import Core

/// An entry of the queue. The same item may be there twice; the song id tells the entries apart.
public struct QueueEntry: Equatable, Sendable {
    /// The song id. There are many entries: 31 bits, so that the priority takes no room of its own.
    private var song: Int32
    /// MPD's priority, 0…255.
    public var priority: UInt8
    /// The number of the only chapter to play, from 1 on; 0 for the whole item.
    public let chapter: UInt16
    public var itemID: ItemID

    public var songID: Int { Int(song) }

    public init(songID: Int, itemID: ItemID, priority: UInt8 = 0, chapter: UInt16 = 0) {
        song = Int32(clamping: songID)
        self.itemID = itemID
        self.priority = priority
        self.chapter = chapter
    }
}

/// The effect of an edit of the queue.
public enum QueueEdit: Equatable, Sendable {
    /// Inserts entries behind the song with that id; nil: before all others.
    case insert([QueueEntry], after: Int?)
    /// Removes adjacent entries, from the first song to the last.
    case remove(first: Int, last: Int)
    /// Moves the adjacent entries from the first song to the last, now in this order, behind a third; nil: before all others.
    case reorder([QueueEntry], first: Int, last: Int, after: Int?)
    /// Exchanges two entries.
    case swap(QueueEntry, QueueEntry)
    /// Gives adjacent entries, from the first song to the last, this priority.
    case prioritise(first: Int, last: Int, UInt8)
    /// Replaces all entries.
    case replace([QueueEntry])
    /// Ends all edits: the queue is the library and takes no rows.
    case followLibrary
}
