// SPDX-License-Identifier: Apache-2.0
import CSyn123
import Posix

/// An error of libsyn123, in its words, or its absence.
public struct Syn123Error: Error {
    public let message: String
}

/// Changes the sample rate of interleaved 16-bit frames with libsyn123, for cards without the stream's rate, and for streams that change
/// theirs. Made on the feed thread or the worker's, which load the library; used there or on the audio thread.
public struct Resampler: ~Copyable {
    private let functions: ns_syn123
    private let handle: UnsafeMutableRawPointer
    private let channels: Int
    private let inputFloats: UnsafeMutablePointer<Float>
    private let outputFloats: UnsafeMutablePointer<Float>
    /// The most frames of one `resample`.
    public let inputFramesLimit: Int
    /// The room that one `resample` may need for its output.
    public let outputFramesLimit: Int

    /// - Parameters:
    ///   - inputRate, outputRate: the rates in Hz.
    ///   - inputFramesLimit: the most frames of one call.
    public init(inputRate: Int, outputRate: Int, channels: Int, inputFramesLimit: Int) throws(Syn123Error) {
        let missing = MissingLibrary(name: "libsyn123", package: "libsyn123-0")
        var functions = ns_syn123()
        do throws(MissingLibrary) {
            guard ns_syn123_find(try SharedLibrary.open([NS_SYN123_LIBRARY], else: missing), &functions) else {
                throw missing
            }
        } catch { throw Syn123Error(message: error.message) }
        var code: Int32 = 0
        guard let handle = functions.new(outputRate, Int32(channels), Int32(NS_SYN123_FLOAT), 0, &code) else {
            throw Syn123Error(message: "start libsyn123: " + String(cString: functions.strerror(code)))
        }
        // The fine filter, not the "dirty" one; no support for changing rates, since a resampler has one rate.
        code = functions.setup_resample(handle, inputRate, outputRate, Int32(channels), 0, 0)
        if code != 0 {
            functions.del(handle)
            throw Syn123Error(
                message: "resample \(inputRate) Hz to \(outputRate) Hz: " + String(cString: functions.strerror(code)))
        }
        self.functions = functions
        self.handle = handle
        self.channels = channels
        self.inputFramesLimit = inputFramesLimit
        outputFramesLimit = functions.resample_count(inputRate, outputRate, inputFramesLimit) + 64
        inputFloats = .allocate(capacity: inputFramesLimit * channels)
        inputFloats.initialize(repeating: 0, count: inputFramesLimit * channels)
        outputFloats = .allocate(capacity: outputFramesLimit * channels)
        outputFloats.initialize(repeating: 0, count: outputFramesLimit * channels)
    }

    deinit {
        functions.del(handle)
        inputFloats.deallocate()
        outputFloats.deallocate()
    }

    /// Resamples `frames` frames, or the first `inputFramesLimit` of them, into `output`, which has room for `outputFramesLimit`. Returns
    /// the number of output frames.
    @_noLocks @_noAllocation
    public borrowing func resample(
        _ input: UnsafePointer<Int16>, frames: Int, into output: UnsafeMutablePointer<Int16>
    ) -> Int {
        let frames = min(frames, inputFramesLimit)
        ns_syn123_s16_to_float(inputFloats, input, frames * channels)
        let count = ns_syn123_resample(functions.resample, handle, outputFloats, inputFloats, frames)
        ns_syn123_float_to_s16(output, outputFloats, count * channels)
        return count
    }
}
