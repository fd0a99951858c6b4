import CMpg123

/// Changes the sample rate of interleaved 16-bit frames with libsyn123, for cards that do not take the stream's own.
/// Made on the feed thread, used on the audio thread.
public struct Resampler: ~Copyable {
    private let handle: OpaquePointer
    private let channels: Int
    private let inputFloats: UnsafeMutablePointer<Float>
    private let outputFloats: UnsafeMutablePointer<Float>
    /// The most frames that one `resample` may be given.
    public let inputFramesLimit: Int
    /// Room that one `resample` may need for its output.
    public let outputFramesLimit: Int

    /// - Parameters:
    ///   - inputRate, outputRate: Hz.
    ///   - inputFramesLimit: the most frames given at once.
    public init(inputRate: Int, outputRate: Int, channels: Int, inputFramesLimit: Int) throws(Mpg123Error) {
        var code: Int32 = 0
        guard
            let handle = syn123_new(
                outputRate, Int32(channels), Int32(MPG123_ENC_FLOAT_32.rawValue), 0, &code)
        else { throw Mpg123Error("start libsyn123: " + String(cString: syn123_strerror(code))) }
        // The fine filter and not the "dirty" one; nothing for rates that change on the way, since one resampler has one rate.
        code = syn123_setup_resample(handle, inputRate, outputRate, Int32(channels), 0, 0)
        if code != 0 {
            syn123_del(handle)
            throw Mpg123Error(
                "resample \(inputRate) Hz to \(outputRate) Hz: " + String(cString: syn123_strerror(code)))
        }
        self.handle = handle
        self.channels = channels
        self.inputFramesLimit = inputFramesLimit
        outputFramesLimit = Int(syn123_resample_count(inputRate, outputRate, inputFramesLimit)) + 64
        inputFloats = .allocate(capacity: inputFramesLimit * channels)
        inputFloats.initialize(repeating: 0, count: inputFramesLimit * channels)
        outputFloats = .allocate(capacity: outputFramesLimit * channels)
        outputFloats.initialize(repeating: 0, count: outputFramesLimit * channels)
    }

    deinit {
        syn123_del(handle)
        inputFloats.deallocate()
        outputFloats.deallocate()
    }

    /// Resamples `frames` frames, or the first `inputFramesLimit` of them, into `output`, which has room for `outputFramesLimit`.
    /// Returns the frames that came out.
    @_noLocks @_noAllocation
    public borrowing func resample(
        _ input: UnsafePointer<Int16>, frames: Int, into output: UnsafeMutablePointer<Int16>
    ) -> Int {
        let frames = min(frames, inputFramesLimit)
        ns_syn123_s16_to_float(inputFloats, input, frames * channels)
        let count = ns_syn123_resample(handle, outputFloats, inputFloats, frames)
        ns_syn123_float_to_s16(output, outputFloats, count * channels)
        return count
    }
}
