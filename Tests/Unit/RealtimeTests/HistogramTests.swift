// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import Realtime

@Suite struct HistogramTests {
    /// Within its bucket, a quarter of an octave wide, and never below.
    private func expect(_ told: Int64, isAbout exact: Int64) {
        #expect(told >= exact && Double(told) <= max(4, Double(exact) * 1.26))
    }

    private func percentile(_ values: [Int64], _ perMille: Int64) -> Int64 {
        values.sorted()[max(1, (values.count * Int(perMille) + 999) / 1000) - 1]
    }

    private func values(_ random: inout SeededGenerator) -> [Int64] {
        let largest = Int64.random(in: 1...(1 << Int64.random(in: 1...36)), using: &random)
        return (0..<Int.random(in: 1...2000, using: &random)).map { _ in Int64.random(in: 1...largest, using: &random) }
    }

    @Test func percentilesAreRightWithinABucket() {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<50 {
            let histogram = Histogram()
            let values = values(&random)
            for value in values { histogram.record(nanoseconds: value) }
            let counts = histogram.counts()
            #expect(counts.maximum == values.max() && counts.count == values.count)
            #expect(counts.percentile(perMille: 1000) == values.max())
            for perMille in [1, 500, 990, 1000] as [Int64] {
                expect(counts.percentile(perMille: perMille), isAbout: percentile(values, perMille))
            }
            if let least = values.min() {
                #expect(counts.least <= least)
                expect(least, isAbout: counts.least)
            }
        }
    }

    @Test func nothingAndNonsenseAreZeroAndOne() {
        let histogram = Histogram()
        let empty = histogram.counts()
        #expect(empty.percentile(perMille: 500) == 0 && empty.least == 0 && empty.count == 0 && empty.text == "")
        histogram.record(nanoseconds: -5)
        let least = histogram.counts()
        #expect(least.percentile(perMille: 500) == 1 && least.least == 1)
        histogram.record(nanoseconds: Int64.max)
        #expect(histogram.counts().maximum == Int64.max)
    }

    /// Values recorded between two readings are reported as if there had been none before, through a line of text as `counters raw` writes
    /// it. Only the largest is known just within its bucket, unless it is the largest ever.
    @Test func differenceIsWhatCameInBetween() {
        var random = SeededGenerator(seed: 1)
        for round in 0..<50 {
            let histogram = Histogram()
            for value in values(&random) { histogram.record(nanoseconds: value) }
            let before = reread(histogram.counts())
            #expect(before == histogram.counts())
            let values = round == 0 ? [] : values(&random)
            for value in values { histogram.record(nanoseconds: value) }
            let between = reread(histogram.counts()).since(before)
            #expect(between.count == values.count)
            guard !values.isEmpty else {
                #expect(between.percentile(perMille: 1000) == 0 && between.least == 0)
                continue
            }
            for perMille in [1, 500, 990, 1000] as [Int64] {
                expect(between.percentile(perMille: perMille), isAbout: percentile(values, perMille))
            }
            expect(values.min() ?? 0, isAbout: between.least)
        }
    }

    private func reread(_ counts: HistogramCounts) -> HistogramCounts {
        let numbers = counts.text.split { $0 == " " || $0 == ":" }.compactMap { Int64($0) }
        return HistogramCounts(numbers: numbers, maximum: counts.maximum)
    }

    @Test func whatCannotBeInALineIsPassedOver() {
        let odd = HistogramCounts(numbers: [-1, 5, 160, 5, Int64.max, 5, 3, -7, 4, Int64.max, 9], maximum: 100)
        #expect(odd.count == 1 << 40 && odd.least == 2 && odd.percentile(perMille: 1000) == 4)
        #expect(HistogramCounts(numbers: [], maximum: 0).count == 0)
        // A speaker that was started anew meanwhile has counted less.
        let more = HistogramCounts(numbers: [8, 10, 12, 1], maximum: 100)
        let less = HistogramCounts(numbers: [8, 2, 12, 4], maximum: 100)
        #expect(less.since(more) == HistogramCounts(numbers: [12, 3], maximum: 100))
    }
}
