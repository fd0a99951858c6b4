import Testing

@testable import Realtime

@Suite struct HistogramTests {
    @Test func percentilesAreRightWithinABucket() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<50 {
            let histogram = Histogram()
            let largest = Int.random(in: 1...(1 << Int.random(in: 1...36)), using: &random)
            let values = (0..<Int.random(in: 1...2000, using: &random)).map { _ in
                Int.random(in: 1...largest, using: &random)
            }
            for value in values { histogram.record(nanoseconds: value) }
            let sorted = values.sorted()
            #expect(histogram.maximum() == sorted.last)
            #expect(histogram.count() == values.count)
            for perMille in [1, 500, 990, 1000] {
                let exact = sorted[max(1, (values.count * perMille + 999) / 1000) - 1]
                let told = histogram.percentile(perMille: perMille)
                #expect(told >= exact && Double(told) <= max(4, Double(exact) * 1.26))
            }
        }
    }

    @Test func nothingAndNonsenseAreZeroAndOne() {
        let histogram = Histogram()
        #expect(histogram.percentile(perMille: 500) == 0)
        histogram.record(nanoseconds: -5)
        #expect(histogram.percentile(perMille: 500) == 1)
        histogram.record(nanoseconds: Int.max)
        #expect(histogram.maximum() == Int.max)
    }
}
