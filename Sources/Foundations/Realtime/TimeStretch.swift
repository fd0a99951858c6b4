// SPDX-License-Identifier: Apache-2.0
import CPosix

/// Makes speech faster or slower at its own pitch. Whole periods of the voice are left out or repeated, and each seam is blended over a
/// period (pitch-synchronous overlap-add).
///
/// Frames of the recording go in (`put`), and parts of a period or so come out (`next`). It counts every frame, and each part compensates
/// the excess of the one before, so nothing drifts.
public struct TimeStretch: ~Copyable {
    /// The speeds in thousandths: half to three times as fast.
    public static var speeds: ClosedRange<Int> { @_noLocks @_noAllocation get { 500...3000 } }
    /// The least number of frames to accept when `next` needs more, and the most to return unchanged at once.
    public static var pieceFrames: Int { @_noLocks @_noAllocation get { 1152 } }

    /// The next step.
    private enum Step: BitwiseCopyable {
        case look
        /// Returns so many frames unchanged.
        case copy(Int)
        /// Repeats the last period, blended into the next one.
        case again(period: Int)
    }

    public let channels: Int
    /// The speed in thousandths: milliseconds of the recording in a second.
    public private(set) var speed = 1000
    private var pitch: PitchPeriod
    private let capacity: Int
    private let input: UnsafeMutablePointer<Int16>
    /// The input mixed to one channel; the input itself if it has only one.
    private let mono: UnsafeMutablePointer<Int16>
    private let blended: UnsafeMutablePointer<Int16>
    /// Positions in the input: the next frame to use, and the end.
    private var start = 0
    private var end = 0
    private var step = Step.look
    /// True if no more input follows.
    public private(set) var isEnding = false
    /// The number of frames put in, used, and returned since `begin`.
    public private(set) var putFrames: Int64 = 0
    private var goneFrames: Int64 = 0
    private var givenFrames: Int64 = 0

    /// - Parameter rate: the sample rate of the recording, in Hz.
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

    /// The most frames of one part.
    public var partLimit: Int { @_noLocks @_noAllocation get { max(TimeStretch.pieceFrames, pitch.most) } }

    /// The number of recorded frames that the output so far stands for.
    public var usedFrames: Int64 { @_noLocks @_noAllocation get { min(putFrames, goneFrames) } }

    /// Forgets the input, and sets a speed.
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

    /// Accepts frames. Returns their number: at least `pieceFrames`, if given, after `next` returned nothing.
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

    /// Marks the end of the input, so that the rest comes out.
    @_noLocks @_noAllocation
    public mutating func finish() { isEnding = true }

    /// Returns the next part; nil if more input is needed, or everything was returned.
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

    /// Blends a period into the next one. Above twice the speed it blends only as much as the output has time for.
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

    /// The used input beyond what the output stands for, in thousandths of a frame.
    private var surplus: Int64 {
        @_noLocks @_noAllocation get { goneFrames * 1000 - givenFrames * Int64(speed) }
    }

    /// The number of output frames still due for all the input.
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

    /// Appends silence after the end, so that the last frames can be processed. Returns false if more input may follow.
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

    /// Mixes the first and the last channel into one.
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

    /// Blends frames from one place into those of another.
    @_noLocks @_noAllocation
    private func blend(from: Int, to: Int, _ frames: Int) {
        let one = input + from * channels
        let other = input + to * channels
        // The share has 15 fractional bits, counted with 15 more.
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
