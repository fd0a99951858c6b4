// SPDX-License-Identifier: Apache-2.0
import CPosix

/// Multiplies a recording by a gain, and keeps every sample below `ceiling`. It looks some milliseconds ahead, so the gain is already low
/// when a loud sample comes.
///
/// Frames go in (`put`) and come out (`next`) unchanged in number and order, delayed by some milliseconds. Gains have 16 fractional bits.
public struct Leveller: ~Copyable {
    /// The gain that keeps the recorded level.
    public static var unity: Int { @_noLocks @_noAllocation get { 1 << 16 } }
    /// The largest gain, 24 dB: beyond that a recording's noise dominates.
    public static var most: Int { @_noLocks @_noAllocation get { unity * 16 } }
    /// The loudest sample, 1 dB below full scale: later steps may make samples slightly louder.
    public static var ceiling: Int { @_noLocks @_noAllocation get { 29203 } }
    /// The least number of frames to accept when `next` needs more, and the most to return at once.
    public static var pieceFrames: Int { @_noLocks @_noAllocation get { 1152 } }

    /// The number of frames in a block. The gain moves along a straight line within a block.
    private static var blockFrames: Int { @_noLocks @_noAllocation get { 64 } }
    /// The number of blocks in which the gain falls before a loud block.
    private static var aheadBlocks: Int { @_noLocks @_noAllocation get { 4 } }

    public let channels: Int
    private let blocksPerSecond: Int
    private let capacity: Int
    private let samples: UnsafeMutablePointer<Int16>
    /// Positions in `samples`: the next frame to return, and the ends of the finished, the examined, and all frames.
    private var start = 0
    private var done = 0
    private var looked = 0
    private var end = 0
    /// The largest gain for each block between `done` and `looked`.
    private var allowed = InlineArray<4, Int>(repeating: 0)
    private var ahead = 0
    /// The largest gain for the block before.
    private var allowedLast = Int.max
    /// The present gain, at `done`.
    private var gain: Int
    /// The wanted gain, which moves toward `target`.
    private var wanted: Int
    private var target: Int
    private var isEnding = false

    /// - Parameter rate: the sample rate of the recording, in Hz.
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

    /// The present gain.
    public var current: Int { @_noLocks @_noAllocation get { gain } }

    /// Starts at another gain, which reaches the wanted one within some hundredths of a second.
    @_noLocks @_noAllocation
    public mutating func begin(from gain: Int) { self.gain = gain }

    /// Moves to another gain at an inaudible 1 dB a second.
    @_noLocks @_noAllocation
    public mutating func glide(to gain: Int) { target = max(0, min(Leveller.most, gain)) }

    /// Accepts frames. Returns their number: at least `pieceFrames`, if given, after `next` returned nothing.
    @_noLocks @_noAllocation
    public mutating func put(_ from: UnsafePointer<Int16>, frames: Int) -> Int {
        if frames > capacity - end { makeRoom() }
        let count = min(frames, capacity - end)
        ns_copy(samples + end * channels, from, count * channels * 2)
        end += count
        return count
    }

    /// Marks the end of the input, so that the rest comes out.
    @_noLocks @_noAllocation
    public mutating func finish() { isEnding = true }

    /// Returns the next part; nil if more input is needed, or everything was returned.
    @_noLocks @_noAllocation
    public mutating func next() -> FramePart? {
        while done - start < Leveller.pieceFrames && work() {}
        if start == done { return nil }
        let part = FramePart(UnsafePointer(samples + start * channels), min(done - start, Leveller.pieceFrames))
        start += part.frames
        return part
    }

    /// Finishes one block. Returns false if more input is needed.
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

    /// Returns the gain at the end of the next block.
    @_noLocks @_noAllocation
    private mutating func next(_ from: Int) -> Int {
        if wanted != target {
            // One dB is a factor of about 1.122.
            let step = max(1, wanted * 122 / 1000 / blocksPerSecond)
            wanted = wanted < target ? min(target, wanted + step) : max(target, wanted - step)
        }
        var to = wanted
        if to > from {
            // Rise within a fifth of a second, since speech comes in syllables.
            to = min(to, from + max(1, (to - from) * 8 / blocksPerSecond))
        } else if to < from {
            to = max(to, from - max(1, (from - to) / 8 + 1))
        }
        // The gain must be low enough for the next block at once, and for later blocks in time.
        to = min(to, allowed[0])
        var index = 1
        while index < Leveller.aheadBlocks {
            if allowed[index] < from { to = min(to, from - (from - allowed[index]) / index) }
            index += 1
        }
        return min(to, allowed[1])
    }

    /// Returns the largest gain for these frames.
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
