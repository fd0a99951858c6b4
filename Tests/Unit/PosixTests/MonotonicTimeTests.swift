// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Posix

@Suite struct MonotonicTimeTests {
    @Test(arguments: [0, 1, 1 << 31, 1 << 32, 90 * 86_400_000, -(1 << 40)] as [Int64])
    func millisecondsBeyond32Bits(milliseconds: Int64) {
        let start = MonotonicTime(nanoseconds: 123_456_789)
        let end = start.adding(milliseconds: milliseconds)
        #expect(end.milliseconds(since: start) == milliseconds)
        #expect(start.milliseconds(since: end) == -milliseconds)
    }
}
