// SPDX-License-Identifier: Apache-2.0
import Console
import Library
import Model
import Speaker

/// Bookmarks.
extension ConsoleAdapter {
    public func bookmarks(in range: Range<Int>) -> [Bookmark] {
        library.bookmarks(offset: range.lowerBound, limit: range.count)
    }

    public func bookmark(_ number: Int64) -> Bookmark? { library.bookmark(number) }

    public func addBookmark() throws(ConsoleError) -> Bool {
        let addition = speaker.addBookmark()
        if addition == .notSaved { throw ConsoleError(.system, "The bookmark could not be saved") }
        return addition == .added
    }

    public func removeBookmark(_ number: Int64?) throws(ConsoleError) -> Bool { speaker.removeBookmark(number) }
}
