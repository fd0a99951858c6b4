// SPDX-License-Identifier: Apache-2.0
import CPosix

/// Keeps the rate and channels of a stream constant if they change on the way, as in two joined recordings. Linear interpolation keeps the
/// pitch right, which suffices for such a file.
struct FormatHold: ~Copyable {
    /// The most frames of one `next`.
    static var pieceFrames: Int { @_noLocks @_noAllocation get { 1152 } }

    private let converted: UnsafeMutablePointer<Int16>
    /// The rate at the start of the stream.
    private(set) var rate = 0
    private(set) var channels = 0
    /// The rate of the present input.
    private var inputRate = 0
    private var inputChannels = 0
    private var input: UnsafePointer<Int16>?
    private var inputFrames = 0
    /// The place of the next output frame in the input, in 1/`rate` of a frame, counted from the last frame of the input before, which is
    /// `last`.
    private var place: Int64 = 0
    private var lastLeft: Int16 = 0
    private var lastRight: Int16 = 0

    init() {
        converted = .allocate(capacity: FormatHold.pieceFrames * 2)
        // The audio thread must not be the first to touch a page.
        converted.initialize(repeating: 0, count: FormatHold.pieceFrames * 2)
    }

    deinit { converted.deallocate() }

    /// Forgets the format of the stream.
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

    /// Sets the format of the stream, until `take` changes it.
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

    /// Takes `samples`, which must stay valid until `next` returns nothing. The first call sets the stream's format.
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

    /// Returns the next piece of at most `pieceFrames`; nil after the input is used up.
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
