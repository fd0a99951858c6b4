import Core
import Library
import Model
import Posix

/// Playing what was found.
extension Speaker {
    /// Plays an item of the library from a place on: its entry in the queue, or a new entry behind the current one.
    /// - Returns: false where the queue takes no more, or the item is unknown.
    public func play(_ id: ItemID, fromMilliseconds milliseconds: Int, asked: MonotonicTime?) -> Bool {
        if let current = queue.current, current.itemID == id, current.chapter == 0, player.track != nil {
            if alarms.isRinging {
                // It is no hand that plays.
                seek(to: milliseconds, asked)
                play(asked)
            } else {
                perform(.seek(milliseconds: milliseconds), asked: asked)
                perform(.play, asked: asked)
            }
            return true
        }
        do throws(QueueFull) {
            guard let index = try entry(of: id) else { return false }
            go(to: index, milliseconds: milliseconds, play: true, asked: asked)
            return true
        } catch { return false }
    }

    /// Where an item stands in the queue; it is put behind the current entry where it does not. Nil where it cannot be put in.
    func entry(of id: ItemID) throws(QueueFull) -> Int? {
        if let index = queue.index(ofItem: id) { return index }
        let place = queue.currentIndex.map { $0 + 1 } ?? queue.count
        return try insert([id], at: place) == nil ? nil : place
    }

    /// Goes on with a book where it was left, from its beginning where it was not begun.
    /// - Returns: false where the queue takes no more, or there is no such book.
    public func goOn(with book: Book.ID, asked: MonotonicTime?) -> Bool {
        guard let book = library.book(book) else { return false }
        guard let left = book.left, let item = library.item(left.item) else {
            return play(book.firstItem, fromMilliseconds: 0, asked: asked)
        }
        return play(left.item, fromMilliseconds: item.resumeMilliseconds, asked: asked)
    }
}
