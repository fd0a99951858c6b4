// SPDX-License-Identifier: Apache-2.0
import Design

/// The scroll position of a page, in pixels: dragged by a finger, or moving by itself. Moments in milliseconds.
struct Scroll {
    private var glide = Glide()
    private(set) var isHeld = false
    /// The position at the last drawing.
    private(set) var drawn = 0

    /// The present goal of its motion.
    var target: Float { glide.target }
    func value(at moment: Int) -> Float { glide.value(at: moment) }
    func isMoving(at moment: Int) -> Bool { glide.isMoving(at: moment) }
    /// True if it rests at another position than the drawn one.
    func isStale(at moment: Int) -> Bool { !isMoving(at: moment) && drawn != Int(value(at: moment)) }

    mutating func draw(at moment: Int) { drawn = Int(value(at: moment)) }

    /// - Parameter limit: the end of the content. Beyond the ends the page follows at a third of the distance.
    mutating func drag(by distance: Int, limit: Float, at moment: Int) {
        isHeld = true
        var value = value(at: moment) - Float(distance)
        if value < 0 || value > limit { value = self.value(at: moment) - Float(distance) / 3 }
        glide = Glide(value)
    }

    /// Releases the page at a speed in pixels a second. Returns how far it was pulled before its beginning.
    mutating func drop(speed: Int, limit: Float, at moment: Int) -> Float {
        isHeld = false
        let value = value(at: moment)
        if value < 0 || value > limit {
            glide.spring(.grid, from: value, to: min(max(0, value), limit), at: moment)
        } else {
            glide.fling(from: value, speed: -Float(speed), within: 0...limit, at: moment)
        }
        return max(0, -value)
    }

    mutating func stop(at moment: Int) { glide = Glide(value(at: moment)) }

    mutating func run(to goal: Float, isAnimated: Bool, at moment: Int) {
        if isAnimated {
            glide.ease(from: value(at: moment), to: goal, duration: Motion.playback, at: moment)
        } else {
            glide = Glide(goal)
        }
    }

    /// Limits the position after the content may have become shorter.
    mutating func keep(within limit: Float, at moment: Int) {
        if !isHeld && !isMoving(at: moment) && target > limit { glide = Glide(limit) }
    }
}
