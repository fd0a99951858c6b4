// SPDX-License-Identifier: Apache-2.0
import CPosix

/// Shortens pauses of speech: keeps a fifth of each silence, and at least `leastKeptMilliseconds`. It cuts the middle out and blends the
/// two ends.
///
/// Frames of the recording go in (`put`), and parts come out (`next`), each with the number of frames left out before it. `SilenceGauge`
/// decides about silence; everything else comes out unchanged, sample by sample.
public struct SilenceCut: ~Copyable {
    /// The least number of frames to accept when `next` needs more, and the most to return at once.
    public static var pieceFrames: Int { @_noLocks @_noAllocation get { 1152 } }
    /// The shortest silence to keep; less sounds abrupt.
    public static var leastKeptMilliseconds: Int { @_noLocks @_noAllocation get { 80 } }

    /// The number of blocks examined in a second.
    private static var blocksPerSecond: Int { @_noLocks @_noAllocation get { 100 } }
    /// The blocks after the last sound that belong to it: words and rooms fade away.
    private static var tailBlocks: Int { @_noLocks @_noAllocation get { 4 } }
    /// The kept blocks before the cut. As many or more follow after it.
    private static var headBlocks: Int { @_noLocks @_noAllocation get { 4 } }
    /// The shortest silence after the tail. A stop between two sounds of a word is shorter.
    private static var leastSilentBlocks: Int { @_noLocks @_noAllocation get { 16 } }
    /// The most blocks of a silence to hold back. After that the certain part is cut.
    private static var heldBlocks: Int { @_noLocks @_noAllocation get { 50 } }

    public let channels: Int
    private let block: Int
    /// The number of frames over which two ends are blended.
    private let joinFrames: Int
    private let capacity: Int
    private let input: UnsafeMutablePointer<Int16>
    private var gauge = SilenceGauge()
    /// Positions in the input: the next frame to return, and the ends of the releasable, the examined, and all frames.
    private var start = 0
    private var clear = 0
    private var looked = 0
    private var end = 0
    /// The quiet frames up to `looked` without a sound between them, and how many of them are kept.
    private var quiet = 0
    private var kept = 0
    /// The frames to cut at `clear`, and the number of releasable frames after them.
    private var cut = 0
    private var cutFollowers = 0
    /// The frames left out since the last part.
    private var skipped = 0
    private var isEnding = false

    /// - Parameter rate: the sample rate of the recording, in Hz.
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

    /// Accepts frames. Returns their number: at least `pieceFrames`, if given, after `next` returned nothing.
    @_noLocks @_noAllocation
    public mutating func put(_ samples: UnsafePointer<Int16>, frames: Int) -> Int {
        if frames > capacity - end { makeRoom() }
        let count = min(frames, capacity - end)
        ns_copy(input + end * channels, samples, count * channels * 2)
        end += count
        return count
    }

    /// Marks the end of the input, so that the rest comes out.
    @_noLocks @_noAllocation
    public mutating func finish() { isEnding = true }

    /// Returns the next part; nil if more input is needed, or everything was returned.
    @_noLocks @_noAllocation
    public mutating func next() -> FramePart? {
        while true {
            // Examine nothing beyond a cut until everything before it was returned.
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
            // The rest is shorter than a block.
            looked = end
            if quiet > 0 { endSilence(at: end) } else { clear = end }
            if start == clear && cut == 0 { return nil }
        }
    }

    // MARK: Silences

    /// Examines the next block. Returns false if there is none.
    @_noLocks @_noAllocation
    private mutating func look() -> Bool {
        if end - looked < block { return false }
        let samples = UnsafePointer(input + looked * channels)
        // Sum the differences of neighbors: they weigh a hum little, but a hiss, a breath or the end of a word much.
        let count = (block - 1) * channels
        let sum = Int(ns_sum_of_differences(samples, samples + channels, count))
        looked += block
        if gauge.isSilent(sum: sum, count: max(1, count)) {
            quiet += block
            if quiet <= (SilenceCut.tailBlocks + SilenceCut.headBlocks) * block {
                kept = quiet
                clear = looked
            } else if looked - clear >= SilenceCut.heldBlocks * block {
                // Keep back the frames that must stand before the next sound.
                let held = SilenceCut.leastKeptMilliseconds * block / 10 - SilenceCut.headBlocks * block
                leaveOut(keeping: max(held, wanted - kept), of: looked - clear, giving: wanted - kept - held)
            }
        } else {
            if quiet > 0 { endSilence(at: looked - block) } else { clear = looked }
        }
        return true
    }

    /// Ends a silence before a sound, or at the end.
    @_noLocks @_noAllocation
    private mutating func endSilence(at end: Int) {
        if quiet >= (SilenceCut.tailBlocks + SilenceCut.leastSilentBlocks) * block {
            leaveOut(keeping: wanted - kept, of: end - clear, giving: 0)
        }
        quiet = 0
        kept = 0
        if cut == 0 { clear = looked } else { cutFollowers = looked - clear - cut }
    }

    /// The number of frames to keep of the present silence.
    private var wanted: Int {
        @_noLocks @_noAllocation get {
            let tail = SilenceCut.tailBlocks * block
            return tail + max(SilenceCut.leastKeptMilliseconds * block / 10, (quiet - tail) / 5)
        }
    }

    /// Cuts the first of the `held` frames, so that `keeping` remain. The first `giving` of those may be returned.
    @_noLocks @_noAllocation
    private mutating func leaveOut(keeping: Int, of held: Int, giving: Int) {
        let frames = held - keeping
        // The cut is too short to be worthwhile.
        if frames < 2 * joinFrames || keeping < joinFrames { return }
        join(clear, clear + frames)
        cut = frames
        cutFollowers = giving
        kept += cutFollowers
    }

    /// Blends what follows `one` into what follows `other`.
    @_noLocks @_noAllocation
    private func join(_ one: Int, _ other: Int) {
        let from = input + one * channels
        let to = input + other * channels
        // The share has 15 fractional bits.
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
