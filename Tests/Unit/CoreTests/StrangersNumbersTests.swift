// SPDX-License-Identifier: Apache-2.0
import Core
import Testing

@Suite struct StrangersNumbersTests {
    /// Every pair of eight bits, beside what a wider type says.
    @Test func eightBitsAreAsInMore() {
        func clamped(_ value: Int) -> Int8 { Int8(clamping: value) }
        for one in Int8.min...Int8.max {
            for other in Int8.min...Int8.max {
                let (wide, wideOther) = (Int(one), Int(other))
                #expect(one.addingSaturated(other) == clamped(wide + wideOther))
                #expect(one.subtractingSaturated(other) == clamped(wide - wideOther))
                #expect(one.multipliedSaturated(by: other) == clamped(wide * wideOther))
                #expect(one.addingExactly(other) == Int8(exactly: wide + wideOther))
                #expect(one.subtractingExactly(other) == Int8(exactly: wide - wideOther))
                #expect(one.multipliedExactly(by: other) == Int8(exactly: wide * wideOther))
            }
        }
    }

    @Test func shiftsLoseNoBits() {
        for value in Int8.min...Int8.max {
            for bits in -2...20 {
                #expect(
                    value.shiftedSaturated(by: bits) == Int8(clamping: Int(value) << max(0, bits)),
                    "\(value) << \(bits)")
            }
        }
        #expect(UInt32(1).shiftedSaturated(by: 32) == .max)
        #expect(UInt32(1).shiftedSaturated(by: 31) == 1 << 31)
        #expect(Int64(1).shiftedSaturated(by: Int.max) == .max)
    }

    @Test func unsignedStaysAboveZero() {
        #expect(UInt32(3).subtractingSaturated(4) == 0)
        #expect(UInt32.max.addingSaturated(1) == .max)
        #expect(UInt32(1 << 16).multipliedSaturated(by: 1 << 16) == .max)
    }

    @Test func scalesAndNeverTraps() {
        #expect(Int64(10).scaledSaturated(by: 48_000, over: 44_100) == 10)
        #expect(Int64(441_000).scaledSaturated(by: 1000, over: 44_100) == 10_000)
        #expect(Int64(-441_000).scaledSaturated(by: 1000, over: 44_100) == -10_000)
        #expect((Int64.max / 2).scaledSaturated(by: 1000, over: 1000) == .max / 2)
        let extremes: [Int64] = [.min, .min + 1, -1, 0, 1, 2, 1 << 31, 1 << 32, .max - 1, .max]
        for value in extremes {
            for factor in extremes { for divisor in extremes { _ = value.scaledSaturated(by: factor, over: divisor) } }
        }
        #expect(Int64.max.scaledSaturated(by: 2, over: 1) == .max)
        #expect(Int64(7).scaledSaturated(by: 3, over: 0) == 21)
    }

    @Test func digitsWithoutEnd() {
        var number: Int32 = 0
        for digit in "2147483647".utf8 { number = number.appendingSaturated(digit: digit) }
        #expect(number == .max)
        for digit in "99999".utf8 { number = number.appendingSaturated(digit: digit) }
        #expect(number == .max)
        #expect("1997".utf8.reduce(0) { $0.appendingSaturated(digit: $1) } == 1997)
    }
}
