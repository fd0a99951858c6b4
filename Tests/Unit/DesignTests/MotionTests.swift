// SPDX-License-Identifier: Apache-2.0
import Pixels
import Testing

@testable import Design

@Suite struct Springs {
    /// The closed form against small steps of the equation that it solves.
    @Test(arguments: [
        Spring.like, .press, .grid, .entrance, Spring(response: 0.5, dampingFraction: 1),
        Spring(response: 0.4, dampingFraction: 1.6),
    ]) func solveTheirEquation(spring: Spring) {
        for speed in [Double(0), 6, -4] {
            var place = 0.0
            var velocity = speed
            let step = 1.0 / 200_000
            let (w, z) = (Double(spring.frequency), Double(spring.damping))
            for index in 1...240_000 {
                velocity += (w * w * (1 - place) - 2 * z * w * velocity) * step
                place += velocity * step
                if index % 8000 == 0 {
                    let closed = Double(spring.value(at: Float(index) / 200_000, speed: Float(speed)))
                    #expect(abs(closed - place) < 0.001)
                }
            }
        }
    }

    @Test func theyEnd() {
        for spring in [Spring.like, .press, .grid, .entrance, Spring(response: 0.4, dampingFraction: 1.6)] {
            let end = spring.settled()
            #expect(end < 2)
            for time in stride(from: end, to: end + 2, by: 0.01) { #expect(abs(spring.value(at: time) - 1) <= 0.0021) }
        }
    }

    /// Stiffness and damping, and response and fraction, are two ways to say the same.
    @Test func twoWaysToSayIt() {
        let one = Spring(stiffness: 130, damping: 12)
        #expect(abs(one.frequency - 11.4018) < 0.001)
        #expect(abs(one.damping - 0.5262) < 0.001)
    }
}

@Suite struct Curves {
    @Test func easeInOutIsEvenAndGrows() {
        var before: Float = 0
        for step in 0...100 {
            let time = Float(step) / 100
            let value = Motion.easeInOut(time)
            #expect(value >= before)
            #expect(abs(value + Motion.easeInOut(1 - time) - 1) < 0.0005)
            // A toggle that turns it back continues from the very place.
            if step > 0 && step < 100 {
                #expect(abs(Motion.easeInOut(Motion.easeInOutTime(of: value)) - value) < 0.0005)
            }
            before = value
        }
        #expect(Motion.easeInOut(0) == 0 && Motion.easeInOut(1) == 1)
        #expect(abs(Motion.easeInOut(0.25) - 0.1292) < 0.001)
    }

    /// No frame of a cross-fade between the lightest and the darkest is more than a step of the eye's away from the one before, at 60 Hz.
    @Test func gradientsChangeByLessThanTwoPercentAFrame() {
        for from in GradientToken.allCases {
            for to in GradientToken.allCases where to != from {
                for theme in [Theme.light, .dark] {
                    let (a, b) = (from.gradient(in: theme), to.gradient(in: theme))
                    for (first, second) in [(a.start, b.start), (a.end, b.end)] {
                        var before = first.over(first)
                        for frame in 1...36 {
                            let part = Motion.easeInOut(Float(frame) / 36)
                            let now = second.opacity(part).over(first)
                            #expect(abs(now.red - before.red) <= 5 && abs(now.green - before.green) <= 5)
                            #expect(abs(now.blue - before.blue) <= 5)
                            before = now
                        }
                    }
                }
            }
        }
    }

    @Test func neverTheSameGradientTwice() {
        var seen: Set<Int> = []
        for seed in 0..<20 {
            var sequence = GradientSequence(seed: UInt64(seed))
            for _ in 0..<50 {
                let before = sequence.active
                sequence.next()
                #expect(sequence.active != before)
                seen.insert(sequence.active.rawValue)
            }
        }
        #expect(seen.count == 12)
    }

    /// Every text colour on what it is meant for, and 7:1 with more contrast.
    @Test func textCanBeReadOnEveryGradient() {
        for isDark in [true, false] {
            for more in [true, false] {
                let theme = Theme(isDark: isDark, hasMoreContrast: more)
                for token in GradientToken.allCases {
                    let gradient = token.gradient(in: theme)
                    for end in [gradient.start, gradient.end] {
                        #expect(theme.text.contrast(with: end) >= 7)
                    }
                }
                #expect(theme.secondaryText.contrast(with: theme.background) >= theme.textContrast)
                #expect(theme.currentSentenceText.contrast(with: theme.currentSentence) >= 7)
                #expect(theme.secondaryText.contrast(with: theme.bar) >= theme.textContrast)
            }
        }
    }
}
