// SPDX-License-Identifier: Apache-2.0
import CPosix

/// The durations of motions, in seconds, and their curves.
public enum Motion {
    /// The change between play and pause: blur, title and transcript together.
    public static let playback: Float = 0.3
    /// The change from one sentence to the next.
    public static let sentence: Float = 0.2
    /// The change from one screen, or gradient, to another.
    public static let content: Float = 0.6
    /// The times within a change of screens at which the old content is gone, and the new content is there.
    public static let contentGone: Float = 0.06
    public static let contentThere: Float = 0.3
    /// A short response, such as a pressed button.
    public static let quick: Float = 0.15
    /// The move of the focus to another element.
    public static let focus: Float = 0.2
    /// The delay between two letters of a cascade.
    public static let cascadeStagger: Float = 0.012
    /// The distance that a letter rises, in points.
    public static let cascadeOffset: Float = 6
    /// The entrance or exit of a toast, a menu or a sheet.
    public static let overlay: Float = 0.25
    /// The time of a toast.
    public static let toast: Float = 2.5
    /// The time of a banner, and of a refusal.
    public static let banner: Float = 4
    /// The time to undo something.
    public static let undo: Float = 5
    /// The distance that a new screen rises, in points.
    public static let screenOffset: Float = 12
    /// The bounce of a heart.
    public static let heart: Float = 0.8
    /// The time that the volume bar stays after the finger has left.
    public static let volumeBar: Float = 1.2
    /// The time that a list stays where a hand has scrolled it.
    public static let scrollPause: Float = 5

    /// Slow at both ends: the cubic Bézier curve (0.42, 0, 0.58, 1).
    public static func easeInOut(_ time: Float) -> Float { bezier(0.42, 0, 0.58, 1, time) }

    /// Slow at the end: (0, 0, 0.58, 1).
    public static func easeOut(_ time: Float) -> Float { bezier(0, 0, 0.58, 1, time) }

    /// Returns the time at which `easeInOut` reaches a value: the start of a reversed animation.
    public static func easeInOutTime(of value: Float) -> Float {
        if value <= 0 || value >= 1 { return value <= 0 ? 0 : 1 }
        var (low, high) = (Float(0), Float(1))
        for _ in 0..<20 {
            let middle = (low + high) / 2
            if easeInOut(middle) < value { low = middle } else { high = middle }
        }
        return (low + high) / 2
    }

    private static func bezier(_ x1: Float, _ y1: Float, _ x2: Float, _ y2: Float, _ time: Float) -> Float {
        if time <= 0 { return 0 }
        if time >= 1 { return 1 }
        func curve(_ a: Float, _ b: Float, _ t: Float) -> Float {
            let u = 1 - t
            return 3 * u * u * t * a + 3 * u * t * t * b + t * t * t
        }
        var (low, high) = (Float(0), Float(1))
        for _ in 0..<20 {
            let middle = (low + high) / 2
            if curve(x1, x2, middle) < time { low = middle } else { high = middle }
        }
        return curve(y1, y2, (low + high) / 2)
    }
}

/// A spring from 0 to 1 in closed form, which gives the position at any time without steps.
public struct Spring: Equatable, Sendable {
    /// The frequency without damping, in radians a second.
    let frequency: Float
    /// The damping ratio. 1 is critical; below that it overshoots and returns.
    let damping: Float

    /// - Parameters:
    ///   - response: the time of one swing without damping, in seconds.
    ///   - dampingFraction: the damping as a part of the critical one.
    public init(response: Float, dampingFraction: Float) {
        frequency = 2 * .pi / response
        damping = dampingFraction
    }

    /// Makes the spring of a mass of 1.
    public init(stiffness: Float, damping: Float) {
        frequency = stiffness.squareRoot()
        self.damping = damping / (2 * stiffness.squareRoot())
    }

    /// The spring of buttons and hearts.
    public static let like = Spring(response: 0.3, dampingFraction: 0.6)
    /// The spring of a released button.
    public static let press = Spring(response: 0.3, dampingFraction: 0.7)
    public static let grid = Spring(response: 0.4, dampingFraction: 0.8)
    /// The spring of things that come into view.
    public static var entrance: Spring { Spring(stiffness: 130, damping: 12) }

    /// Returns the position after `time` seconds.
    /// - Parameter speed: the initial speed, in full distances a second.
    public func value(at time: Float, speed: Float = 0) -> Float {
        if time <= 0 { return 0 }
        // The solution is for the remaining distance: 1 at the start, changing at -speed.
        let decay = damping * frequency
        if damping < 1 {
            let swing = frequency * (1 - damping * damping).squareRoot()
            let rest = expf(-decay * time) * (cosf(swing * time) + (decay - speed) / swing * sinf(swing * time))
            return 1 - rest
        }
        if damping == 1 { return 1 - expf(-decay * time) * (1 + (decay - speed) * time) }
        let root = frequency * (damping * damping - 1).squareRoot()
        let (slow, fast) = (-decay + root, -decay - root)
        let share = (-speed - fast) / (slow - fast)
        return 1 - (share * expf(slow * time) + (1 - share) * expf(fast * time))
    }

    /// The overshoot, as a part of the full distance.
    public var overshoot: Float {
        damping < 1 ? expf(-.pi * damping / (1 - damping * damping).squareRoot()) : 0
    }

    /// Returns the seconds after which it never again leaves the end by more than `distance`.
    public func settled(within distance: Float = 0.002) -> Float {
        let decay = damping < 1 ? damping * frequency : frequency * (damping - (damping * damping - 1).squareRoot())
        let reach = damping < 1 ? 1 / (1 - damping * damping).squareRoot() : 1 + frequency
        return logf(reach / distance) / decay
    }
}
