// SPDX-License-Identifier: Apache-2.0
import CPosix

/// Holds a stream to the rate and channels that it began with, should either change on its way (two recordings joined into one file).
/// Straight lines between samples: the pitch stays right, as such a file expects.
struct FormatHold: ~Copyable {
    /// Frames that one `next` gives at most.
    static var pieceFrames: Int { @_noLocks @_noAllocation get { 1152 } }

    private let converted: UnsafeMutablePointer<Int16>
    /// Of the stream as it began.
    private(set) var rate = 0
    private(set) var channels = 0
    /// Of what comes now.
    private var inputRate = 0
    private var inputChannels = 0
    private var input: UnsafePointer<Int16>?
    private var inputFrames = 0
    /// Place of the next frame to give among those of the input, in 1/`rate` of a frame, counted from the last frame of the input
    /// before, which is `last`.
    private var place: Int64 = 0
    private var lastLeft: Int16 = 0
    private var lastRight: Int16 = 0

    init() {
        converted = .allocate(capacity: FormatHold.pieceFrames * 2)
        // The audio thread must not be the first to touch a page.
        converted.initialize(repeating: 0, count: FormatHold.pieceFrames * 2)
    }

    deinit { converted.deallocate() }

    /// The stream's format is unknown.
    @_noLocks @_noAllocation
    mutating func reset() {
        rate = 0
        channels = 0
        inputRate = 0
        inputChannels = 0
        forgetInput()
    }

    @_noLocks @_noAllocation
    mutating func forgetInput() {
        inputFrames = 0
        place = 0
    }

    /// The format of the stream, until `take` changes it.
    @_noLocks @_noAllocation
    mutating func begin(rate: Int, channels: Int) {
        self.rate = rate
        self.channels = channels
        inputRate = rate
        inputChannels = channels
        forgetInput()
    }

    private var isSame: Bool {
        @_noLocks @_noAllocation get { inputRate == rate && inputChannels == channels }
    }

    /// Takes `samples`, which stay valid until `next` gives nothing more. The first call sets the stream's format.
    @_noLocks @_noAllocation
    mutating func take(_ samples: UnsafePointer<Int16>, count: Int, rate: Int, channels: Int) {
        if self.rate == 0 { begin(rate: rate, channels: channels) }
        if rate != inputRate || channels != inputChannels {
            inputRate = rate
            inputChannels = channels
            place = 0
        }
        input = samples
        inputFrames = count / max(1, inputChannels)
    }

    /// The next piece, of at most `pieceFrames`; nil after the last input.
    @_noLocks @_noAllocation
    mutating func next(frames: inout Int) -> UnsafePointer<Int16>? {
        guard inputFrames > 0, let from = input else { return nil }
        if isSame {
            frames = min(inputFrames, FormatHold.pieceFrames)
            input = from + frames * channels
            inputFrames -= frames
            return from
        }
        frames = 0
        let end = Int64(inputFrames) * Int64(rate)
        while frames < FormatHold.pieceFrames && place < end {
            let index = Int(place / Int64(rate))
            let part = place % Int64(rate)
            let left = between(index == 0 ? lastLeft : left(from, index - 1), left(from, index), part)
            let right = between(index == 0 ? lastRight : right(from, index - 1), right(from, index), part)
            if channels == 1 {
                converted[frames] = Int16(truncatingIfNeeded: (left + right) / 2)
            } else {
                converted[2 * frames] = Int16(truncatingIfNeeded: left)
                converted[2 * frames + 1] = Int16(truncatingIfNeeded: right)
            }
            frames += 1
            place += Int64(inputRate)
        }
        if place >= end {
            lastLeft = left(from, inputFrames - 1)
            lastRight = right(from, inputFrames - 1)
            place -= end
            inputFrames = 0
        }
        return frames > 0 ? UnsafePointer(converted) : nil
    }

    @_noLocks @_noAllocation
    private func left(_ from: UnsafePointer<Int16>, _ frame: Int) -> Int16 { from[frame * inputChannels] }

    @_noLocks @_noAllocation
    private func right(_ from: UnsafePointer<Int16>, _ frame: Int) -> Int16 {
        from[frame * inputChannels + inputChannels - 1]
    }

    @_noLocks @_noAllocation
    private func between(_ a: Int16, _ b: Int16, _ part: Int64) -> Int {
        Int((Int64(a) * (Int64(rate) - part) + Int64(b) * part) / Int64(rate))
    }
}
