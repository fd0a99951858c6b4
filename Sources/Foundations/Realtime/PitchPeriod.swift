// SPDX-License-Identifier: Apache-2.0
import CPosix

/// The period of a voice: the distance at which sound differs least from itself, by the mean magnitude of the differences (AMDF).
/// Looked for coarsely at some 4 kHz, then to the frame around what was found.
struct PitchPeriod: ~Copyable {
    /// Voices, in Hz.
    private static var deepest: Int { @_noLocks @_noAllocation get { 65 } }
    private static var highest: Int { @_noLocks @_noAllocation get { 400 } }
    private static var coarseRate: Int { @_noLocks @_noAllocation get { 4000 } }

    /// Frames.
    let least: Int
    let most: Int
    /// Frames that one of the coarse ones stands for.
    private let step: Int
    private let coarse: UnsafeMutablePointer<Int16>
    /// The sums of the close search, one a distance.
    private let sums: UnsafeMutablePointer<Int64>
    /// The last result, and its mean difference.
    private var last = 0
    private var lastDifference: Int64 = 0
    /// By how much what was given is shorter than what was found, in 1/256 of a frame.
    private var owed = 0

    /// A distance with the sum of as many differences.
    private struct Match: BitwiseCopyable {
        var distance: Int
        /// In 64 bits: at a high rate the sum of a loud noise, times a distance, is more than 32 hold.
        var sum: Int64

        @_noLocks @_noAllocation
        init(_ distance: Int, _ sum: Int64) {
            self.distance = distance
            self.sum = sum
        }

        /// By the mean, so that long and short ones compare.
        @_noLocks @_noAllocation
        func isBetter(than other: Match) -> Bool { sum * Int64(other.distance) < other.sum * Int64(distance) }

        var mean: Int64 { @_noLocks @_noAllocation get { sum / Int64(distance) } }
    }

    /// - Parameter rate: Hz.
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

    /// Of the sound that begins with these samples, of which there are `2 * most`.
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

    /// A voice's period is no whole number of frames, and always the same error would be heard as another pitch: the next one compensates
    /// the fraction.
    @_noLocks @_noAllocation
    private mutating func whole(_ found: Match, _ from: Int, _ to: Int) -> Int {
        var part = 0
        if found.distance > from && found.distance < to {
            let at = found.distance - from
            let here = found.sum * 256 / Int64(found.distance)
            let before = sums[at - 1] * 256 / Int64(found.distance - 1)
            let behind = sums[at + 1] * 256 / Int64(found.distance + 1)
            // The differences fall and rise along straight lines, which meet between two frames.
            let slope = max(before, behind) - here
            if slope > 0 { part = Int((before - behind) * 128 / slope) }
        }
        let wanted = found.distance * 256 + part + owed
        let period = max(least, min(most, (wanted + 128) / 256))
        owed = max(-256, min(256, wanted - period * 256))
        return period
    }

    /// - Parameters:
    ///   - sums: the array for the sum of each.
    ///   - worst: the worst so far, or a worse one of these.
    @_noLocks @_noAllocation
    private func best(
        _ samples: UnsafePointer<Int16>, _ from: Int, _ to: Int, _ sums: UnsafeMutablePointer<Int64>?,
        _ worst: inout Match
    ) -> Match {
        var best = Match(from, .max)
        var distance = from
        while distance <= to {
            // Nearly all of the work is done here.
            let match = Match(distance, Int64(ns_sum_of_differences(samples, samples + distance, distance)))
            if let sums { sums[distance - from] = match.sum }
            if distance == from || match.isBetter(than: best) { best = match }
            if worst.isBetter(than: match) { worst = match }
            distance += 1
        }
        return best
    }

    /// Means of `step` samples each.
    @_noLocks @_noAllocation
    private func shrink(_ samples: UnsafePointer<Int16>) {
        let count = 2 * most / step
        // A division each, as a product.
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
