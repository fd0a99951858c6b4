import Synchronization

/// Counts durations in buckets that grow by a quarter of an octave, so that percentiles of anything from a microsecond to a
/// minute are right within 19 %. Written by one thread without locks, read by any.
public struct Histogram: ~Copyable {
    private static var bucketCount: Int { 160 }
    private let buckets: UnsafeMutablePointer<Atomic<Int>>
    private let largest = Atomic<Int64>(0)

    public init() {
        buckets = .allocate(capacity: Histogram.bucketCount)
        for i in 0..<Histogram.bucketCount { (buckets + i).initialize(to: Atomic<Int>(0)) }
    }

    deinit { buckets.deallocate() }

    /// The one writer. `nanoseconds` below 1 count as 1.
    @_noLocks @_noAllocation
    public borrowing func record(nanoseconds: Int64) {
        let value = max(1, nanoseconds)
        let octave = Int64.bitWidth - 1 - value.leadingZeroBitCount
        let quarter = octave >= 2 ? Int((value >> Int64(octave - 2)) & 3) : 0
        let bucket = min(Histogram.bucketCount - 1, octave * 4 + quarter)
        buckets[bucket].store(buckets[bucket].load(ordering: .relaxed) + 1, ordering: .relaxed)
        if value > largest.load(ordering: .relaxed) { largest.store(value, ordering: .relaxed) }
    }

    /// The largest recorded.
    public borrowing func maximum() -> Int64 { largest.load(ordering: .relaxed) }

    public borrowing func count() -> Int {
        var total = 0
        for i in 0..<Histogram.bucketCount { total += buckets[i].load(ordering: .relaxed) }
        return total
    }

    /// The upper edge of the bucket in which the given part (0…1000 per mille) of all records lies, never above the largest.
    public borrowing func percentile(perMille: Int) -> Int64 {
        let total = count()
        if total == 0 { return 0 }
        let rank = max(1, Int((Int64(total) * Int64(perMille) + 999) / 1000))
        var seen = 0
        for bucket in 0..<Histogram.bucketCount {
            seen += buckets[bucket].load(ordering: .relaxed)
            if seen >= rank {
                let octave = bucket / 4
                let edge = octave >= 2 ? Int64(5 + bucket % 4) << Int64(octave - 2) : 1 << Int64(octave + 1)
                return min(edge, maximum())
            }
        }
        return maximum()
    }
}
