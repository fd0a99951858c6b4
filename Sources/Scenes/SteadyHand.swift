// SPDX-License-Identifier: Apache-2.0
/// Filters the touches of a hand that trembles or presses long: they become plain taps. For screens without anything to drag.
struct SteadyHand {
    /// The start of the touch, and its distance from there; nil without a finger, or if it moved too far for a tap.
    private var down: (x: Int, y: Int, byX: Int, byY: Int)?

    /// Returns the gesture that is meant; nil for none.
    /// - Parameter reach: the most that a tap may move, in pixels.
    mutating func steadied(_ gesture: Gesture, reach: Int) -> Gesture? {
        switch gesture {
        case .press(let x, let y): down = (x, y, 0, 0)
        case .longPress(let x, let y):
            down = nil
            return .tap(x: x, y: y)
        case .drag(_, _, let byX, let byY):
            guard let before = down else { break }
            let after = (before.x, before.y, before.byX + byX, before.byY + byY)
            down = max(abs(after.2), abs(after.3)) > reach ? nil : after
            if down != nil { return nil }
        case .drop:
            guard let place = down.take() else { break }
            return .tap(x: place.x, y: place.y)
        case .release, .tap, .doubleTap: down = nil
        default: break
        }
        return gesture
    }
}
