// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import Controls

/// An encoder as hands turn it: four changes a period, each with bounce.
private struct Knob {
    var random: SeededGenerator
    var edges: [(line: RotaryDecoder.Line, isActive: Bool)] = []
    private var state = 0

    init(seed: UInt64, state: Int = 0) {
        random = SeededGenerator(seed: seed)
        self.state = state
    }

    /// A quarter of the circle; the contact that moves bounces up to four times.
    mutating func quarter(right: Bool) {
        let circle = [0, 2, 3, 1]
        let place = circle.firstIndex(of: state)!
        let next = circle[(place + (right ? 1 : 3)) % 4]
        let line: RotaryDecoder.Line = (state ^ next) == 2 ? .a : .b
        let isActive = next & (line == .a ? 2 : 1) != 0
        for _ in 0..<random.next() % 5 { edges += [(line, isActive), (line, !isActive)] }
        edges.append((line, isActive))
        state = next
    }
}

@Suite struct RotaryDecoderTests {
    private func detents(_ decoder: inout RotaryDecoder, _ knob: Knob) -> [Int] {
        knob.edges.map { decoder.receive($0.line, isActive: $0.isActive) }.filter { $0 != 0 }
    }

    @Test(arguments: [(4, 0), (4, 3), (2, 0), (2, 3)])
    func everyDetentIsToldOnce(quartersEach: Int, rest: Int) {
        var decoder = RotaryDecoder(quartersEach: quartersEach, a: rest == 3, b: rest == 3)
        var knob = Knob(seed: 1, state: rest)
        for _ in 0..<300 * quartersEach { knob.quarter(right: true) }
        #expect(detents(&decoder, knob) == [Int](repeating: 1, count: 300))
        knob.edges = []
        for _ in 0..<300 * quartersEach { knob.quarter(right: false) }
        #expect(detents(&decoder, knob) == [Int](repeating: -1, count: 300))
    }

    @Test func oneQuarterEachComesOutRight() {
        var decoder = RotaryDecoder(quartersEach: 1, a: false, b: false)
        var knob = Knob(seed: 2)
        for _ in 0..<300 { knob.quarter(right: true) }
        #expect(detents(&decoder, knob).reduce(0, +) == 300)
    }

    @Test func aKnobThatDoesNotGetThereTellsNothing() {
        for seed in 0..<50 as Range<UInt64> {
            var decoder = RotaryDecoder(quartersEach: 4, a: false, b: false)
            var knob = Knob(seed: seed)
            for right in [true, true, true, false, false, false, false, true] { knob.quarter(right: right) }
            #expect(detents(&decoder, knob) == [])
        }
    }

    /// A hand that dithers: the sum is where the knob is.
    @Test func toAndFro() {
        var decoder = RotaryDecoder(quartersEach: 4, a: false, b: false)
        var knob = Knob(seed: 9)
        var place = 0
        for _ in 0..<5000 {
            let right = knob.random.next() % 2 == 0
            knob.quarter(right: right)
            place += right ? 1 : -1
        }
        while place % 4 != 0 {
            knob.quarter(right: true)
            place += 1
        }
        #expect(detents(&decoder, knob).reduce(0, +) == place / 4)
    }

    /// The kernel's queue overflows within a burst: whole swings of a contact are missing, or the last edge of a line until it is looked at.
    @Test func edgesThatAreMissing() {
        var random = SeededGenerator(seed: 4)
        var decoder = RotaryDecoder(quartersEach: 4, a: false, b: false)
        var total = 0
        for right in [true, false] {
            var knob = Knob(seed: 5)
            for _ in 0..<1200 { knob.quarter(right: right) }
            var kept: [(line: RotaryDecoder.Line, isActive: Bool)] = []
            var index = 0
            while index < knob.edges.count {
                let isSwing =
                    index + 2 < knob.edges.count && knob.edges[index].line == knob.edges[index + 2].line
                    && knob.edges[index].line == knob.edges[index + 1].line
                if isSwing && random.next() % 2 == 0 {
                    index += 2
                    continue
                }
                kept.append(knob.edges[index])
                index += 1
            }
            knob.edges = kept
            total += detents(&decoder, knob).reduce(0, +)
            #expect(total == (right ? 300 : 0))
        }
        // A contact that bounced back before edges were lost does not turn the way round.
        for right in [true, false] {
            var decoder = RotaryDecoder(quartersEach: 4, a: false, b: false)
            let (first, second): (RotaryDecoder.Line, RotaryDecoder.Line) = right ? (.a, .b) : (.b, .a)
            for (line, isActive) in [(first, true), (second, true), (first, false), (second, false)] {
                _ = decoder.receive(line, isActive: isActive)
            }
            for isActive in [true, false, true] { #expect(decoder.receive(first, isActive: isActive) == 0) }
            #expect(decoder.receive(second, isActive: true) == 0)
            // The contact of the second line opens, closes and opens; then both have changed.
            for isActive in [false, true] { #expect(decoder.receive(second, isActive: isActive) == 0) }
            #expect(decoder.settle(a: false, b: false) == (right ? 1 : -1))
        }
        // Three quarters seen, and the fourth found by how the lines stand.
        for line in [RotaryDecoder.Line.a, .b] { #expect(decoder.receive(line, isActive: true) == 0) }
        #expect(decoder.settle(a: false, b: false) == 1)
        #expect(decoder.settle(a: false, b: false) == 0)
    }
}
