import Model

/// Books, for programs.
public protocol ConsoleBooks: AnyObject {
    /// The book that the song at a path is of (nil is the current one); nil where it is of none.
    func book(of uri: String?) throws(ConsoleError) -> Book?
    /// The chapters of the song, in order; none where it is one piece.
    func chapters(of uri: String?) throws(ConsoleError) -> [ChapterDescription]
    /// Goes on with a book where it was left: with that of a file, of a folder, of a title, or of the one title that begins so, whatever
    /// its accents and capitals. Throws `.noExist`, with up to five titles that may be meant.
    /// - Returns: false where there is more to be done: to be called again.
    func playBook(_ name: String) throws(ConsoleError) -> Bool
    func books(by order: Book.Order) -> Pages<Book>
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
