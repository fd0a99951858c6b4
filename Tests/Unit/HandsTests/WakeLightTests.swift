// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Hands

@Suite("Wake light") struct WakeLightTests {
    /// Dark until it begins, never darker than before, and whole when it rings.
    @Test(arguments: [60, 1800, 7200] as [Int64]) func itRisesAsTheSunDoes(riseSeconds: Int64) {
        var before = 0
        for left in stride(from: riseSeconds + 10, through: 0, by: -1) {
            let percent = WakeLight.percent(left: left, riseSeconds: riseSeconds)
            #expect(left >= riseSeconds ? percent == 0 : percent >= max(1, before) && percent <= 100)
            before = percent
        }
        #expect(before == 100)
        // Slowly at first, as eyes have it.
        #expect(WakeLight.percent(left: riseSeconds / 2, riseSeconds: riseSeconds) == 25)
        #expect(WakeLight.percent(left: .max, riseSeconds: riseSeconds) == 0)
    }
}
