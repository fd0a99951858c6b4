// SPDX-License-Identifier: Apache-2.0
/// The bytes of a recording that are present: a few stretches in order, with holes between. A value.
public struct ByteSpans: Equatable, Sendable {
    /// Beyond this number the shortest behind the first is forgotten, and fetched again. the shortest behind the first is forgotten, and
    /// fetched again.
    public static let most = 16

    /// In order; none is empty, and none touches another.
    public private(set) var spans: [Range<Int64>] = []

    public init() {}

    /// Bytes that are there from the start on.
    public var front: Int64 {
        guard let first = spans.first, first.lowerBound == 0 else { return 0 }
        return first.upperBound
    }

    /// Behind the last byte that is there.
    public var end: Int64 { spans.last?.upperBound ?? 0 }

    /// Up to where all is there from a place on; the place itself where it is in a hole.
    public func reach(from place: Int64) -> Int64 {
        for span in spans where span.lowerBound <= place && place < span.upperBound { return span.upperBound }
        return place
    }

    /// Returns the first present byte behind a place in a hole; nil where none is.
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

    /// Spares the first span and the one written last.
    private mutating func forgetShortest(but place: Int64) {
        var shortest = -1
        for index in 1..<spans.count where !spans[index].contains(place) {
            if shortest < 0 || spans[index].count < spans[shortest].count { shortest = index }
        }
        if shortest > 0 { spans.remove(at: shortest) }
    }
}
