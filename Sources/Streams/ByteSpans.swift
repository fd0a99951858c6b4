// SPDX-License-Identifier: Apache-2.0
/// The present bytes of a recording: a few stretches in order, with holes between. A value.
public struct ByteSpans: Equatable, Sendable {
    /// The limit of stretches. Beyond it the shortest stretch behind the first is forgotten, and fetched again.
    public static let most = 16

    /// The stretches in order; none is empty, and none touches another.
    public private(set) var spans: [Range<Int64>] = []

    public init() {}

    /// The number of bytes present from the start on.
    public var front: Int64 {
        guard let first = spans.first, first.lowerBound == 0 else { return 0 }
        return first.upperBound
    }

    /// The place behind the last present byte.
    public var end: Int64 { spans.last?.upperBound ?? 0 }

    /// Returns the end of the stretch that contains a place; the place itself in a hole.
    public func reach(from place: Int64) -> Int64 {
        for span in spans where span.lowerBound <= place && place < span.upperBound { return span.upperBound }
        return place
    }

    /// Returns the first present byte behind a place in a hole; nil for none.
    public func next(after place: Int64) -> Int64? {
        for span in spans where span.lowerBound > place { return span.lowerBound }
        return nil
    }

    public mutating func insert(_ new: Range<Int64>) {
        if new.isEmpty || new.lowerBound < 0 { return }
        var lower = new.lowerBound
        var upper = new.upperBound
        var kept: [Range<Int64>] = []
        for span in spans where span.upperBound < lower { kept.append(span) }
        for span in spans where span.upperBound >= lower && span.lowerBound <= upper {
            lower = min(lower, span.lowerBound)
            upper = max(upper, span.upperBound)
        }
        kept.append(lower..<upper)
        for span in spans where span.lowerBound > upper { kept.append(span) }
        spans = kept
        while spans.count > ByteSpans.most { forgetShortest(but: new.lowerBound) }
    }

    /// Forgets the shortest stretch, except the first and the one written last.
    private mutating func forgetShortest(but place: Int64) {
        var shortest = -1
        for index in 1..<spans.count where !spans[index].contains(place) {
            if shortest < 0 || spans[index].count < spans[shortest].count { shortest = index }
        }
        if shortest > 0 { spans.remove(at: shortest) }
    }
}
