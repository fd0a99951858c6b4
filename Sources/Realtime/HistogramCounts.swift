/// What a `Histogram` held at one moment: its buckets can be written on a line, read back elsewhere and subtracted, so that
/// percentiles of a stretch of time are known and not only those since the start.
public struct HistogramCounts: Equatable, Sendable {
    /// Bounds that keep sums of counts that came from elsewhere within an Int.
    private static let mostInBucket = 1 << 40

    private var buckets = [Int](repeating: 0, count: Histogram.bucketCount)
    /// The largest that was recorded since the start, in nanoseconds.
    public let maximum: Int

    init(maximum: Int) { self.maximum = maximum }

    /// - Parameter numbers: those that `text` wrote. Others that cannot be are passed over.
    public init(numbers: [Int], maximum: Int) {
        self.init(maximum: maximum)
        var i = 0
        while i + 1 < numbers.count {
            if buckets.indices.contains(numbers[i]) {
                buckets[numbers[i]] = min(max(0, numbers[i + 1]), HistogramCounts.mostInBucket)
            }
            i += 2
        }
    }

    mutating func set(_ bucket: Int, to count: Int) { buckets[bucket] = count }

    /// "57:3 58:12": those buckets that hold something, with how much they hold.
    public var text: String {
        var text = ""
        for bucket in buckets.indices where buckets[bucket] > 0 {
            text += (text.isEmpty ? "" : " ") + "\(bucket):\(buckets[bucket])"
        }
        return text
    }

    /// What was recorded after `earlier`.
    public func since(_ earlier: HistogramCounts) -> HistogramCounts {
        var difference = HistogramCounts(maximum: maximum)
        for bucket in buckets.indices {
            difference.buckets[bucket] = max(0, buckets[bucket] - earlier.buckets[bucket])
        }
        return difference
    }

    public var count: Int { buckets.reduce(0, +) }

    /// The upper edge of the bucket in which the given part (0…1000 per mille) of all records lies, never above the largest; 0
    /// where there is none. 1000 tells the largest.
    public func percentile(perMille: Int) -> Int {
        let rank = max(1, (count * perMille + 999) / 1000)
        var seen = 0
        for bucket in buckets.indices {
            seen += buckets[bucket]
            if seen >= rank { return min(HistogramCounts.lowerEdge(ofBucketAfter: bucket), maximum) }
        }
        return 0
    }

    /// The lower edge of the first bucket that holds something; 0 where none does.
    public var least: Int {
        guard let first = buckets.firstIndex(where: { $0 > 0 }) else { return 0 }
        return first < 8 ? 1 << (first / 4) : (4 + first % 4) << (first / 4 - 2)
    }

    private static func lowerEdge(ofBucketAfter bucket: Int) -> Int {
        bucket < 8 ? 1 << (bucket / 4 + 1) : (5 + bucket % 4) << (bucket / 4 - 2)
    }
}
