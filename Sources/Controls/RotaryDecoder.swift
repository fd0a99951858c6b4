// SPDX-License-Identifier: Apache-2.0
/// Makes detents of the two lines of a rotary encoder by the table of their four states. A contact that bounces goes to and fro between
/// two neighbours of the circle, which adds up to nothing, so nothing needs to be waited for.
public struct RotaryDecoder: Sendable {
    public enum Line: Sendable {
        case a, b
    }

    /// Quarters of the circle from one state (A, B as two bits, the row) to the next (the column), to the right where A leads. The two
    /// in which both lines have changed can be either way: an edge was lost.
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
    /// Since the last detent.
    private var turned = 0
    /// Of the last detent.
    private var wasRightward = true

    /// - Parameters:
    ///   - quartersEach: 1, 2 or 4.
    ///   - a: the lines' levels now, with the knob in a detent.
    public init(quartersEach: Int, a: Bool, b: Bool) {
        self.quartersEach = quartersEach
        state = (a ? 2 : 0) + (b ? 1 : 0)
        // In the detents of such a knob both contacts are open, or both closed. Between two of them it is on its way.
        rest = state == 3 ? 3 : 0
    }

    /// An edge. Gives how many detents the knob has come on with it: to the right where positive.
    public mutating func receive(_ line: Line, isActive: Bool) -> Int {
        let bit = line == .a ? 2 : 1
        return go(to: isActive ? state | bit : state & ~bit)
    }

    /// Takes the lines' levels after a while without movement: lost steps are found again.
    public mutating func settle(a: Bool, b: Bool) -> Int { go(to: (a ? 2 : 0) + (b ? 1 : 0)) }

    private mutating func go(to next: Int) -> Int {
        if next == state { return 0 }
        var step = RotaryDecoder.quarters[state * 4 + next]
        // The way it has come since the last detent, or came to it, counts: the last edge may have been a contact that bounced back.
        if step == 2 && (turned == 0 ? !wasRightward : turned < 0) { step = -2 }
        state = next
        turned += step
        switch quartersEach {
        case 1: break
        case 2: if state == 1 || state == 2 { return 0 }
        default: if state != rest { return 0 }
        }
        // Half of the way is enough where the other half was lost.
        let count = (abs(turned) + quartersEach / 2) / quartersEach
        defer { turned = 0 }
        if count > 0 { wasRightward = turned > 0 }
        return turned < 0 ? -count : count
    }
}
