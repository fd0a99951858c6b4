/// What the console needs of the speaker to give favourites and bookmarks to another, and take them from one.
public protocol ConsoleKept: AnyObject {
    /// All of them as JSON, an object a line.
    func kept() -> Pages<String>
    /// Takes one in; false where it is there already.
    func takeIn(kept object: String) throws(ConsoleError) -> Bool
}
