// SPDX-License-Identifier: Apache-2.0
import CPosix

/// Pauses of speech made shorter: of each silence a fifth is kept, and at least `leastKeptMilliseconds`. It takes the middle out, and
/// blends the two ends.
///
/// Frames of the recording go in (`put`), and parts come out (`next`), each with how many frames were left out before it. `SilenceGauge`
/// decides about silence; everything else comes out unchanged, sample by sample.
public struct SilenceCut: ~Copyable {
    /// So many frames are taken at least where `next` wanted more, and given at most at once.
    public static var pieceFrames: Int { @_noLocks @_noAllocation get { 1152 } }
    /// Less of a silence is felt as abrupt.
    public static var leastKeptMilliseconds: Int { @_noLocks @_noAllocation get { 80 } }

    /// The number of blocks examined in a second.
    private static var blocksPerSecond: Int { @_noLocks @_noAllocation get { 100 } }
    /// Blocks behind the last sound that belong to it: a word dies away, and so does a room.
    private static var tailBlocks: Int { @_noLocks @_noAllocation get { 4 } }
    /// Of what is kept so many stand before the cut; the rest, as much or more, behind it.
    private static var headBlocks: Int { @_noLocks @_noAllocation get { 4 } }
    /// Behind the tail. A stop between two sounds of a word is shorter.
    private static var leastSilentBlocks: Int { @_noLocks @_noAllocation get { 16 } }
    /// More than this of a silence is never held back: by then it skips the certain part.
    private static var heldBlocks: Int { @_noLocks @_noAllocation get { 50 } }

    public let channels: Int
    private let block: Int
    /// Over which two ends are blended.
    private let joinFrames: Int
    private let capacity: Int
    private let input: UnsafeMutablePointer<Int16>
    private var gauge = SilenceGauge()
    /// In the input: the next frame to be given, the end of those that may be, of those that were looked at, and of all.
    private var start = 0
    private var clear = 0
    private var looked = 0
    private var end = 0
    /// Quiet frames up to `looked` without a sound between them, and how many of them may be given.
    private var quiet = 0
    private var kept = 0
    /// Frames at `clear` that are left out, and how many may be given behind them.
    private var cut = 0
    private var cutFollowers = 0
    /// Frames left out since the last part.
    private var skipped = 0
    private var isEnding = false

    /// - Parameter rate: of the recording, Hz.
    public init(rate: Int, channels: Int) {
        self.channels = channels
        block = max(1, rate / SilenceCut.blocksPerSecond)
        joinFrames = max(1, rate / 125)
        capacity = (SilenceCut.heldBlocks + 2) * block + 2 * SilenceCut.pieceFrames
        // The audio thread must not be the first to touch a page.
        input = .allocate(capacity: capacity * channels)
        input.initialize(repeating: 0, count: capacity * channels)
    }

    deinit { input.deallocate() }

    /// Takes frames in. Returns how many: `pieceFrames`, if there are so many, where `next` gave nothing.
    @_noLocks @_noAllocation
    public mutating func put(_ samples: UnsafePointer<Int16>, frames: Int) -> Int {
        if frames > capacity - end { makeRoom() }
        let count = min(frames, capacity - end)
        ns_copy(input + end * channels, samples, count * channels * 2)
        end += count
        return count
    }

    /// Nothing follows: the rest of the input comes out.
    @_noLocks @_noAllocation
    public mutating func finish() { isEnding = true }

    /// The next part; nil where more has to be put in first, or all was given.
    @_noLocks @_noAllocation
    public mutating func next() -> FramePart? {
        while true {
            // Behind a cut it is not looked on before what stands in front of it has been given.
            while cut == 0 && clear - start < SilenceCut.pieceFrames && look() {}
            if start < clear {
                let part = FramePart(
                    UnsafePointer(input + start * channels), min(clear - start, SilenceCut.pieceFrames),
                    skipped: skipped)
                start += part.frames
                skipped = 0
                return part
            }
            if cut > 0 {
                start += cut
                skipped += cut
                clear = start + cutFollowers
                cut = 0
                continue
            }
            guard isEnding else { return nil }
            // The last of it, which is less than a block.
            looked = end
            if quiet > 0 { endSilence(at: end) } else { clear = end }
            if start == clear && cut == 0 { return nil }
        }
    }

    // MARK: Silences

    /// Looks at the next block; false if there is none.
    @_noLocks @_noAllocation
    private mutating func look() -> Bool {
        if end - looked < block { return false }
        let samples = UnsafePointer(input + looked * channels)
        // By the differences of neighbours, in which a hum counts for little and a hiss, a breath, the end of a word for much.
        let count = (block - 1) * channels
        let sum = Int(ns_sum_of_differences(samples, samples + channels, count))
        looked += block
        if gauge.isSilent(sum: sum, count: max(1, count)) {
            quiet += block
            if quiet <= (SilenceCut.tailBlocks + SilenceCut.headBlocks) * block {
                kept = quiet
                clear = looked
            } else if looked - clear >= SilenceCut.heldBlocks * block {
                // The frames before the next sound have to come from behind this one.
                let held = SilenceCut.leastKeptMilliseconds * block / 10 - SilenceCut.headBlocks * block
                leaveOut(keeping: max(held, wanted - kept), of: looked - clear, giving: wanted - kept - held)
            }
        } else {
            if quiet > 0 { endSilence(at: looked - block) } else { clear = looked }
        }
        return true
    }

    /// A sound, or the end, stands behind what is quiet.
    @_noLocks @_noAllocation
    private mutating func endSilence(at end: Int) {
        if quiet >= (SilenceCut.tailBlocks + SilenceCut.leastSilentBlocks) * block {
            leaveOut(keeping: wanted - kept, of: end - clear, giving: 0)
        }
        quiet = 0
        kept = 0
        if cut == 0 { clear = looked } else { cutFollowers = looked - clear - cut }
    }

    /// Frames to be kept of what is quiet by now.
    private var wanted: Int {
        @_noLocks @_noAllocation get {
            let tail = SilenceCut.tailBlocks * block
            return tail + max(SilenceCut.leastKeptMilliseconds * block / 10, (quiet - tail) / 5)
        }
    }

    /// Leaves out the first of the `held` frames, so that `keeping` remain, the first `giving` of which may be given.
    @_noLocks @_noAllocation
    private mutating func leaveOut(keeping: Int, of held: Int, giving: Int) {
        let frames = held - keeping
        // Not worth it.
        if frames < 2 * joinFrames || keeping < joinFrames { return }
        join(clear, clear + frames)
        cut = frames
        cutFollowers = giving
        kept += cutFollowers
    }

    /// Blends the continuation of `one` into that of `other`.
    @_noLocks @_noAllocation
    private func join(_ one: Int, _ other: Int) {
        let from = input + one * channels
        let to = input + other * channels
        // 15 fractional bits.
        let step = Int32(32768 / joinFrames)
        var share: Int32 = 0
        var frame = 0
        var sample = 0
        while frame < joinFrames {
            var channel = 0
            while channel < channels {
                let sum = Int32(from[sample]) &* (32768 &- share) &+ Int32(to[sample]) &* share
                to[sample] = Int16(truncatingIfNeeded: (sum &+ (1 << 14)) >> 15)
                sample &+= 1
                channel &+= 1
            }
            share &+= step
            frame &+= 1
        }
    }

    @_noLocks @_noAllocation
    private mutating func makeRoom() {
        ns_move(input, input + start * channels, (end - start) * channels * 2)
        clear -= start
        looked -= start
        end -= start
        start = 0
    }
}
