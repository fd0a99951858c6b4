// SPDX-License-Identifier: Apache-2.0
import CPosix

/// Multiplies a recording with a gain, and sees to it that no sample comes out louder than `ceiling`: it looks some milliseconds ahead,
/// and is down when the loud one comes.
///
/// Frames go in (`put`) and come out (`next`), as many and in the same order, some milliseconds' worth behind. Gains are of 16
/// fractional bits.
public struct Leveller: ~Copyable {
    /// As it was recorded.
    public static var unity: Int { @_noLocks @_noAllocation get { 1 << 16 } }
    /// 24 dB louder: beyond that the noise of a recording is.
    public static var most: Int { @_noLocks @_noAllocation get { unity * 16 } }
    /// 1 dB below full scale: later steps on the way to the ear may make the samples a little louder.
    public static var ceiling: Int { @_noLocks @_noAllocation get { 29203 } }
    /// So many frames are taken at least where `next` wanted more, and given at most at once.
    public static var pieceFrames: Int { @_noLocks @_noAllocation get { 1152 } }

    /// The gain moves along a straight line within a block.
    private static var blockFrames: Int { @_noLocks @_noAllocation get { 64 } }
    /// Blocks in which it comes down before one that is loud.
    private static var aheadBlocks: Int { @_noLocks @_noAllocation get { 4 } }

    public let channels: Int
    private let blocksPerSecond: Int
    private let capacity: Int
    private let samples: UnsafeMutablePointer<Int16>
    /// Among the samples: the next frame to be given, the end of those that may be, the end of those that were looked at, and of all.
    private var start = 0
    private var done = 0
    private var looked = 0
    private var end = 0
    /// The most that each block between `done` and `looked` may be multiplied with.
    private var allowed = InlineArray<4, Int>(repeating: 0)
    private var ahead = 0
    /// The same of the block before.
    private var allowedLast = Int.max
    /// The line's value at `done`.
    private var gain: Int
    /// The wanted gain of the recording, the end of the line.
    private var wanted: Int
    private var target: Int
    private var isEnding = false

    /// - Parameter rate: of the recording, Hz.
    public init(rate: Int, channels: Int, gain: Int) {
        self.channels = channels
        blocksPerSecond = max(1, rate / Leveller.blockFrames)
        let first = max(0, min(Leveller.most, gain))
        self.gain = first
        wanted = first
        target = first
        capacity = (Leveller.aheadBlocks + 2) * Leveller.blockFrames + 2 * Leveller.pieceFrames
        // The audio thread must not be the first to touch a page.
        samples = .allocate(capacity: capacity * channels)
        samples.initialize(repeating: 0, count: capacity * channels)
    }

    deinit { samples.deallocate() }

    /// The gain that it is at.
    public var current: Int { @_noLocks @_noAllocation get { gain } }

    /// Begins at another gain than its own, from which it comes to that within some hundredths of a second.
    @_noLocks @_noAllocation
    public mutating func begin(from gain: Int) { self.gain = gain }

    /// Moves to another gain, at an inaudible 1 dB a second: 1 dB a second.
    @_noLocks @_noAllocation
    public mutating func glide(to gain: Int) { target = max(0, min(Leveller.most, gain)) }

    /// Takes frames in. Returns how many: `pieceFrames`, if there are so many, where `next` gave nothing.
    @_noLocks @_noAllocation
    public mutating func put(_ from: UnsafePointer<Int16>, frames: Int) -> Int {
        if frames > capacity - end { makeRoom() }
        let count = min(frames, capacity - end)
        ns_copy(samples + end * channels, from, count * channels * 2)
        end += count
        return count
    }

    /// Nothing follows: the rest of the input comes out.
    @_noLocks @_noAllocation
    public mutating func finish() { isEnding = true }

    /// The next part; nil where more has to be put in first, or all was given.
    @_noLocks @_noAllocation
    public mutating func next() -> FramePart? {
        while done - start < Leveller.pieceFrames && work() {}
        if start == done { return nil }
        let part = FramePart(UnsafePointer(samples + start * channels), min(done - start, Leveller.pieceFrames))
        start += part.frames
        return part
    }

    /// One block more; false if that takes more than was put in.
    @_noLocks @_noAllocation
    private mutating func work() -> Bool {
        while ahead < Leveller.aheadBlocks {
            let frames = min(Leveller.blockFrames, end - looked)
            if frames < Leveller.blockFrames && !isEnding { return false }
            allowed[ahead] = frames > 0 ? allowed(looked, frames) : .max
            ahead += 1
            looked += frames
        }
        if done == looked { return false }
        let frames = min(Leveller.blockFrames, looked - done)
        let from = min(gain, min(allowed[0], allowedLast))
        let to = next(from)
        apply(done, frames, from, to)
        gain = to
        done += frames
        allowedLast = allowed[0]
        var index = 1
        while index < Leveller.aheadBlocks {
            allowed[index - 1] = allowed[index]
            index += 1
        }
        ahead -= 1
        return true
    }

    /// The line's end in the next block.
    @_noLocks @_noAllocation
    private mutating func next(_ from: Int) -> Int {
        if wanted != target {
            // A dB is 0.122 of what it is at.
            let step = max(1, wanted * 122 / 1000 / blocksPerSecond)
            wanted = wanted < target ? min(target, wanted + step) : max(target, wanted - step)
        }
        var to = wanted
        if to > from {
            // Up again within a fifth of a second, for speech comes in syllables.
            to = min(to, from + max(1, (to - from) * 8 / blocksPerSecond))
        } else if to < from {
            to = max(to, from - max(1, (from - to) / 8 + 1))
        }
        // The block behind this one has to be reached low enough, and those behind it in time.
        to = min(to, allowed[0])
        var index = 1
        while index < Leveller.aheadBlocks {
            if allowed[index] < from { to = min(to, from - (from - allowed[index]) / index) }
            index += 1
        }
        return min(to, allowed[1])
    }

    /// The most that these may be multiplied with.
    @_noLocks @_noAllocation
    private func allowed(_ first: Int, _ frames: Int) -> Int {
        var loudest: Int32 = 0
        var sample = first &* channels
        let end = (first &+ frames) &* channels
        while sample < end {
            let value = Int32(samples[sample])
            loudest = max(loudest, value < 0 ? 0 &- value : value)
            sample &+= 1
        }
        return loudest == 0 ? .max : Leveller.ceiling * Leveller.unity / Int(loudest)
    }

    @_noLocks @_noAllocation
    private func apply(_ first: Int, _ frames: Int, _ from: Int, _ to: Int) {
        if from == Leveller.unity && to == from { return }
        let step = (to - from) / Leveller.blockFrames
        var factor = from
        var sample = first &* channels
        var frame = 0
        while frame < frames {
            var channel = 0
            while channel < channels {
                samples[sample] = Int16(truncatingIfNeeded: (Int(samples[sample]) &* factor &+ (1 << 15)) >> 16)
                sample &+= 1
                channel &+= 1
            }
            factor &+= step
            frame &+= 1
        }
    }

    @_noLocks @_noAllocation
    private mutating func makeRoom() {
        ns_move(samples, samples + start * channels, (end - start) * channels * 2)
        done -= start
        looked -= start
        end -= start
        start = 0
    }
}
