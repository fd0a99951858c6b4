// SPDX-License-Identifier: Apache-2.0
import CPosix

/// The period of a voice: the distance at which sound differs least from itself, by the mean magnitude of the differences (AMDF). The
/// search is coarse at about 4 kHz, then exact around the best match.
struct PitchPeriod: ~Copyable {
    /// The range of voices, in Hz.
    private static var deepest: Int { @_noLocks @_noAllocation get { 65 } }
    private static var highest: Int { @_noLocks @_noAllocation get { 400 } }
    private static var coarseRate: Int { @_noLocks @_noAllocation get { 4000 } }

    /// The shortest and the longest period, in frames.
    let least: Int
    let most: Int
    /// The number of frames per coarse frame.
    private let step: Int
    private let coarse: UnsafeMutablePointer<Int16>
    /// The sums of the exact search, one for each distance.
    private let sums: UnsafeMutablePointer<Int64>
    /// The last result, and its mean difference.
    private var last = 0
    private var lastDifference: Int64 = 0
    /// The rounding error of earlier periods, in 1/256 of a frame.
    private var owed = 0

    /// A distance, and the sum of as many differences.
    private struct Match: BitwiseCopyable {
        var distance: Int
        /// 64 bits: at a high rate the sum of a loud noise, times a distance, overflows 32 bits.
        var sum: Int64

        @_noLocks @_noAllocation
        init(_ distance: Int, _ sum: Int64) {
            self.distance = distance
            self.sum = sum
        }

        /// Compares the means, so that long and short distances are comparable.
        @_noLocks @_noAllocation
        func isBetter(than other: Match) -> Bool { sum * Int64(other.distance) < other.sum * Int64(distance) }

        var mean: Int64 { @_noLocks @_noAllocation get { sum / Int64(distance) } }
    }

    /// - Parameter rate: the sample rate, in Hz.
    init(rate: Int) {
        least = max(2, rate / PitchPeriod.highest)
        most = max(least + 1, rate / PitchPeriod.deepest)
        step = max(1, rate / PitchPeriod.coarseRate)
        coarse = .allocate(capacity: 2 * most / step + 1)
        coarse.initialize(repeating: 0, count: 2 * most / step + 1)
        let distances = step == 1 ? most - least + 1 : 2 * step + 1
        sums = .allocate(capacity: distances)
        sums.initialize(repeating: 0, count: distances)
    }

    deinit {
        coarse.deallocate()
        sums.deallocate()
    }

    @_noLocks @_noAllocation
    mutating func forget() {
        last = 0
        lastDifference = 0
        owed = 0
    }

    /// Returns the period of the sound that begins with these `2 * most` samples.
    @_noLocks @_noAllocation
    mutating func find(_ samples: UnsafePointer<Int16>) -> Int {
        var worst = Match(1, 0)
        var from = least
        var to = most
        if step > 1 {
            shrink(samples)
            let about = best(coarse, least / step, most / step, nil, &worst).distance * step
            from = max(least, about - step)
            to = min(most, about + step)
        }
        let found = best(samples, from, to, sums, &worst)
        let difference = found.mean
        // If nothing repeats, as in a hiss, but did a moment ago, the voice more likely continues with its old period.
        let isUnclear = worst.sum * Int64(found.distance) <= 3 * found.sum * Int64(worst.distance)
        let period = last > 0 && isUnclear && difference * 2 > lastDifference * 3 ? last : whole(found, from, to)
        last = found.distance
        lastDifference = difference
        return period
    }

    /// Returns the period as a whole number of frames. The next one compensates the fraction, since a constant error would be heard as
    /// another pitch.
    @_noLocks @_noAllocation
    private mutating func whole(_ found: Match, _ from: Int, _ to: Int) -> Int {
        var part = 0
        if found.distance > from && found.distance < to {
            let at = found.distance - from
            let here = found.sum * 256 / Int64(found.distance)
            let before = sums[at - 1] * 256 / Int64(found.distance - 1)
            let behind = sums[at + 1] * 256 / Int64(found.distance + 1)
            // The differences fall and rise linearly, and the lines meet between two frames.
            let slope = max(before, behind) - here
            if slope > 0 { part = Int((before - behind) * 128 / slope) }
        }
        let wanted = found.distance * 256 + part + owed
        let period = max(least, min(most, (wanted + 128) / 256))
        owed = max(-256, min(256, wanted - period * 256))
        return period
    }

    /// - Parameters:
    ///   - sums: the array for the sum of each distance.
    ///   - worst: the worst match so far; replaced by a worse one.
    @_noLocks @_noAllocation
    private func best(
        _ samples: UnsafePointer<Int16>, _ from: Int, _ to: Int, _ sums: UnsafeMutablePointer<Int64>?,
        _ worst: inout Match
    ) -> Match {
        var best = Match(from, .max)
        var distance = from
        while distance <= to {
            // Nearly all the time is spent here.
            let match = Match(distance, Int64(ns_sum_of_differences(samples, samples + distance, distance)))
            if let sums { sums[distance - from] = match.sum }
            if distance == from || match.isBetter(than: best) { best = match }
            if worst.isBetter(than: match) { worst = match }
            distance += 1
        }
        return best
    }

    /// Makes the coarse frames: means of `step` samples each.
    @_noLocks @_noAllocation
    private func shrink(_ samples: UnsafePointer<Int16>) {
        let count = 2 * most / step
        // The division as a multiplication.
        let part = Int32(65536 / step)
        var to = 0
        var from = 0
        while to < count {
            var sum: Int32 = 0
            let end = from &+ step
            while from < end {
                sum &+= Int32(samples[from])
                from &+= 1
            }
            coarse[to] = Int16(truncatingIfNeeded: (Int64(sum) &* Int64(part)) >> 16)
            to &+= 1
        }
    }
}
