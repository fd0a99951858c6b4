// SPDX-License-Identifier: Apache-2.0
import CPosix

/// Speech faster or slower at its own pitch: whole periods of the voice are left out or said twice, and each seam is blended over a
/// period (pitch-synchronous overlap-add).
///
/// Frames of the recording go in (`put`), and parts of a period or so come out (`next`). It counts input and output to the frame, and each
/// part compensates the excess of the one before: nothing drifts.
public struct TimeStretch: ~Copyable {
    /// Thousandths: half to three times as fast.
    public static var speeds: ClosedRange<Int> { @_noLocks @_noAllocation get { 500...3000 } }
    /// So many frames are taken at least where `next` wanted more, and given at most as they are.
    public static var pieceFrames: Int { @_noLocks @_noAllocation get { 1152 } }

    /// The next step.
    private enum Step: BitwiseCopyable {
        case look
        /// So many frames are given as they are.
        case copy(Int)
        /// The period that was just given comes once more: the one behind it passes into it.
        case again(period: Int)
    }

    public let channels: Int
    /// Thousandths: milliseconds of the recording in a second.
    public private(set) var speed = 1000
    private var pitch: PitchPeriod
    private let capacity: Int
    private let input: UnsafeMutablePointer<Int16>
    /// The input as one channel: itself where it has no other.
    private let mono: UnsafeMutablePointer<Int16>
    private let blended: UnsafeMutablePointer<Int16>
    /// In the input: the next frame to be used, and the end of those that were put in.
    private var start = 0
    private var end = 0
    private var step = Step.look
    /// Nothing follows what was put in.
    public private(set) var isEnding = false
    /// Since it began: frames put in, frames that were gone through, frames given.
    public private(set) var putFrames: Int64 = 0
    private var goneFrames: Int64 = 0
    private var givenFrames: Int64 = 0

    /// - Parameter rate: of the recording, Hz.
    public init(rate: Int, channels: Int) {
        self.channels = channels
        pitch = PitchPeriod(rate: rate)
        capacity = 2 * pitch.most + TimeStretch.pieceFrames
        // The audio thread must not be the first to touch a page.
        input = .allocate(capacity: capacity * channels)
        input.initialize(repeating: 0, count: capacity * channels)
        if channels == 1 {
            mono = input
        } else {
            mono = .allocate(capacity: capacity)
            mono.initialize(repeating: 0, count: capacity)
        }
        blended = .allocate(capacity: pitch.most * channels)
        blended.initialize(repeating: 0, count: pitch.most * channels)
    }

    deinit {
        if mono != input { mono.deallocate() }
        input.deallocate()
        blended.deallocate()
    }

    /// Frames that one part has at most.
    public var partLimit: Int { @_noLocks @_noAllocation get { max(TimeStretch.pieceFrames, pitch.most) } }

    /// Frames of the recording that what was given stands for.
    public var usedFrames: Int64 { @_noLocks @_noAllocation get { min(putFrames, goneFrames) } }

    /// Forgets what was put in.
    @_noLocks @_noAllocation
    public mutating func begin(speed: Int) {
        self.speed = max(TimeStretch.speeds.lowerBound, min(TimeStretch.speeds.upperBound, speed))
        pitch.forget()
        start = 0
        end = 0
        step = .look
        isEnding = false
        putFrames = 0
        goneFrames = 0
        givenFrames = 0
    }

    /// Takes frames in. Returns how many: at least `pieceFrames`, if there are so many, where `next` gave nothing.
    @_noLocks @_noAllocation
    public mutating func put(_ samples: UnsafePointer<Int16>, frames: Int) -> Int {
        if frames > capacity - end { makeRoom() }
        let count = min(frames, capacity - end)
        ns_copy(input + end * channels, samples, count * channels * 2)
        if channels > 1 { mix(samples, into: mono + end, count) }
        end += count
        putFrames += Int64(count)
        return count
    }

    /// Nothing follows: the rest of the input comes out.
    @_noLocks @_noAllocation
    public mutating func finish() { isEnding = true }

    /// The next part; nil where more has to be put in first, or all was given.
    @_noLocks @_noAllocation
    public mutating func next() -> FramePart? {
        while true {
            if isEnding && owedFrames <= 0 { return nil }
            switch step {
            case .look:
                if speed == 1000 {
                    step = .copy(TimeStretch.pieceFrames)
                    continue
                }
                if end - start < 2 * pitch.most && !pad() { return nil }
                let period = pitch.find(mono + start)
                if speed > 1000 { return leaveOut(period) }
                step = .again(period: period)
                return give(UnsafePointer(input + start * channels), period)
            case .copy(0): step = .look
            case .copy(let frames):
                if start == end && !pad() { return nil }
                let count = min(min(frames, end - start), TimeStretch.pieceFrames)
                step = .copy(frames - count)
                let samples = UnsafePointer(input + start * channels)
                go(on: count)
                return give(samples, count)
            case .again(let period):
                blend(from: start + period, to: start, period)
                go(on: period)
                let part = give(UnsafePointer(blended), period)
                step = .copy(Int(surplus / Int64(speed - 1000)))
                return part
            }
        }
    }

    /// A period passes into the one behind it, or, above twice the speed, as much of it as leaves no more time than that.
    @_noLocks @_noAllocation
    private mutating func leaveOut(_ period: Int) -> FramePart {
        var frames = period
        if speed >= 2000 { frames = Int((surplus + Int64(period) * 1000) / Int64(speed - 1000)) }
        blend(from: start, to: start + period, frames)
        go(on: period + frames)
        let part = give(UnsafePointer(blended), frames)
        step = speed < 2000 ? .copy(Int(surplus / Int64(speed - 1000))) : .look
        return part
    }

    // MARK: Accounts

    /// Thousandths of a frame that were gone through beyond those that what was given takes.
    private var surplus: Int64 {
        @_noLocks @_noAllocation get { goneFrames * 1000 - givenFrames * Int64(speed) }
    }

    /// The output still due for all the input.
    private var owedFrames: Int64 {
        @_noLocks @_noAllocation get { putFrames * 1000 / Int64(speed) - givenFrames }
    }

    @_noLocks @_noAllocation
    private mutating func go(on frames: Int) {
        start += frames
        goneFrames += Int64(frames)
    }

    @_noLocks @_noAllocation
    private mutating func give(_ samples: UnsafePointer<Int16>, _ frames: Int) -> FramePart {
        let count = isEnding ? Int(min(Int64(frames), owedFrames)) : frames
        givenFrames += Int64(count)
        return FramePart(samples, count)
    }

    // MARK: The input

    @_noLocks @_noAllocation
    private mutating func makeRoom() {
        ns_move(input, input + start * channels, (end - start) * channels * 2)
        if channels > 1 { ns_move(mono, mono + start, (end - start) * 2) }
        end -= start
        start = 0
    }

    /// Silence behind the end, so that the last of it can be worked off. False if this is not the end.
    @_noLocks @_noAllocation
    private mutating func pad() -> Bool {
        guard isEnding else { return false }
        makeRoom()
        ns_zero(input + end * channels, (capacity - end) * channels * 2)
        if channels > 1 { ns_zero(mono + end, (capacity - end) * 2) }
        end = capacity
        return true
    }

    // MARK: Samples

    /// One channel of the first and the last.
    @_noLocks @_noAllocation
    private func mix(_ samples: UnsafePointer<Int16>, into mono: UnsafeMutablePointer<Int16>, _ frames: Int) {
        var frame = 0
        var sample = 0
        while frame < frames {
            let sum = Int32(samples[sample]) &+ Int32(samples[sample &+ channels &- 1])
            mono[frame] = Int16(truncatingIfNeeded: sum >> 1)
            frame &+= 1
            sample &+= channels
        }
    }

    /// So many frames that pass from what stands at one place into what stands at another.
    @_noLocks @_noAllocation
    private func blend(from: Int, to: Int, _ frames: Int) {
        let one = input + from * channels
        let other = input + to * channels
        // 15 fractional bits, counted with 15 more.
        let slope = Int32((1 << 30) / max(1, frames))
        var frame: Int32 = 0
        var sample = 0
        while frame < Int32(truncatingIfNeeded: frames) {
            let share = (frame &* slope) >> 15
            var channel = 0
            while channel < channels {
                let sum = Int32(one[sample]) &* (32768 &- share) &+ Int32(other[sample]) &* share
                blended[sample] = Int16(truncatingIfNeeded: (sum &+ (1 << 14)) >> 15)
                sample &+= 1
                channel &+= 1
            }
            frame &+= 1
        }
    }
}
