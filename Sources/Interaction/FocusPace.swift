// SPDX-License-Identifier: Apache-2.0
/// The step of the focus for each press, and for each repeat of a held button: first by elements, then by some lines of a list, then by
/// letters. Moments are milliseconds. A pure value.
public struct FocusPace: Equatable, Sendable {
    public enum Step: Equatable, Sendable {
        case element
        case lines(Int)
        case letter
    }

    /// The time of a hold after which the focus moves by lines, and later by letters.
    private static let linesAfter = 1500
    private static let lettersAfter = 4000
    /// The least time between two letters, so that each can be read.
    private static let letterMilliseconds = 180
    private static let lines = 5
    /// The longest gap between detents of one turn.
    private static let turnMilliseconds = 90

    private var began = 0
    private var last = 0
    private var isForward = true

    public init() {}

    /// Returns the next step; nil for a repeat that comes too soon.
    /// - Parameter isAgain: true while the button stays held.
    public mutating func step(isForward: Bool, isAgain: Bool, at moment: Int) -> Step? {
        if !isAgain || isForward != self.isForward { began = moment }
        self.isForward = isForward
        let held = moment - began
        if held >= FocusPace.lettersAfter {
            if moment - last < FocusPace.letterMilliseconds { return nil }
            last = moment
            return .letter
        }
        last = moment
        return held >= FocusPace.linesAfter ? .lines(FocusPace.lines) : .element
    }

    /// Returns the next step of a knob, which counts as held while it keeps turning.
    public mutating func turn(isForward: Bool, at moment: Int) -> Step? {
        let isAgain = moment - turned < FocusPace.turnMilliseconds
        turned = moment
        return step(isForward: isForward, isAgain: isAgain, at: moment)
    }
    private var turned = -1_000_000
}
