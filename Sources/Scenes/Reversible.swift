// SPDX-License-Identifier: Apache-2.0
import Design

/// A value that eases from 0 to 1 and back. If it is reversed halfway, it goes back from its present value, without a jump. Moments in
/// milliseconds.
public struct Reversible: Equatable, Sendable {
    /// The time from one end to the other, in seconds.
    public let duration: Float
    public private(set) var target: Bool
    /// The moment at which it was, or would have been, at the other end.
    private var start: Int

    public init(_ duration: Float, isOn: Bool = false) {
        self.duration = duration
        target = isOn
        start = Int.min / 2
    }

    private var milliseconds: Int { Int(duration * 1000) }

    public mutating func turn(_ isOn: Bool, at moment: Int) {
        if isOn == target { return }
        let part = self.part(at: moment)
        target = isOn
        // Reversing: the way back is as long as the way so far.
        let done = Motion.easeInOutTime(of: isOn ? part : 1 - part)
        start = moment - Int(done * Float(milliseconds))
    }

    /// Jumps to that end.
    public mutating func set(_ isOn: Bool) {
        target = isOn
        start = Int.min / 2
    }

    public func isMoving(at moment: Int) -> Bool { moment < start + milliseconds }

    public func part(at moment: Int) -> Float {
        if !isMoving(at: moment) { return target ? 1 : 0 }
        let way = Motion.easeInOut(Float(moment - start) / Float(milliseconds))
        return target ? way : 1 - way
    }
}
