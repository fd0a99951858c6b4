// SPDX-License-Identifier: Apache-2.0
import Model

@testable import Console

extension FakeSpeaker {
    func bookmarks(in range: Range<Int>) -> [Bookmark] {
        Array(bookmarks[range.clamped(to: 0..<bookmarks.count)])
    }

    func bookmark(_ number: Int64) -> Bookmark? { bookmarks.first { $0.number == number } }

    func addBookmark() throws(ConsoleError) -> Bool {
        try act("add bookmark", .sticker)
        if bookmarks.contains(where: { $0.milliseconds == status.positionMilliseconds }) { return false }
        bookmarks.insert(
            Bookmark(
                number: Int64(bookmarks.count + 1), itemID: 7, path: "stories/lamp.mp3", title: "Under the Lamp",
                milliseconds: status.positionMilliseconds, words: "Said here.", addedSeconds: 1_700_000_000), at: 0)
        return true
    }

    func removeBookmark(_ number: Int64?) throws(ConsoleError) -> Bool {
        try act("remove bookmark", .sticker)
        let before = bookmarks.count
        bookmarks.removeAll { $0.number == number ?? bookmarks.first?.number }
        return bookmarks.count < before
    }
}
