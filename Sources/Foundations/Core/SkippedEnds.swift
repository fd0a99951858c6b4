// SPDX-License-Identifier: Apache-2.0
/// The seconds to skip at the beginning and at the end of each file of a work: its intro and its outro.
public struct SkippedEnds: Equatable, Sendable {
    public static let most = 3600
    public static let none = SkippedEnds(start: 0, end: 0)

    public var start: Int
    public var end: Int

    /// Limits the numbers to 0…`most`.
    public init(start: Int, end: Int) {
        self.start = min(max(0, start), SkippedEnds.most)
        self.end = min(max(0, end), SkippedEnds.most)
    }

    /// Reads the form of `text`; nil for anything else.
    public init?(text: String) {
        let words = text.utf8.split(separator: 0x20, omittingEmptySubsequences: false)
        guard words.count == 2, let start = Int64(digits: words[0], most: 4),
            let end = Int64(digits: words[1], most: 4),
            start <= SkippedEnds.most, end <= SkippedEnds.most
        else { return nil }
        self.init(start: Int(start), end: Int(end))
    }

    /// The form "30 20".
    public var text: String { "\(start) \(end)" }

    /// Returns the stretch of a file to play, in milliseconds. A file that is shorter than both ends is played whole.
    /// - Parameter duration: the length; nil if unknown, which plays the end, too.
    public func played(ofMilliseconds duration: Int?) -> Range<Int> {
        let (start, end) = (start * 1000, end * 1000)
        guard let duration else { return start..<Int.max }
        return start + end < duration ? start..<(duration - end) : 0..<max(0, duration)
    }
}
