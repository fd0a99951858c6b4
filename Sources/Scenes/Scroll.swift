// SPDX-License-Identifier: Apache-2.0
import Design

/// The distance by which a page is scrolled, in pixels: by a finger that holds it, and on by itself. Moments in milliseconds.
struct Scroll {
    private var glide = Glide()
    private(set) var isHeld = false
    /// As it was drawn last.
    private(set) var drawn = 0

    /// On its way, or where it goes.
    var target: Float { glide.target }
    func value(at moment: Int) -> Float { glide.value(at: moment) }
    func isMoving(at moment: Int) -> Bool { glide.isMoving(at: moment) }
    /// It stands elsewhere than it was drawn.
    func isStale(at moment: Int) -> Bool { !isMoving(at: moment) && drawn != Int(value(at: moment)) }

    mutating func draw(at moment: Int) { drawn = Int(value(at: moment)) }

    /// - Parameter limit: as far as there is something; beyond it, and before the beginning, it follows at a third of the way.
    mutating func drag(by distance: Int, limit: Float, at moment: Int) {
        isHeld = true
        var value = value(at: moment) - Float(distance)
        if value < 0 || value > limit { value = self.value(at: moment) - Float(distance) / 3 }
        glide = Glide(value)
    }

    /// The finger leaves, at a speed in pixels a second. Returns how far before its beginning it was pulled.
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

    /// The content may have become shorter than the present place.
    mutating func keep(within limit: Float, at moment: Int) {
        if !isHeld && !isMoving(at: moment) && target > limit { glide = Glide(limit) }
    }
}
