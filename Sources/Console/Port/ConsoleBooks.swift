/// Books, for programs.
public protocol ConsoleBooks: AnyObject {
    /// The book that the song at a path is of (nil is the current one); nil where it is of none.
    func book(of uri: String?) throws(ConsoleError) -> BookDescription?
    /// The chapters of the song, in order; none where it is one piece.
    func chapters(of uri: String?) throws(ConsoleError) -> [ChapterDescription]
    /// Goes on with a book where it was left: with that of a file, of a folder, of a title, or of the one title that begins so, whatever
    /// its accents and capitals. Throws `.noExist`, with up to five titles that may be meant.
    /// - Returns: false where there is more to be done: to be called again.
    func playBook(_ name: String) throws(ConsoleError) -> Bool
    /// All books, or those that are begun, or finished.
    func books(_ kind: BookDescription.Kind) -> Pages<BookDescription>
    /// The book of the song, or the song where it is of none, is finished from here on, or is not.
    func setFinished(_ isFinished: Bool, of uri: String?) throws(ConsoleError)
}

public struct ChapterDescription: Equatable, Sendable {
    public var startMilliseconds: Int
    /// Empty where nothing but the place is known.
    public var title: String

    public init(startMilliseconds: Int, title: String) {
        self.startMilliseconds = startMilliseconds
        self.title = title
    }
}

/// A book as it is told to programs. What nobody knows is the empty text.
public struct BookDescription: Equatable, Sendable {
    /// The order of `books`, or which of them; the newest first where it says no more.
    public enum Kind: Sendable {
        case newest, title, author, series, unfinished, finished
    }

    /// Where it was left.
    public struct Place: Equatable, Sendable {
        public var uri: String
        /// Which of the files, from 0.
        public var index: Int
        public var milliseconds: Int

        public init(uri: String, index: Int, milliseconds: Int) {
            self.uri = uri
            self.index = index
            self.milliseconds = milliseconds
        }
    }

    /// The folder of its files, or its one file.
    public var uri: String
    public var title: String
    public var author = ""
    public var narrator = ""
    public var series = ""
    public var seriesPart = ""
    public var year = ""
    public var genre = ""
    public var language = ""
    public var fileCount = 1
    public var durationMilliseconds: Int64 = 0
    public var heardMilliseconds: Int64 = 0
    public var left: Place?
    public var isFinished = false

    public init(uri: String, title: String) {
        self.uri = uri
        self.title = title
    }
}
