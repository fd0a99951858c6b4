// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Posix

@Suite struct LineSpeedTests {
    @Test func eachRateHasACodeOfItsOwn() {
        let codes = LineSpeed.bauds.compactMap { LineSpeed.code($0) }
        #expect(Set(codes).count == LineSpeed.bauds.count)
        #expect(LineSpeed.bauds == LineSpeed.bauds.sorted())
        #expect(LineSpeed.code(115_201) == nil && LineSpeed.code(0) == nil)
    }
}
