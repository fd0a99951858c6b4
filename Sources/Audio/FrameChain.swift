// SPDX-License-Identifier: Apache-2.0
import CPosix
import Syn123

/// Converts a recording's frames to the card's rate and channels. It belongs to the output and not to a deck, so items join without a gap.
///
/// It accepts pieces of any length and converts them in parts that fit its memory.
struct FrameChain: ~Copyable {
    /// The result for the first part of the input.
    struct Part: BitwiseCopyable {
        /// The number of recorded frames in the part.
        var used: Int
        /// The frames for the card, valid until the next call.
        var samples: UnsafePointer<Int16>
        var frames: Int

        @_noLocks @_noAllocation
        init(used: Int, samples: UnsafePointer<Int16>, frames: Int) {
            self.used = used
            self.samples = samples
            self.frames = frames
        }
    }

    /// The most recorded frames to take at once: those of one MPEG frame.
    static var inputLimit: Int { @_noLocks @_noAllocation get { 1152 } }
    /// The most frames of one part.
    let outputLimit: Int

    private let channels: Int
    let cardChannels: Int
    /// The resampler; nil if the card has the recording's rate.
    private let resampler: UnsafeMutablePointer<Resampler>?
    private let resampled: UnsafeMutablePointer<Int16>?
    private let remixed: UnsafeMutablePointer<Int16>?

    /// - Parameters:
    ///   - rate, channels: the format of the recording.
    ///   - cardRate, cardChannels: the format of the card.
    init(rate: Int, channels: Int, cardRate: Int, cardChannels: Int) throws(Syn123Error) {
        self.channels = channels
        self.cardChannels = cardChannels
        if rate == cardRate {
            resampler = nil
            resampled = nil
            outputLimit = FrameChain.inputLimit
        } else {
            let made = try Resampler(
                inputRate: rate, outputRate: cardRate, channels: channels, inputFramesLimit: FrameChain.inputLimit)
            outputLimit = made.outputFramesLimit
            resampler = .allocate(capacity: 1)
            resampler!.initialize(to: made)
            resampled = .allocate(capacity: outputLimit * channels)
            resampled!.initialize(repeating: 0, count: outputLimit * channels)
        }
        if channels == cardChannels {
            remixed = nil
        } else {
            remixed = .allocate(capacity: outputLimit * cardChannels)
            remixed!.initialize(repeating: 0, count: outputLimit * cardChannels)
        }
    }

    deinit {
        if let resampler {
            resampler.deinitialize(count: 1)
            resampler.deallocate()
        }
        resampled?.deallocate()
        remixed?.deallocate()
    }

    /// Converts the first of `frames` frames, at least one; call it until it has used all.
    @_noLocks @_noAllocation
    borrowing func convert(_ samples: UnsafePointer<Int16>, frames: Int) -> Part {
        var part = Part(used: min(frames, FrameChain.inputLimit), samples: samples, frames: 0)
        part.frames = part.used
        if let resampler, let resampled {
            part.frames = resampler.pointee.resample(samples, frames: part.used, into: resampled)
            part.samples = UnsafePointer(resampled)
        }
        if let remixed {
            remix(part.samples, to: remixed, frames: part.frames)
            part.samples = UnsafePointer(remixed)
        }
        return part
    }

    /// Copies mono to both channels, or averages stereo for a mono card. Further channels stay silent.
    @_noLocks @_noAllocation
    private borrowing func remix(_ from: UnsafePointer<Int16>, to: UnsafeMutablePointer<Int16>, frames: Int) {
        var frame = 0
        while frame < frames {
            let left = Int(from[frame * channels])
            let right = Int(from[frame * channels + channels - 1])
            if cardChannels == 1 {
                to[frame] = Int16(truncatingIfNeeded: (left + right) / 2)
            } else {
                let place = frame * cardChannels
                to[place] = Int16(truncatingIfNeeded: left)
                to[place + 1] = Int16(truncatingIfNeeded: right)
                var channel = 2
                while channel < cardChannels {
                    to[place + channel] = 0
                    channel += 1
                }
            }
            frame += 1
        }
    }
}
