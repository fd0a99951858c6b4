// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Counts durations in buckets that grow by a quarter of an octave, which gives percentiles from a microsecond to a minute within 19 %. One
/// thread writes without locks; any may read.
public struct Histogram: ~Copyable {
    static var bucketCount: Int { @_noLocks @_noAllocation get { 160 } }
    private let buckets: UnsafeMutablePointer<Atomic<Int>>
    private let largest = Atomic<Int64>(0)

    public init() {
        buckets = .allocate(capacity: Histogram.bucketCount)
        for i in 0..<Histogram.bucketCount { (buckets + i).initialize(to: Atomic<Int>(0)) }
    }

    deinit { buckets.deallocate() }

    /// Records a duration. One writing thread. `nanoseconds` below 1 count as 1.
    @_noLocks @_noAllocation
    public borrowing func record(nanoseconds: Int64) {
        let value = max(1, nanoseconds)
        let octave = Int64.bitWidth - 1 - value.leadingZeroBitCount
        let quarter = octave >= 2 ? Int((value >> Int64(octave - 2)) & 3) : 0
        let bucket = min(Histogram.bucketCount - 1, octave * 4 + quarter)
        buckets[bucket].store(buckets[bucket].load(ordering: .relaxed) + 1, ordering: .relaxed)
        if value > largest.load(ordering: .relaxed) { largest.store(value, ordering: .relaxed) }
    }

    /// Returns a copy of the counts.
    public borrowing func counts() -> HistogramCounts {
        var counts = HistogramCounts(maximum: largest.load(ordering: .relaxed))
        for i in 0..<Histogram.bucketCount { counts.set(i, to: Int64(buckets[i].load(ordering: .relaxed))) }
        return counts
    }
}
