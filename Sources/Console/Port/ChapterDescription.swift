import Model

public struct ChapterDescription: Equatable, Sendable {
    public var startMilliseconds: Int
    /// Empty where nothing but the place is known.
    public var title: String

    public init(startMilliseconds: Int, title: String) {
        self.startMilliseconds = startMilliseconds
        self.title = title
    }
}
