// SPDX-License-Identifier: Apache-2.0
/// A copy of a `Histogram` at one moment. It can be written on a line, read back elsewhere and subtracted, which gives the percentiles of a
/// period.
public struct HistogramCounts: Equatable, Sendable {
    /// The limit of a count, which keeps sums of foreign counts within 64 bits.
    private static let mostInBucket: Int64 = 1 << 40

    private var buckets = [Int64](repeating: 0, count: Histogram.bucketCount)
    /// The largest duration recorded since the start, in nanoseconds.
    public let maximum: Int64

    init(maximum: Int64) { self.maximum = maximum }

    /// - Parameter numbers: the numbers of `text`. Impossible ones are ignored.
    public init(numbers: [Int64], maximum: Int64) {
        self.init(maximum: maximum)
        var i = 0
        while i + 1 < numbers.count {
            if let bucket = Int(exactly: numbers[i]), buckets.indices.contains(bucket) {
                buckets[bucket] = min(max(0, numbers[i + 1]), HistogramCounts.mostInBucket)
            }
            i += 2
        }
    }

    mutating func set(_ bucket: Int, to count: Int64) { buckets[bucket] = count }

    /// The non-empty buckets with their counts: "57:3 58:12".
    public var text: String {
        var text = ""
        for bucket in buckets.indices where buckets[bucket] > 0 {
            text += (text.isEmpty ? "" : " ") + "\(bucket):\(buckets[bucket])"
        }
        return text
    }

    /// Returns the samples recorded after `earlier`.
    public func since(_ earlier: HistogramCounts) -> HistogramCounts {
        var difference = HistogramCounts(maximum: maximum)
        for bucket in buckets.indices {
            difference.buckets[bucket] = max(0, buckets[bucket] - earlier.buckets[bucket])
        }
        return difference
    }

    public var count: Int64 { buckets.reduce(0, +) }

    /// Returns the upper edge of the bucket that contains the given part (0…1000 per mille) of all records, at most the largest record; 0
    /// without records. 1000 gives the largest.
    public func percentile(perMille: Int64) -> Int64 {
        let rank = max(1, (count * perMille + 999) / 1000)
        var seen: Int64 = 0
        for bucket in buckets.indices {
            seen += buckets[bucket]
            if seen >= rank { return min(HistogramCounts.lowerEdge(ofBucketAfter: bucket), maximum) }
        }
        return 0
    }

    /// The lower edge of the first non-empty bucket; 0 if there is none.
    public var least: Int64 {
        guard let first = buckets.firstIndex(where: { $0 > 0 }) else { return 0 }
        return first < 8 ? 1 << Int64(first / 4) : Int64(4 + first % 4) << Int64(first / 4 - 2)
    }

    private static func lowerEdge(ofBucketAfter bucket: Int) -> Int64 {
        bucket < 8 ? 1 << Int64(bucket / 4 + 1) : Int64(5 + bucket % 4) << Int64(bucket / 4 - 2)
    }
}
