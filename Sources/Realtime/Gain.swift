/// The two gains that stand between decoded audio and the card: the listener's volume and the fade that keeps starts, pauses
/// and jumps free of clicks. Both move linearly, frame by frame.
public struct Gain: BitwiseCopyable, Sendable {
    /// Fixed point: 1.0 is 1 << 30, so that a ramp over some thousand frames loses nothing.
    public static var unity: Int { @_noLocks @_noAllocation get { 1 << 30 } }

    public private(set) var level: Int
    private var target: Int
    private var step = 0

    @_noLocks @_noAllocation
    public init(level: Int) {
        self.level = level
        target = level
    }

    /// At its target and of no effect.
    public var isUnity: Bool { @_noLocks @_noAllocation get { level == Gain.unity && target == Gain.unity } }

    public var isMoving: Bool { @_noLocks @_noAllocation get { level != target } }

    /// Starts moving from where it is to `target` within `frames`.
    @_noLocks @_noAllocation
    public mutating func move(to target: Int, frames: Int) {
        self.target = target
        let distance = target - level
        step = distance / max(1, frames)
        if step == 0 && distance != 0 { step = distance > 0 ? 1 : -1 }
    }

    /// Jumps.
    @_noLocks @_noAllocation
    public mutating func set(_ level: Int) {
        self.level = level
        target = level
    }

    /// The level for the next frame.
    @_noLocks @_noAllocation
    public mutating func next() -> Int {
        if level != target {
            level += step
            if (step > 0) == (level > target) || level == target { level = target }
        }
        return level
    }
}

/// Copies interleaved 16-bit frames, applying both gains; rounds to nearest. With both at unity the samples are untouched.
@_noLocks @_noAllocation
public func render(
    from source: UnsafePointer<Int16>, to destination: UnsafeMutablePointer<Int16>, frames: Int, channels: Int,
    volume: inout Gain, fade: inout Gain
) {
    var frame = 0
    var sample = 0
    while frame < frames {
        let gain = (volume.next() >> 15) * (fade.next() >> 15)  // 15 + 15 fractional bits
        var channel = 0
        while channel < channels {
            let scaled = (Int(source[sample]) * gain + (1 << 29)) >> 30
            destination[sample] = Int16(truncatingIfNeeded: scaled)
            sample += 1
            channel += 1
        }
        frame += 1
    }
}
