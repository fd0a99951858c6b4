// SPDX-License-Identifier: Apache-2.0
import CPosix
import Design

/// A distance from the final place, in pixels, that shrinks. Moments in milliseconds.
struct Glide: Equatable {
    private enum Way: Equatable {
        case rest
        /// Eases to the end, slow at both ends.
        case ease(duration: Float)
        /// Continues with a speed in pixels a second, ever slower.
        case momentum(speed: Float)
        case spring(Spring)
    }

    private var way = Way.rest
    private var from: Float = 0
    private var to: Float = 0
    private var start = 0

    /// The time in seconds after which a third of the finger's speed is left.
    private static let slowing: Float = 0.325
    /// The longest momentum, in seconds.
    private static let longestMomentum: Float = 1.8

    init(_ value: Float = 0) { (from, to) = (value, value) }

    mutating func ease(from: Float, to: Float, duration: Float, at moment: Int) {
        (way, self.from, self.to, start) = (.ease(duration: duration), from, to, moment)
    }

    mutating func spring(_ spring: Spring, from: Float, to: Float, at moment: Int) {
        (way, self.from, self.to, start) = (.spring(spring), from, to, moment)
    }

    /// - Parameter limits: the range that it does not leave.
    mutating func fling(from: Float, speed: Float, within limits: ClosedRange<Float>, at moment: Int) {
        var speed = speed
        let goal = from + speed * Glide.slowing
        // Lower the speed so that it comes to rest at the end that it would pass.
        if goal < limits.lowerBound { speed = (limits.lowerBound - from) / Glide.slowing }
        if goal > limits.upperBound { speed = (limits.upperBound - from) / Glide.slowing }
        (way, self.from, to, start) = (.momentum(speed: speed), from, from + speed * Glide.slowing, moment)
    }

    /// Shifts start and goal by a distance, for when the reference point changes.
    mutating func shift(by distance: Float) {
        from += distance
        to += distance
    }

    private var duration: Float {
        switch way {
        case .rest: 0
        case .ease(let duration): duration
        case .momentum: Glide.longestMomentum
        case .spring(let spring): spring.settled()
        }
    }

    var target: Float { to }

    func isMoving(at moment: Int) -> Bool { way != .rest && moment < start + Int(duration * 1000) }

    func value(at moment: Int) -> Float {
        if !isMoving(at: moment) { return to }
        let time = Float(moment - start) / 1000
        switch way {
        case .rest: return to
        case .ease(let duration): return from + (to - from) * Motion.easeInOut(time / duration)
        case .momentum: return to + (from - to) * expf(-time / Glide.slowing)
        case .spring(let spring): return from + (to - from) * spring.value(at: time)
        }
    }
}
