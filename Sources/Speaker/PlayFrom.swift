// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Model
import Posix

/// Playing the results of a search.
extension Speaker {
    /// Plays an item of the library from a place on: its entry in the queue, or a new entry behind the current one.
    /// - Returns: false if the queue is full, or the item is unknown.
    public func play(_ id: ItemID, fromMilliseconds milliseconds: Int, asked: MonotonicTime?) -> Bool {
        if let current = queue.current, current.itemID == id, current.chapter == 0, player.track != nil {
            if alarms.isRinging {
                // It is no listener's press that plays.
                seek(to: milliseconds, asked)
                play(asked)
            } else {
                perform(.seek(milliseconds: milliseconds), asked: asked)
                perform(.play, asked: asked)
            }
            return true
        }
        do throws(QueueFull) {
            guard let index = try entry(of: id, isChosen: asked != nil) else { return false }
            go(to: index, milliseconds: milliseconds, play: true, asked: asked, isChosen: asked != nil)
            return true
        } catch { return false }
    }

    /// Returns an item's index in the queue. If it is missing, it is inserted behind the current entry, a book with its following files.
    /// - Parameter isChosen: true if a listener chose it at this speaker. For a recording of the library, the library then replaces a
    ///   client's queue: a book ends as a book, and later books follow it.
    /// - Returns: nil if the queue cannot take it.
    func entry(of id: ItemID, isChosen: Bool = false) throws(QueueFull) -> Int? {
        if isChosen, isLibrary, !queue.followsScans, let item = library.item(id), item.isPresent,
            item.path.begins(with: "/")
        {
            followLibrary()
            queueKeeper.forgetStrayAddresses(but: currentItem?.id ?? 0)
        }
        let rest = queue.followsScans ? [] : library.restOfBook(behind: id)
        if let index = queue.index(ofItem: id) {
            let isFollowed = queue.entries.indices.contains(index + 1) && queue.entries[index + 1].itemID == rest.first
            if !rest.isEmpty && !isFollowed { _ = try insert(rest, at: index + 1) }
            return index
        }
        let place = queue.currentIndex.map { $0 + 1 } ?? queue.count
        return try insert([id] + rest, at: place) == nil ? nil : place
    }

    /// Makes the library the queue, unless the library is empty.
    func followLibrary() {
        let items = library.itemIDs(inFolder: "/")
        if !items.isEmpty { edit { $0.follow(items) } }
    }

    /// Resumes a book at its place; a book without a place starts at its beginning.
    /// - Returns: false if the queue is full, or there is no such book.
    public func goOn(with book: Book.ID, asked: MonotonicTime?) -> Bool {
        guard let book = library.book(book) else { return false }
        if let feed = library.feed(of: book), let next = library.episodeToGoOn(with: feed, left: book.left?.item) {
            return play(next, fromMilliseconds: library.item(next)?.resumeMilliseconds ?? 0, asked: asked)
        }
        guard let left = book.left, let item = library.item(left.item) else {
            return play(book.firstItem, fromMilliseconds: 0, asked: asked)
        }
        return play(left.item, fromMilliseconds: library.resumeMilliseconds(of: item), asked: asked)
    }
}
