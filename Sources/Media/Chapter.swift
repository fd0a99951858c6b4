/// A named place within what is played. A list of them is in order of time, and none lies past the end.
public struct Chapter: Equatable, Sendable {
    public var startMilliseconds: Int
    /// Empty where nothing but the place is known.
    public var title: String

    public init(startMilliseconds: Int, title: String) {
        self.startMilliseconds = startMilliseconds
        self.title = title
    }
}
