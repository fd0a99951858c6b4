/// What the console needs of the speaker to give favourites and bookmarks to another, and take them from one.
public protocol ConsoleKept: AnyObject {
    /// All of them as JSON, an object a line; in portions, as `EntryListing` has it.
    func kept() -> KeptListing
    /// Takes one in; false where it is there already.
    func takeIn(kept object: String) throws(ConsoleError) -> Bool
}

/// Lines that are to be listed, in portions.
public protocol KeptListing: AnyObject {
    func next(_ limit: Int) -> [String]?
}
