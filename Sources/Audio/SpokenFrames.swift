// SPDX-License-Identifier: Apache-2.0
import Syn123

/// Frames to speak, in a card's rate and channels (`AudioRequest.speak`). The last owner frees them.
public struct SpokenFrames: BitwiseCopyable {
    public let samples: UnsafeMutablePointer<Int16>
    public let frames: Int
    /// The card's rate, in Hz.
    public let rate: Int
    public let channels: Int

    /// Converts samples. On a thread that may wait and allocate.
    /// - Parameters:
    ///   - samples: interleaved samples of `rate` Hz and `channels` channels.
    ///   - cardRate, cardChannels: the format of the card.
    public init(
        _ samples: [Int16], rate: Int, channels: Int, cardRate: Int, cardChannels: Int
    ) throws(Syn123Error) {
        let chain = try FrameChain(rate: rate, channels: channels, cardRate: cardRate, cardChannels: cardChannels)
        // The appended silence pushes out the frames in the resampler.
        let given = samples + [Int16](repeating: 0, count: FrameChain.inputLimit * channels)
        var made: [Int16] = []
        given.withUnsafeBufferPointer { given in
            var done = 0
            while done < given.count / channels {
                let part = chain.convert(given.baseAddress! + done * channels, frames: given.count / channels - done)
                made.append(contentsOf: UnsafeBufferPointer(start: part.samples, count: part.frames * cardChannels))
                done += part.used
            }
        }
        self.samples = .allocate(capacity: max(1, made.count))
        self.samples.initialize(from: made, count: made.count)
        frames = made.count / cardChannels
        self.rate = cardRate
        self.channels = cardChannels
    }

    public func free() { samples.deallocate() }
}
