/// A sentence that was kept, with its words.
public struct BookmarkDescription: Sendable {
    /// What `bookmark play` and `remove` call it.
    public var number: Int64
    /// Of the song that has it, whether or not its file is there.
    public var identifier: Int64
    public var uri: String
    public var title: String
    public var milliseconds: Int
    /// What is said there; empty where nobody knew.
    public var words: String
    /// Seconds since 1970.
    public var addedSeconds: Int64

    public init(
        number: Int64, identifier: Int64, uri: String, title: String, milliseconds: Int, words: String,
        addedSeconds: Int64
    ) {
        self.number = number
        self.identifier = identifier
        self.uri = uri
        self.title = title
        self.milliseconds = milliseconds
        self.words = words
        self.addedSeconds = addedSeconds
    }
}

/// What the console needs of the speaker to keep sentences.
public protocol ConsoleBookmarks: AnyObject {
    /// A page of them, the newest first; those of songs that are known.
    func bookmarks(in range: Range<Int>) -> [BookmarkDescription]
    func bookmark(_ number: Int64) -> BookmarkDescription?
    /// Keeps the sentence being spoken; false where it is kept already.
    func addBookmark() throws(ConsoleError) -> Bool
    /// Forgets one; nil means the sentence being spoken. False where there is none.
    func removeBookmark(_ number: Int64?) throws(ConsoleError) -> Bool
}
