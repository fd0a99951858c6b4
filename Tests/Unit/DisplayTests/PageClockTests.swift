// SPDX-License-Identifier: Apache-2.0
import Posix
import Testing

@testable import Display

@Suite struct PageClockTests {
    /// A title of several pages on a speaker that has been paused for months.
    @Test(arguments: [0, 7, 30, 365] as [Int64]) func pagesGoOnForMonths(days: Int64) {
        let start = MonotonicTime(nanoseconds: 5_000_000_000)
        let clock = PageClock(since: start, firstMilliseconds: 4000, otherMilliseconds: 2000, rounds: nil)
        // Rounds of 8 s: three pages.
        let round = start.adding(milliseconds: days * 86_400_000 / 8000 * 8000)
        for (offset, index, until) in [(0, 0, 4000), (3999, 0, 4000), (4000, 1, 6000), (7999, 2, 8000)] {
            let page = clock.page(of: 3, at: round.adding(milliseconds: offset))
            #expect(page.index == index)
            #expect(page.until == round.adding(milliseconds: until))
        }
        let limited = PageClock(since: start, firstMilliseconds: 4000, otherMilliseconds: 2000, rounds: 2)
        #expect(limited.page(of: 3, at: start.adding(milliseconds: days * 86_400_000 + 20_000)).until == nil)
    }
}
