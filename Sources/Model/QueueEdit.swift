// SPDX-License-Identifier: Apache-2.0
import Core

/// One place in the queue. The same item may stand there twice; its song id tells the places apart.
public struct QueueEntry: Equatable, Sendable {
    /// There are many entries: 31 bits, so that the priority takes no room of its own.
    private var song: Int32
    /// Of MPD's: 0…255.
    public var priority: UInt8
    /// The number of the item's chapter that alone is played, from 1 on; 0 for the whole item.
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

/// The change of an edit of the queue.
public enum QueueEdit: Equatable, Sendable {
    /// Behind the song of that id; nil: before all others.
    case insert([QueueEntry], after: Int?)
    /// Neighbours, from the one song to the other.
    case remove(first: Int, last: Int)
    /// The neighbours from the one song to the other stand in this order now, behind a third; nil: before all others.
    case reorder([QueueEntry], first: Int, last: Int, after: Int?)
    /// The one stands where the other stood.
    case swap(QueueEntry, QueueEntry)
    /// Neighbours, from the one song to the other, are of this priority now.
    case prioritise(first: Int, last: Int, UInt8)
    /// Nothing of what was is left.
    case replace([QueueEntry])
    /// The queue has no edits (any more): it is the library and takes no rows.
    case followLibrary
}
