// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Posix

@Suite struct BackoffTests {
    private func delays(_ backoff: inout Backoff, _ count: Int) -> [Int] { (0..<count).map { _ in backoff.failed() } }

    @Test func soonAtFirstThenEverLessOften() {
        var backoff = Backoff()
        #expect(delays(&backoff, 7) == [250, 500, 1000, 2000, 4000, 5000, 5000])
        #expect(backoff.failures == 7)
        backoff.succeeded()
        #expect(backoff.failures == 0)
        #expect(delays(&backoff, 2) == [250, 500])
        var slow = Backoff(firstMilliseconds: 1000, longestMilliseconds: 30_000)
        #expect(delays(&slow, 6) == [1000, 2000, 4000, 8000, 16_000, 30_000])
    }

    /// A board without its card runs for years.
    @Test func nothingOverflows() {
        var backoff = Backoff(firstMilliseconds: 1, longestMilliseconds: .max)
        #expect(delays(&backoff, 10_000).allSatisfy { $0 > 0 })
        #expect(backoff.failures > 0)
    }
}
