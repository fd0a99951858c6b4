// SPDX-License-Identifier: Apache-2.0
import Syn123

/// Resamples frames to the rate with which their recording began. One thread at a time; none of real time.
final class RateChange {
    /// The rate of the output, in Hz.
    let rate: Int
    private let resampler: Resampler
    private let output: UnsafeMutablePointer<Int16>

    /// - Parameter mostFrames: the most frames of one call.
    init(from rate: Int, to wanted: Int, channels: Int, mostFrames: Int) throws(MediaError) {
        self.rate = rate
        // One piece would become millions of frames.
        guard rate <= wanted.multipliedReportingOverflow(by: 64).partialValue,
            wanted <= rate.multipliedReportingOverflow(by: 64).partialValue
        else { throw .unsupported("sound that changes from \(wanted) Hz to \(rate) Hz") }
        let made: Resampler
        do throws(Syn123Error) {
            made = try Resampler(
                inputRate: rate, outputRate: wanted, channels: channels, inputFramesLimit: mostFrames)
        } catch { throw .unsupported("sound that changes from \(wanted) Hz to \(rate) Hz") }
        output = .allocate(capacity: made.outputFramesLimit * channels)
        resampler = made
    }

    deinit { output.deallocate() }

    /// Returns the converted frames; good until the next call.
    func change(_ samples: UnsafePointer<Int16>, frames: Int) -> (samples: UnsafePointer<Int16>, frames: Int) {
        let count = resampler.resample(samples, frames: frames, into: output)
        return (UnsafePointer(output), count)
    }
}
