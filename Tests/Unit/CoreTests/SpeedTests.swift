// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Core

@Suite("Speed") struct SpeedTests {
    @Test func howLongAStretchTakes() {
        #expect(Speed.own.clockMilliseconds(of: 1234) == 1234)
        #expect(Speed(percent: 150).clockMilliseconds(of: 100) == 67)
        #expect(Speed(percent: 50).clockMilliseconds(of: -5) == 0)
        // Six hours times 100 does not fit 32 bits.
        #expect(Speed(percent: 50).clockMilliseconds(of: 21_600_000) == 43_200_000)
        #expect(Speed(percent: 50).clockMilliseconds(of: .max) == 4_000_000_000)
    }
}
