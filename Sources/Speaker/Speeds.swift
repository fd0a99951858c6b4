// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Model

/// The speeds: the speaker's speed, and the own speeds of books.
public final class Speeds {
    public private(set) var speaker = Speed.own
    /// The speed of the current book; nil if it has none of its own.
    public private(set) var book: Speed?
    private let library: Library
    /// The storage of the speaker's speed; nil to store nothing.
    private let store: Library?

    init(_ library: Library, store: Library?) {
        self.library = library
        self.store = store
    }

    public var now: Speed { book ?? speaker }

    func restore() { if let store { speaker = store.restoredSpeed() } }

    /// Notes that another item is current.
    func itemDidChange(to item: ItemID) { book = library.speed(ofBookOf: item) }

    /// Returns the speed of an item.
    func speed(of item: ItemID) -> Speed { library.speed(ofBookOf: item) ?? speaker }

    /// - Parameters:
    ///   - forBook: true for the current book only; false for all without a speed of their own. A book with its own speed keeps having one.
    ///   - item: a file of that book.
    /// - Returns: false if there is no such book, or it could not be saved.
    func set(_ speed: Speed, forBook: Bool, of item: ItemID?) -> Bool {
        if forBook || book != nil { return setBook(speed, of: item) }
        speaker = speed
        store?.save(speed)
        return true
    }

    /// - Parameter speed: nil for the speaker's speed.
    func setBook(_ speed: Speed?, of item: ItemID?) -> Bool {
        guard let item, library.save(speed, forBookOf: item) else { return false }
        book = speed
        return true
    }
}
