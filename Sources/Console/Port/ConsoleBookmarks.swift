import Model

/// What the console needs of the speaker to keep sentences.
public protocol ConsoleBookmarks: AnyObject {
    /// A page of them, the newest first; those of songs that are known.
    func bookmarks(in range: Range<Int>) -> [Bookmark]
    func bookmark(_ number: Int64) -> Bookmark?
    /// Keeps the sentence being spoken; false where it is kept already.
    func addBookmark() throws(ConsoleError) -> Bool
    /// Forgets one; nil means the sentence being spoken. False where there is none.
    func removeBookmark(_ number: Int64?) throws(ConsoleError) -> Bool
}
