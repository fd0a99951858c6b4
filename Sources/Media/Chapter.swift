/// A named place within what is played. A list of them is in order of time.
public struct Chapter: Equatable, Sendable {
    public var startMilliseconds: Int
    /// Empty where nothing but the place is known.
    public var title: String

    public init(startMilliseconds: Int, title: String) {
        self.startMilliseconds = startMilliseconds
        self.title = title
    }
}

extension [Chapter] {
    /// Without those that the audio does not reach.
    /// - Parameter durationMilliseconds: of the audio; nil where nobody knows: then none is too late.
    public func within(_ durationMilliseconds: Int?) -> [Chapter] {
        guard let durationMilliseconds else { return self }
        return filter { $0.startMilliseconds < durationMilliseconds }
    }

    /// From where a chapter begins to where the next one does, in milliseconds; nil where there is none of that number.
    /// - Parameters:
    ///   - number: from 1 on.
    ///   - durationMilliseconds: of the audio, with which the last one ends; nil where nobody knows.
    public func bounds(ofNumber number: Int, durationMilliseconds: Int? = nil) -> Range<Int>? {
        guard number > 0, number <= count else { return nil }
        let start = self[number - 1].startMilliseconds
        let end = number < count ? self[number].startMilliseconds : durationMilliseconds ?? .max
        return start..<Swift.max(start, end)
    }
}
