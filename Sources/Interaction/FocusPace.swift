// SPDX-License-Identifier: Apache-2.0
/// The step of the focus for each press, and for each repeat of a held button: first element by element, then some lines of a list at once,
/// then from letter to letter. Moments are milliseconds. A pure value.
public struct FocusPace: Equatable, Sendable {
    public enum Step: Equatable, Sendable {
        case element
        case lines(Int)
        case letter
    }

    /// Held for so long, it goes on by lines, and later by letters.
    private static let linesAfter = 1500
    private static let lettersAfter = 4000
    /// A letter is read before the next one comes.
    private static let letterMilliseconds = 180
    private static let lines = 5
    /// Detents of a knob that follow so soon are one turn.
    private static let turnMilliseconds = 90

    private var began = 0
    private var last = 0
    private var isForward = true

    public init() {}

    /// The next step; nil for a repeat that comes too soon for one. - Parameter isAgain: the button is still held.
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

    /// The next step of a knob, which is held as long as it is turned on and on.
    public mutating func turn(isForward: Bool, at moment: Int) -> Step? {
        let isAgain = moment - turned < FocusPace.turnMilliseconds
        turned = moment
        return step(isForward: isForward, isAgain: isAgain, at: moment)
    }
    private var turned = -1_000_000
}
