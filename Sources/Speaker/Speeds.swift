// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Model

/// The speeds: the speaker's speed, and that of each book that was given its own.
public final class Speeds {
    public private(set) var speaker = Speed.own
    /// Of the book that is current; nil where none was set for it.
    public private(set) var book: Speed?
    private let library: Library
    /// The storage of the speaker's own; nil for nowhere.
    private let store: Library?

    init(_ library: Library, store: Library?) {
        self.library = library
        self.store = store
    }

    public var now: Speed { book ?? speaker }

    func restore() { if let store { speaker = store.restoredSpeed() } }

    /// Another item is current.
    func itemDidChange(to item: ItemID) { book = library.speed(ofBookOf: item) }

    /// At which an item is played.
    func speed(of item: ItemID) -> Speed { library.speed(ofBookOf: item) ?? speaker }

    /// - Parameters:
    ///   - forBook: for the book that is current alone, and not for all that have none of their own. One that has keeps to have.
    ///   - item: of that book.
    /// - Returns: false where there is no such book, or it could not be saved.
    func set(_ speed: Speed, forBook: Bool, of item: ItemID?) -> Bool {
        if forBook || book != nil { return setBook(speed, of: item) }
        speaker = speed
        store?.save(speed)
        return true
    }

    /// - Parameter speed: nil for the speaker's.
    func setBook(_ speed: Speed?, of item: ItemID?) -> Bool {
        guard let item, library.save(speed, forBookOf: item) else { return false }
        book = speed
        return true
    }
}
