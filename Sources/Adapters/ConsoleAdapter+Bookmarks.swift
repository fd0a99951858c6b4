import Console
import Library
import Speaker

/// Bookmarks.
extension ConsoleAdapter {
    public func bookmarks(in range: Range<Int>) -> [BookmarkDescription] {
        describe(library.bookmarks(offset: range.lowerBound, limit: range.count))
    }

    public func bookmark(_ number: Int64) -> BookmarkDescription? {
        describe(library.bookmark(number).map { [$0] } ?? []).first
    }

    private func describe(_ bookmarks: [Bookmark]) -> [BookmarkDescription] {
        var described: [BookmarkDescription] = []
        for bookmark in bookmarks {
            guard let item = library.item(bookmark.itemID) else { continue }
            described.append(
                BookmarkDescription(
                    number: bookmark.number, identifier: item.id, uri: names.uri(of: item.path), title: item.title,
                    milliseconds: bookmark.milliseconds, words: bookmark.words, addedSeconds: bookmark.addedSeconds))
        }
        return described
    }

    public func addBookmark() throws(ConsoleError) -> Bool {
        let addition = speaker.addBookmark()
        if addition == .notSaved { throw ConsoleError(.system, "The bookmark could not be saved") }
        return addition == .added
    }

    public func removeBookmark(_ number: Int64?) throws(ConsoleError) -> Bool { speaker.removeBookmark(number) }
}
