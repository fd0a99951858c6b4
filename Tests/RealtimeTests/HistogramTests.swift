import Testing

@testable import Realtime

@Suite struct HistogramTests {
    @Test func percentilesAreRightWithinABucket() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<50 {
            let histogram = Histogram()
            let largest = Int64.random(in: 1...(1 << Int64.random(in: 1...36)), using: &random)
            let values = (0..<Int.random(in: 1...2000, using: &random)).map { _ in
                Int64.random(in: 1...largest, using: &random)
            }
            for value in values { histogram.record(nanoseconds: value) }
            let sorted = values.sorted()
            let (maximum, count) = (histogram.maximum(), histogram.count())
            #expect(maximum == sorted.last && count == values.count)
            for perMille in [1, 500, 990, 1000] {
                let exact = sorted[max(1, (values.count * perMille + 999) / 1000) - 1]
                let told = histogram.percentile(perMille: perMille)
                #expect(told >= exact && Double(told) <= max(4, Double(exact) * 1.26))
            }
        }
    }

    @Test func nothingAndNonsenseAreZeroAndOne() {
        let histogram = Histogram()
        let empty = histogram.percentile(perMille: 500)
        histogram.record(nanoseconds: -5)
        let least = histogram.percentile(perMille: 500)
        histogram.record(nanoseconds: Int64.max)
        let most = histogram.maximum()
        #expect(empty == 0 && least == 1 && most == Int64.max)
    }
}
