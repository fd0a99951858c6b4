// SPDX-License-Identifier: Apache-2.0
/// Counts detents from the two lines of a rotary encoder, by the table of their four states. A bouncing contact moves to and fro between
/// adjacent states, which adds up to nothing. So no debouncing is needed.
public struct RotaryDecoder: Sendable {
    public enum Line: Sendable {
        case a, b
    }

    /// The quarter turns from one state (A, B as two bits, the row) to the next (the column), positive to the right, where A leads. If both
    /// lines have changed, an edge was lost and the direction is unknown.
    private static let quarters: [Int] = [
        0, -1, 1, 2,
        1, 0, 2, -1,
        -1, 2, 0, 1,
        2, 1, -1, 0,
    ]

    /// The steps between two detents: 1, 2 or 4 quarters.
    public let quartersEach: Int
    private var state: Int
    /// The lines' levels in a detent, if there is only one such state.
    private let rest: Int
    /// The quarters since the last detent.
    private var turned = 0
    /// True if the last detent was to the right.
    private var wasRightward = true

    /// - Parameters:
    ///   - quartersEach: the steps between two detents, 1, 2 or 4.
    ///   - a, b: the present levels of the lines, with the knob in a detent.
    public init(quartersEach: Int, a: Bool, b: Bool) {
        self.quartersEach = quartersEach
        state = (a ? 2 : 0) + (b ? 1 : 0)
        // In the detents of such a knob both contacts are open, or both closed.
        rest = state == 3 ? 3 : 0
    }

    /// Handles an edge. Returns the number of detents turned, positive to the right.
    public mutating func receive(_ line: Line, isActive: Bool) -> Int {
        let bit = line == .a ? 2 : 1
        return go(to: isActive ? state | bit : state & ~bit)
    }

    /// Takes the lines' levels after a pause, which recovers lost steps.
    public mutating func settle(a: Bool, b: Bool) -> Int { go(to: (a ? 2 : 0) + (b ? 1 : 0)) }

    private mutating func go(to next: Int) -> Int {
        if next == state { return 0 }
        var step = RotaryDecoder.quarters[state * 4 + next]
        // Assume the present direction, or that of the last detent: the last edge may have been a bounce.
        if step == 2 && (turned == 0 ? !wasRightward : turned < 0) { step = -2 }
        state = next
        turned += step
        switch quartersEach {
        case 1: break
        case 2: if state == 1 || state == 2 { return 0 }
        default: if state != rest { return 0 }
        }
        // Half of the way suffices if the other half was lost.
        let count = (abs(turned) + quartersEach / 2) / quartersEach
        defer { turned = 0 }
        if count > 0 { wasRightward = turned > 0 }
        return turned < 0 ? -count : count
    }
}
