// SPDX-License-Identifier: Apache-2.0
import Interaction
import Testing

@Suite struct FocusPaceTests {
    private func steps(every milliseconds: Int, for whole: Int) -> [(moment: Int, step: FocusPace.Step)] {
        var pace = FocusPace()
        return stride(from: 0, through: whole, by: milliseconds).compactMap { moment in
            pace.step(isForward: true, isAgain: moment > 0, at: moment).map { (moment, $0) }
        }
    }

    /// As a button of the speaker repeats, and as a keyboard does.
    @Test(arguments: [200, 33]) func heldItGoesFasterAndFaster(every milliseconds: Int) {
        let steps = steps(every: milliseconds, for: 6000)
        #expect(steps.allSatisfy { $0.moment >= 1500 || $0.step == .element })
        #expect(steps.allSatisfy { !(1500..<4000).contains($0.moment) || $0.step == .lines(5) })
        let letters = steps.filter { $0.step == .letter }
        #expect(letters.first.map { $0.moment >= 4000 } ?? false && letters.count <= 12)
    }

    @Test func eachPressIsOneElement() {
        var pace = FocusPace()
        for moment in stride(from: 0, to: 10_000, by: 150) {
            #expect(pace.step(isForward: true, isAgain: false, at: moment) == .element)
        }
        // A turn round begins anew.
        #expect(pace.step(isForward: false, isAgain: true, at: 20_000) == .element)
    }

    @Test func aKnobRunsWhileItIsTurnedFast() {
        var pace = FocusPace()
        let slow = stride(from: 0, to: 6000, by: 120).compactMap { pace.turn(isForward: true, at: $0) }
        #expect(slow.allSatisfy { $0 == .element } && slow.count == 50)
        let fast = stride(from: 7000, to: 12_000, by: 40).compactMap { pace.turn(isForward: true, at: $0) }
        #expect(fast.contains(.lines(5)) && fast.last == .letter)
    }
}
